import { parseHtlcInput } from '../../htlc/htlc-input.ts';
import { paymentScript } from '../../htlc/payment.ts';
import type { Answer, TransactionView } from '../../ports/chain.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { fault, ok } from './answers.ts';
import type { UtxoCoin } from './coin.ts';
import type { Made } from './made.ts';
import type { Parts } from './parts.ts';

/** Where one transaction stands. */
export async function transactionOf(
  { reader, purse, birth, coin }: Parts,
  hash: string,
): Promise<Answer<TransactionView>> {
  const { index } = reader;
  const view = (): TransactionView | null => {
    const seen = index.get(hash);
    if (seen === undefined) return null;
    const confirmations = index.depth(seen);
    return { status: confirmations === 0 ? 'mempool' : 'confirmed', confirmations, tx_hex: seen.hex };
  };
  let isWhole = await reader.find(hash, birth);
  const found = view();
  if (found !== null) return ok(found);
  const made = purse.prepared.get(hash);
  // What takes its place is seen by the scripts of what it takes.
  for (const script of made === undefined ? [] : [...purse.scripts, ...takenScripts(made, coin)]) {
    isWhole = (await reader.follow(script, birth)) && isWhole;
  }
  const confirmations = made === undefined ? 0 : purse.conflictDepth(made);
  const late = view();
  if (late !== null) return ok(late);
  if (confirmations > 0) return ok({ status: 'conflicted', confirmations });
  if (!isWhole) return fault('unknown', 'the blocks that may contain it are still being read');
  return ok({ status: 'unknown', confirmations: 0 });
}

/** Scripts of the payments that a transaction takes, in hex. */
function takenScripts({ tx }: Made, { scheme }: UtxoCoin): readonly string[] {
  return tx.inputs.flatMap((input) => {
    const terms = parseHtlcInput(input)?.terms;
    return terms === undefined ? [] : [bytesToHex(paymentScript({ terms, scheme }))];
  });
}
