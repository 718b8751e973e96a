import { paymentImmature } from '../../htlc/error-texts.ts';
import { paymentProblem, paymentScript, takenBy } from '../../htlc/payment.ts';
import type { Answer, PaymentQuery, PaymentView } from '../../ports/chain.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { fault, ok } from './answers.ts';
import { madeOf } from './made.ts';
import { type Parts, scriptTerms } from './parts.ts';
import type { ChainIndex, Seen, Tip } from './reader.ts';
import { isReward } from './reward.ts';

/**
 * The state of a payment, found by its script, whichever transaction funds it. Of several, the own one comes first, then one that fulfills the terms,
 * then the deepest.
 */
export async function paymentOf(
  parts: Parts,
  { query, tip }: { readonly query: PaymentQuery; readonly tip: Tip },
): Promise<Answer<PaymentView>> {
  const { reader, coin } = parts;
  const { terms, claimed, funding, own = false, from = 0 } = query;
  const { index } = reader;
  const payment = { terms: scriptTerms(terms), scheme: coin.scheme, value: toBaseUnits(terms.amount, coin.decimals) };
  let script: string;
  try {
    script = bytesToHex(paymentScript(payment));
  } catch (error) {
    return ok(emptyView({ terms, tip, problem: error instanceof Error ? error.message : String(error) }));
  }
  const isWhole = await reader.follow(script, from);
  // By the value first: anyone can send thousands of others to the script.
  const fulfills = (seen: Seen): boolean =>
    seen.tx.outputs[0]?.value === payment.value && problemOf(parts, { named: seen, payment }) === null;
  const paying = (rankOf: (seen: Seen) => number | null): Seen | undefined =>
    best(index.paying(script), (seen) => (seen.height !== null && seen.height < from ? null : rankOf(seen)));
  const found =
    paying((seen) => {
      const rank = (seen.txid === funding ? 2 : 0) + (fulfills(seen) ? 1 : 0);
      // Whoever sends something else to the script must not pass for the payer.
      return own && rank === 0 ? null : rank * (tip.height + 2) + index.depth(seen);
    }) ??
    // But its secret pays, whatever was claimed with it.
    (own ? paying((seen) => (isClaimed(index, { found: seen, script }) ? index.depth(seen) : null)) : undefined);
  // A missing payment may be in a block that is not read yet.
  if (found === undefined && !isWhole) return fault('unknown', 'the blocks that may contain it are still being read');
  // Whoever named a good transaction may since have put another one in its place.
  const named = claimed === undefined ? null : problemOf(parts, { named: madeOf(claimed), payment });
  const problem = named ?? problemOf(parts, { named: found, payment });
  const view = emptyView({ terms, tip, problem });
  if (found === undefined) return ok(view);
  const spend = spendOf(index, { found, script });
  // No valid spend looks like that: whoever passed it on has changed what its id does not cover.
  if (spend === 'unreadable')
    return fault('unknown', `how a transaction takes the payment ${found.txid} cannot be read`);
  return ok({
    ...view,
    funding: { tx: { tx_hex: found.hex, tx_hash: found.txid }, confirmations: index.depth(found) },
    spend,
  });
}

/** The first of those with the highest rank, each of which is worked out once. Null for one that does not count. */
function best(all: readonly Seen[], rankOf: (seen: Seen) => number | null): Seen | undefined {
  let found: Seen | undefined;
  let highest = -1;
  for (const seen of all) {
    const rank = rankOf(seen) ?? -1;
    if (rank <= highest) continue;
    found = seen;
    highest = rank;
  }
  return found;
}

type Named = {
  readonly named: Pick<Seen, 'txid' | 'tx'> | null | undefined;
  readonly payment: Parameters<typeof paymentProblem>[1];
};

function problemOf({ coin, reader: { index } }: Parts, { named, payment }: Named): string | null {
  if (named === undefined) return null;
  if (named === null) return 'Provided payment tx cannot be read';
  const seen = index.get(named.txid);
  // A miner may pay with a reward: whoever pays against it cannot claim it in time.
  const isImmature = isReward(named.tx, coin) && (seen === undefined || index.depth(seen) < coin.maturity);
  return paymentProblem(named.tx, payment) ?? (isImmature ? paymentImmature(coin.maturity) : null);
}

type Stand = { readonly terms: PaymentQuery['terms']; readonly tip: Tip; readonly problem: string | null };

function emptyView({ terms, tip, problem }: Stand): PaymentView {
  const { clock, height } = tip;
  const expiry = { unit: 'seconds', at: terms.lock, now: clock } as const;
  return { funding: null, problem, spend: null, refundable: clock > terms.lock, clock, height, expiry };
}

function isClaimed(index: ChainIndex, at: { readonly found: Seen; readonly script: string }): boolean {
  const spend = spendOf(index, at);
  return spend !== null && spend !== 'unreadable' && spend.how === 'secret';
}

function spendOf(
  index: ChainIndex,
  { found, script }: { readonly found: Seen; readonly script: string },
): PaymentView['spend'] | 'unreadable' {
  const vout = found.tx.outputs.findIndex((output) => bytesToHex(output.script) === script);
  const [taker] = [...index.takers(found.txid, vout)].sort((left, right) => index.depth(right) - index.depth(left));
  if (taker === undefined) return null;
  const taken = takenBy(taker.tx, { txid: found.txid, vout });
  if (taken === undefined || taken.how === 'unknown') return 'unreadable';
  const tx = { tx_hex: taker.hex, tx_hash: taker.txid };
  const secret = taken.how === 'secret' ? bytesToHex(taken.secret) : null;
  return { how: taken.how, tx, confirmations: index.depth(taker), secret };
}
