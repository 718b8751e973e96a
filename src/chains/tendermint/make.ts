import { TIMEOUT_BLOCKS } from '../../htlc/tendermint-lock.ts';
import type { TendermintMessage } from '../../htlc/tendermint-messages.ts';
import type { Answer, PreparedTransaction, SignedTransaction } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { type GasKind, gasAt, gasLimits } from './coin.ts';
import { fundsOf } from './funds.ts';
import type { Parts } from './parts.ts';
import { feeAt, feeText, feeUnits, leastFee, mostFee } from './prices.ts';
import type { TendermintLook } from './reader.ts';
import { type Settled, settledUse } from './standing.ts';
import { doSame, type Made, madeOf, slotOf, takenBy } from './transaction.ts';
import { trialOf } from './trial.ts';

export type Variant = {
  readonly urgency: number;
  readonly replaces: SignedTransaction | null;
  readonly maxFee?: DecimalText;
};

export type Content = {
  readonly messages: readonly TendermintMessage[];
  readonly memo: string;
  readonly kind: GasKind;
  /** Whether it spares reservations for other swaps; claims and refunds do not wait for those. @defaultValue false */
  readonly shares?: boolean;
  /** Whether nothing but its sequence keeps it from being paid twice. @defaultValue false */
  readonly once?: boolean;
  /** Whether nodes may estimate its gas: not if it shows a secret. @defaultValue false */
  readonly tried?: boolean;
  /** No later block may hold it. @defaultValue as many as is usual from now on */
  readonly until?: number;
};

export type Making = {
  readonly look: TendermintLook;
  readonly swap: string;
  readonly variant: Variant;
  readonly content: Content;
};

/** Assigns a sequence and a fee, and signs, unless the account cannot or must not pay. */
export async function make(parts: Parts, making: Making): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const { look, variant, content } = making;
  const replaced = ownEarlier(parts, variant);
  const settled = replaced === null ? null : await settledUse(parts, { made: replaced, look });
  if (replaced !== null && settled !== null) {
    const done = await doneBy(parts, { look, content, replaced, settled });
    if (done !== null) return done;
  }
  const isBeside = replaced !== null && settled === null;
  if (isBeside) account.take(replaced);
  const sequence = isBeside ? replaced.sequence : await account.freeSequence(look);
  const offer = offerWithin(parts, { usual: await gasOf(parts, making), variant });
  if ('least' in offer) return tooDear(parts, { least: offer.least, variant });
  const { gas, fee } = offer;
  const short = await shortage(parts, { ...making, fee, beside: isBeside ? sequence : null });
  if (short !== null) return short;
  const { messages, memo, until = Number.MAX_SAFE_INTEGER } = content;
  const timeout = Math.min(look.head.height + TIMEOUT_BLOCKS, until);
  const made = await account.sign({ messages, memo, sequence, timeout, gas, fee }, look);
  if (content.shares === true && !isBeside) {
    const denoms = [parts.coin.denom, account.network.fees.denom];
    account.holds.take(making.swap, made.id, new Map(denoms.map((denom) => [denom, takenBy(made, denom)])));
  }
  return ok(preparedOf(parts, made, fee));
}

function preparedOf({ account }: Parts, made: Made, fee: bigint): PreparedTransaction {
  return { tx_hex: made.hex, tx_hash: made.id, spends: [slotOf(made)], fee: feeText(account.network, fee) };
}

function ownEarlier({ account }: Parts, { replaces }: Variant): Made | null {
  const made = replaces === null ? null : madeOf(replaces.tx_hex);
  return made?.from === account.account ? made : null;
}

type Doing = {
  readonly look: TendermintLook;
  readonly content: Content;
  readonly replaced: Made;
  readonly settled: Settled;
};

/**
 * Why nothing is to take the place of an earlier variant that can be included no more: what is in a block instead does the same, with its effect; or,
 * of what nothing but its sequence keeps from being paid twice, nobody tells any more what used that. Null where it may stand alone.
 */
