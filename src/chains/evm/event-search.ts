import { BackendSilent } from '../../ports/silence.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { isUnknown } from './asking-again.ts';
import type { EvmNode } from './node.ts';
import { isAskedTooMuch, isTooWide } from './node-refusals.ts';
import { hex0 } from './transaction.ts';

export type EventsAsked = {
  /** 40 hex digits. */
  readonly contract: string;
  /** Height of a block that the node has. */
  readonly block: number;
};

/**
 * Why a node does not search events of a contract, tried on one block; null if it does, and where it says nothing about that: it is silent, has too many
 * requests, limits how much it searches at once, or does not have the block.
 *
 * @example
 * ```ts
 * import { type EvmNode, NodeRefusal, whyNoEvents } from 'swapfold/chains/evm';
 *
 * const asked = { contract: 'c0'.repeat(20), block: 16 };
 * const request = async () => {
 *   throw new NodeRefusal(-32_601, 'the method does not exist');
 * };
 * const node: EvmNode = { name: 'node.example', request };
 * const why = 'node.example refuses eth_getLogs: the method does not exist';
 * await whyNoEvents(node, asked); // → why
 * const good: EvmNode = { name: 'node.example', request: async () => [] };
 * await whyNoEvents(good, asked); // → null
 * ```
 */
export async function whyNoEvents(node: EvmNode, { contract, block }: EventsAsked): Promise<string | null> {
  const at = hex0(block.toString(16));
  try {
    const told = await node.request('eth_getLogs', [{ address: hex0(contract), fromBlock: at, toBlock: at }]);
    return Array.isArray(told) ? null : `${node.name} answers eth_getLogs with something other than a list`;
  } catch (error) {
    if (error instanceof BackendSilent) return null;
    if (!(error instanceof NodeRefusal)) throw error;
    const saysNothing = isAskedTooMuch(error) || isTooWide(error) || isUnknown(error);
    return saysNothing ? null : `${node.name} refuses eth_getLogs: ${error.message}`;
  }
}
