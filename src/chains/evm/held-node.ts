import { NodeRefusal } from '../accounts/node.ts';
import { BackendSilent } from '../accounts/silence.ts';
import { countOf } from './json.ts';
import type { EvmNode } from './node.ts';

const SENDING = /^eth_send/;

type Shown = { readonly connection: unknown; readonly told: Promise<void> };

/**
 * The same node, of which nothing counts as an answer before it has said that it is of the chain (`eth_chainId`, EIP-695). It has to say so over each
 * connection, and again after it was silent: what comes back behind an address may be another node.
 */
export function heldToChain(node: EvmNode, chainId: number): EvmNode {
  if (node.heldTo === chainId) return node;
  let shown: Shown | null = null;
  const connection = async (): Promise<unknown> => node.connection?.();
  const show = async (over: unknown): Promise<void> => {
    if (shown === null || shown.connection !== over) shown = { connection: over, told: requireChain(node, chainId) };
    await shown.told;
  };
  return {
    name: node.name,
    heldTo: chainId,
    connection,
    async request(method, params) {
      try {
        const over = await connection();
        const held = show(over);
        // A question changes nothing, and need not wait; but nothing is sent to who knows whom.
        if (SENDING.test(method)) await held;
        const asked = node.request(method, params);
        asked.catch(() => {});
        await held;
        const answer = await asked;
        if ((await connection()) !== over) throw new BackendSilent(`${node.name} was connected to anew meanwhile`);
        return answer;
      } catch (error) {
        if (error instanceof BackendSilent) shown = null;
        throw error;
      }
    },
  };
}

/** @throws BackendSilent */
async function requireChain(node: EvmNode, chainId: number): Promise<void> {
  const told = await node.request('eth_chainId', []).catch((error: unknown) => {
    if (error instanceof NodeRefusal) throw new BackendSilent(`${node.name} refuses eth_chainId: ${error.message}`);
    throw error;
  });
  const found = countOf(told, 'eth_chainId');
  if (found !== chainId) throw new BackendSilent(`${node.name} is of the chain with the id ${found}, not ${chainId}`);
}