async function doneBy({ account }: Parts, { look, content, replaced, settled }: Doing): Promise<Answer<never> | null> {
  const id = settled.id ?? replaced.id;
  const included = await look.included(id);
  const made = included === null ? null : (account.prepared.get(id) ?? madeOf(included.hex));
  if (included?.code === 0 && made !== null && doSame(made, content))
    return fault('nonceUsed', `${id} is in a block and has the same effect`);
  // The module knows by its id whether a payment was made; a fee has no such id.
  if (content.once !== true || !settled.isUsed || included !== null) return null;
  const { sequence } = replaced;
  return fault('nonceUsed', `no node reports which transaction used sequence ${sequence}; it may have been this one`);
}

/** Gas at urgency 0: a node's estimate plus a third, else the usual limit. */
async function gasOf(parts: Parts, { look, content }: Making): Promise<bigint> {
  const { account } = parts;
  const limit = gasLimits(account.network)[content.kind];
  const told = content.tried === true ? await trialOf(parts, { look, content }) : null;
  if (told === null) return limit;
  const wanted = (told * 4n) / 3n;
  // No estimate makes a transaction cost more than four times the usual.
  const gas = wanted > limit * 4n ? limit * 4n : wanted;
  const known = account.learned.get(content.kind) ?? limit;
  if (gas > known) account.learned.set(content.kind, gas);
  return gas;
}

type Pricing = { readonly usual: bigint; readonly variant: Variant };
type Offer = { readonly gas: bigint; readonly fee: bigint };

/** Gas and fee by urgency, or by as much of it as the bound lets; where it lets none, the least that would do. */
function offerWithin({ account: { network } }: Parts, { usual, variant }: Pricing): Offer | { readonly least: bigint } {
  const bound = variant.maxFee === undefined ? null : feeUnits(network, variant.maxFee);
  for (let urgency = variant.urgency; urgency >= 0; urgency -= 1) {
    const gas = gasAt(usual, urgency);
    const most = mostFee(network, gas);
    const cap = bound === null || bound > most ? most : bound;
    const wanted = feeAt(network, { gas, urgency: variant.urgency });
    if (cap >= leastFee(network, gas)) return { gas, fee: wanted > cap ? cap : wanted };
  }
  return { least: leastFee(network, usual) };
}

function tooDear({ account }: Parts, { least, variant }: { readonly least: bigint; readonly variant: Variant }) {
  const leastFee = feeText(account.network, least);
  const bound = variant.maxFee ?? 'the ceiling of the chain';
  return fault('feeTooLow', `no fee within ${bound} suffices; the minimum is ${leastFee}`, { leastFee });
}

type Costing = Making & { readonly fee: bigint; readonly beside: number | null };

/** Why the account does not pay it; null if it does. */
async function shortage(parts: Parts, { look, swap, content, fee, beside }: Costing): Promise<Answer<never> | null> {
  const { coin, account } = parts;
  const { fees } = account.network;
  const spent = content.messages.flatMap((message) =>
    message.kind === 'send' || message.kind === 'create' ? message.coins : [],
  );
  const costOf = (denom: string) =>
    spent.reduce((sum, one) => sum + (one.denom === denom ? one.amount : 0n), denom === fees.denom ? fee : 0n);
  for (const [denom, decimals, ticker] of [
    [fees.denom, fees.decimals, fees.coin],
    [coin.denom, coin.decimals, coin.coin],
  ] as const) {
    const need = costOf(denom);
    const { unlocked, free } = await fundsOf(parts, { look, denom, ...(beside === null ? {} : { beside }) });
    if (free < need) {
      const text = `not enough ${ticker}: ${fromBaseUnits(free, decimals)} of ${fromBaseUnits(need, decimals)} are free`;
      return fault(unlocked >= need ? 'coinsPromised' : 'insufficientFunds', text);
    }
    if (content.shares === true && beside === null && free - need < account.holds.of(denom, swap))
      return fault('coinsPromised', `the rest of ${ticker} is held for other swaps`);
  }
  return null;
}
