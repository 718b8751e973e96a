import {
  balanceCheckFailed,
  currentBlockUnknown,
  notEnough,
  transportError,
  volumeTooLow,
} from '../../htlc/error-texts.ts';
import { dexFeeTotal } from '../../htlc/locked-amount.ts';
import type { Quote } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { append, lastFault, lookQuote, type Proposal, type Turn, wakeAt } from '../turn.ts';

/** The checks before the start: both chains answer, and the balance suffices for the payment and its fees. */
export function start(turn: Turn): Proposal {
  const { swap, journal, policy, events } = turn;
  const { request } = journal;
  if (request === null) return null;
  const giveUpAt = swap.lastEventAt + policy.startWithin * 1000;
  const own = lookQuote(turn, swap.own);
  const other = lookQuote(turn, swap.other);
  if ('value' in own) {
    const short = shortage(turn, own.value);
    if (short !== null) return append({ type: 'StartFailed', data: { error: balanceCheckFailed(swap.role, short) } });
  }
  if ('value' in own && 'value' in other) {
    const quotes =
      swap.own === 'maker' ? { maker: own.value, taker: other.value } : { taker: own.value, maker: other.value };
    return append(events.started(quotes, turn.now));
  }
  if (turn.now > giveUpAt) {
    const coin = 'value' in own ? swap.other : swap.own;
    const fault = lastFault(turn, coin, 'quote')?.message ?? 'no answer';
    return append({ type: 'StartFailed', data: { error: currentBlockUnknown(coin, transportError(fault)) } });
  }
  wakeAt(turn, giveUpAt + 1);
  return 'pending' in own && own.pending !== null ? own.pending : 'pending' in other ? other.pending : null;
}

/** Why the balance does not do; null when it does. A taker needs the payment, the trading fee and the fees of both. */
function shortage({ swap, journal, traits, events }: Turn, quote: Quote): string | null {
  const { request } = journal;
  if (request === null) return null;
  const { coin, decimals, minTxAmount } = traits[swap.own];
  const volume = swap.role === 'taker' ? request.taker_amount : request.maker_amount;
  const sat = (amount: DecimalText) => toBaseUnits(amount, decimals);
  if (sat(volume) < minTxAmount) return volumeTooLow(coin, volume, { minimum: fromBaseUnits(minTxAmount, decimals) });
  let required = sat(volume) + sat(quote.paymentFee);
  if (swap.role === 'taker') {
    const fee = events.feeBefore();
    if (fee.kind !== 'none') required += sat(dexFeeTotal(fee, decimals)) + sat(quote.dexFeeFee);
  }
  if (sat(quote.spendable) >= required) return null;
  const locked = '0' as DecimalText;
  return notEnough({ coin, available: quote.spendable, required: fromBaseUnits(required, decimals), locked });
}
