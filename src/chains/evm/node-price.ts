import { BackendSilent } from '../../ports/silence.ts';
import { listOf, membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { quantityOf } from './json.ts';
import type { EvmNode } from './node.ts';
import { isAskedTooMuch } from './node-refusals.ts';

/** So many of the last blocks show what is paid, by what half of the gas in each paid at most. */
const BLOCKS = '0xa';
const PERCENTILE = 50;

/** Wei for each unit of gas that a node thinks a legacy transaction should pay. @throws BackendSilent */
export async function gasPriceOf(node: EvmNode): Promise<bigint> {
  const told = await unlessRefused(node, { method: 'eth_gasPrice', params: [] });
  if ('refused' in told) throw new BackendSilent(`${node.name} refuses eth_gasPrice: ${told.refused}`);
  return quantityOf(told.answer, 'a price');
}

/**
 * The same above the base fee (`eth_maxPriorityFeePerGas`). Not all nodes have that method: of those that refuse it counts what was paid in the last blocks
 * (`eth_feeHistory`), and if they do not tell that either, by how much their price of gas is above the base fee.
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

/** The middle of what the last blocks with transactions show; null where the node does not tell, or none of them had any. */
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

/** A node with too many requests says nothing about whether it has the method. @throws BackendSilent */
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
