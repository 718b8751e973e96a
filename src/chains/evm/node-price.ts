import { BackendSilent } from '../../ports/silence.ts';
import { listOf, membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { quantityOf } from './json.ts';
import type { EvmNode } from './node.ts';
import { isAskedTooMuch } from './node-refusals.ts';

/** How many of the last blocks show the paid price, each by the most that half of its gas paid. */
const BLOCKS = '0xa';
const PERCENTILE = 50;

/** Wei for each unit of gas that a node thinks a legacy transaction should pay. @throws BackendSilent */
export async function gasPriceOf(node: EvmNode): Promise<bigint> {
  const told = await unlessRefused(node, { method: 'eth_gasPrice', params: [] });
  if ('refused' in told) throw new BackendSilent(`${node.name} refuses eth_gasPrice: ${told.refused}`);
  return quantityOf(told.answer, 'a price');
}

/**
 * The same above the base fee (`eth_maxPriorityFeePerGas`). Not all nodes have that method: for those that refuse it, what the last blocks paid counts
 * (`eth_feeHistory`), and if they do not report that either, the difference of their gas price to the base fee.
 *
 * @throws BackendSilent
 */
export async function tipOf(node: EvmNode, baseFee: bigint | null): Promise<bigint> {
  const told = await unlessRefused(node, { method: 'eth_maxPriorityFeePerGas', params: [] });
  if ('answer' in told) return quantityOf(told.answer, 'a price');
  const paid = await paidLately(node);
  if (paid !== null) return paid;
  const above = (await gasPriceOf(node)) - (baseFee ?? 0n);
  return above > 0n ? above : 0n;
}

/** The median of what the last blocks with transactions show; null if the node does not say, or none of them had any. */
async function paidLately(node: EvmNode): Promise<bigint | null> {
  const told = await unlessRefused(node, { method: 'eth_feeHistory', params: [BLOCKS, 'latest', [PERCENTILE]] });
  if ('refused' in told) return null;
  try {
    const { reward, gasUsedRatio } = membersOf(told.answer, 'a history of fees');
    const used = listOf(gasUsedRatio, 'how full blocks were').map((ratio) => Number(ratio) > 0);
    const paid = listOf(reward, 'what blocks were paid')
      .filter((_, place) => used[place] === true)
      .map((one) => quantityOf(listOf(one, 'what a block was paid')[0], 'a price'))
      .sort((left, right) => (left < right ? -1 : 1));
    return paid[paid.length >> 1] ?? null;
  } catch (error) {
    if (error instanceof BackendSilent) return null;
    throw error;
  }
}

type Asking = { readonly method: string; readonly params: readonly unknown[] };

/** A node with too many requests does not say whether it has the method. @throws BackendSilent */
async function unlessRefused(
  node: EvmNode,
  { method, params }: Asking,
): Promise<{ readonly answer: unknown } | { readonly refused: string }> {
  try {
    return { answer: await node.request(method, params) };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    if (isAskedTooMuch(error)) throw new BackendSilent(`${node.name} refuses ${method}: ${error.message}`);
    return { refused: error.message };
  }
}
