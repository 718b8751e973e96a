import { BackendSilent } from '../../ports/silence.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { countOf } from './json.ts';
import type { EvmNode } from './node.ts';

const SENDING = /^eth_send/;

type Shown = { readonly connection: unknown; readonly told: Promise<void> };

/**
 * The same node, whose answers count only after it has said that it is on the chain (`eth_chainId`, EIP-695). It must say so on each
 * connection, and again after a silence: what comes back behind an address may be another node. It also says so with each last block that it reports, in
 * the same request if it accepts such: all that money depends on is asked as of such a block, and behind one address there may be several nodes.
 *
 * @example
 * ```ts
 * import { type EvmNode, heldToEvmChain } from 'swapfold/chains/evm';
 *
 * const node: EvmNode = { name: 'a node', request: async () => '0x1' };
 * await heldToEvmChain(node, 1).request('eth_blockNumber', []); // → '0x1'
 * heldToEvmChain(node, 137).request('eth_blockNumber', []); // throws BackendSilent
 * ```
 */
export function heldToEvmChain(node: EvmNode, chainId: number): EvmNode {
  if (node.heldTo === chainId) return node;
  let shown: Shown | null = null;
  const connection = async (): Promise<unknown> => node.connection?.();
  const show = (over: unknown): Promise<void> => {
    if (shown === null || shown.connection !== over)
      shown = { connection: over, told: requireTold(node, { told: node.request('eth_chainId', []), chainId }) };
    return shown.told;
  };
  const ask = (method: string, { params, over }: Asking): Promise<unknown> => {
    if (!isHead(method, params)) return node.request(method, params);
    const { id, block } = headOf(node, params);
    shown = { connection: over, told: requireTold(node, { told: id, chainId }) };
    return block;
  };
  return {
    name: node.name,
    heldTo: chainId,
    connection,
    async request(method, params) {
      try {
        const over = await connection();
        const before = isHead(method, params) ? undefined : show(over);
        before?.catch(() => {});
        // A question changes nothing, and need not wait; but nothing is sent to an unknown node.
        if (SENDING.test(method)) await before;
        const asked = ask(method, { params, over });
        asked.catch(() => {});
        await show(over);
        const answer = await asked;
        if ((await connection()) !== over)
          throw new BackendSilent(`the connection to ${node.name} was replaced meanwhile`);
        return answer;
      } catch (error) {
        if (error instanceof BackendSilent) shown = null;
        throw error;
      }
    },
  };
}

type Asking = { readonly params: readonly unknown[]; readonly over: unknown };

function isHead(method: string, [at]: readonly unknown[]): boolean {
  return method === 'eth_getBlockByNumber' && at === 'latest';
}

/** Its last block, with the chain id that it reports then. */
function headOf(node: EvmNode, params: readonly unknown[]): Readonly<Record<'id' | 'block', Promise<unknown>>> {
  const calls = [
    ['eth_chainId', []],
    ['eth_getBlockByNumber', params],
  ] as const;
  const together = node.together?.(calls) ?? null;
  const [id, block] = calls.map(async ([method, own], place) => {
    const answer = (await together)?.[place];
    if (answer === undefined) return node.request(method, own);
    if ('refusal' in answer) throw answer.refusal;
    return answer.result;
  }) as [Promise<unknown>, Promise<unknown>];
  return { id, block };
}

type Telling = { readonly told: Promise<unknown>; readonly chainId: number };

/** @throws BackendSilent */
async function requireTold({ name }: EvmNode, { told, chainId }: Telling): Promise<void> {
  const answer = await told.catch((error: unknown) => {
    if (error instanceof NodeRefusal) throw new BackendSilent(`${name} refuses eth_chainId: ${error.message}`);
    throw error;
  });
  const found = countOf(answer, 'eth_chainId');
  if (found !== chainId) throw new BackendSilent(`${name} is on the chain with id ${found}, not ${chainId}`);
}
