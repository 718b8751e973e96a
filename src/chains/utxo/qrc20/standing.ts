import type { Answer, TransactionView } from '../../../ports/chain.ts';
import { ok } from '../answers.ts';
import { transactionOf } from '../standing.ts';
import { mainCall } from './calls.ts';
import { receiptsOf } from './events.ts';
import type { Look, TokenParts } from './parts.ts';

/**
 * Where one transaction stands. One that a block holds and whose call failed had no effect, also where an approval before it had.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export async function standingOf(
  parts: TokenParts,
  { id, look }: { readonly id: string; readonly look: Look },
): Promise<Answer<TransactionView>> {
  const answer = await transactionOf(parts.chain, id);
  const seen = parts.chain.reader.index.get(id);
  if (!answer.ok || answer.value.status !== 'confirmed' || seen === undefined) return answer;
  const vout = mainCall(seen.tx);
  if (vout === undefined) return answer;
  const receipt = (await receiptsOf(look, seen)).find((one) => one.vout === vout);
  // A transaction that calls and of which no receipt is told did nothing that anybody could see.
  const isDone = receipt !== undefined && receipt.excepted === null;
  return isDone ? answer : ok({ ...answer.value, status: 'reverted' });
}
