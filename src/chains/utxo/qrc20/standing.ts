import type { Answer, TransactionView } from '../../../ports/chain.ts';
import { ok } from '../answers.ts';
import { transactionOf } from '../standing.ts';
import { mainCall } from './calls.ts';
import { receiptAt } from './events.ts';
import type { Look, TokenParts } from './parts.ts';

/**
 * Where one transaction stands. A confirmed one whose call failed had no effect, even if an approval before it had one.
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
  const { excepted } = await receiptAt(look, { ...seen, vout });
  return excepted === null ? answer : ok({ ...answer.value, status: 'reverted' });
}
