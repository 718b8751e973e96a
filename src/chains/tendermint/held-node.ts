import { BackendSilent } from '../../ports/silence.ts';
import { membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { textOf } from './json.ts';
import type { TendermintNode } from './node.ts';

/**
 * The same node, of which nothing counts as an answer before it has said that it is of the chain, and again after it was silent: what comes back behind
 * an address may be another node. Nothing is sent to it before that either.
 *
 * @example
 * ```ts
 * import { heldToTendermintChain } from 'swapfold/chains/tendermint';
 *
 * const status = { node_info: { network: 'irishub-1' } };
 * const node = { name: 'a node', request: async () => status };
 * await heldToTendermintChain(node, 'irishub-1').request('status', {}); // → status
 * heldToTendermintChain(node, 'nyancat-9').request('status', {}); // throws BackendSilent
 * ```
 */
export function heldToTendermintChain(node: TendermintNode, chainId: string): TendermintNode {
  let shown: Promise<void> | null = null;
  return {
    name: node.name,
    // A hint to look, which settles nothing.
    ...(node.news === undefined ? {} : { news: node.news }),
    async request(method, params) {
      try {
        shown ??= requireChain(node, chainId);
        await shown;
        return await node.request(method, params);
      } catch (error) {
        if (error instanceof BackendSilent) shown = null;
        throw error;
      }
    },
  };
}

/** @throws BackendSilent */
async function requireChain(node: TendermintNode, chainId: string): Promise<void> {
  const told = await node.request('status', {}).catch((error: unknown) => {
    if (error instanceof NodeRefusal) throw new BackendSilent(`${node.name} does not report its status`);
    throw error;
  });
  const { node_info: info } = membersOf(told, 'a status');
  const found = textOf(membersOf(info, 'a status')['network'], 'the id of a chain');
  if (found !== chainId) throw new BackendSilent(`${node.name} is on chain ${found}, not ${chainId}`);
}
