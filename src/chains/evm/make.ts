import { approvalCall } from '../../htlc/token-calls.ts';
import type { Answer, PreparedTransaction, SignedTransaction } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { fault, ok } from '../accounts/answers.ts';
import { lastByApproval } from './approvals.ts';
import { gasLimits } from './coin.ts';
import { depthOf } from './depth.ts';
import { approvalsFor, fundsOf } from './funds.ts';
import { heldWei } from './held-wei.ts';
import { useOf } from './nonce-use.ts';
import { type Parts, WEI_DIGITS, weiText } from './parts.ts';
import { type DayPrices, dayPrices, dearerOf, leastPrice, priceAt, replacementOf, within } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { type Made, madeOf, type Price, slotOf } from './transaction.ts';

export type Variant = {
  readonly urgency: number;
  readonly replaces: SignedTransaction | null;
  readonly maxFee?: DecimalText;
};

export type Content = {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly gas: bigint;
  /** Of the coin, in base units. */
  readonly amount: bigint;
  /** The contract that takes tokens by an approval. @defaultValue null */
  readonly spender?: string | null;
  /** Whether it spares reservations for other swaps; claims and refunds do not wait for those. @defaultValue false */
  readonly shares?: boolean;
  /** Whether only its nonce keeps it from being paid twice. @defaultValue false */
  readonly once?: boolean;
  /** Gas that the account must keep for its refund. @defaultValue 0: it is not a payment */
  readonly refundGas?: bigint;
};

/** What to make, apart from what the account adds. */
export type Plan = { readonly variant: Variant; readonly content: Content };

type Making = Plan & { readonly look: EvmLook; readonly swap: string };

/** Its nonces, and the amounts that are approved before it, in the order of the first of them. */
type Place = {
  readonly nonces: readonly number[];
  readonly approvals: readonly bigint[];
  /** The earlier transactions with these nonces; only one of each can be included. */
  readonly rivals: readonly Made[];
  /** Approvals that were signed before it and must be included first. */
  readonly carried: readonly Made[];
};

/**
 * Assigns its nonces and its price, and signs it, unless the account cannot or must not pay for it. One at a time for each account: two must not take
 * the same.
 */
export async function make(parts: Parts, making: Making): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const { look, variant, content } = making;
  const settled = await settledBy(parts, making);
  if (settled !== null) return settled;
  const day = await dayPrices(account.prices, look);
  const place = await placeOf(parts, making);
  const gas = content.gas + BigInt(place.approvals.length) * gasLimits(parts.coin).approval;
  const price = priceOf(parts, { day, variant, gas, rivals: place.rivals });
  if ('least' in price) return tooDear(price.least * gas, variant);
  const wei = content.value + gas * price.most;
  const refundFee = (content.refundGas ?? 0n) * price.most;
  const short = await shortage(parts, { ...making, place, wei: wei + refundFee, day });
  if (short !== null) return short;
  const made = await signAll(parts, { ...making, place, price, day });
  if (content.shares === true && place.rivals.length === 0) {
    const token = parts.coin.token?.address ?? null;
    account.holds.take(making.swap, made.id, { wei, token, tokens: token === null ? 0n : content.amount });
  }
  const prepared = { tx_hex: made.hex, tx_hash: made.id, spends: [slotOf(made)], fee: weiText(gas * price.most) };
  return ok(content.refundGas === undefined ? prepared : { ...prepared, refundFee: weiText(refundFee) });
}

/**
 * Why nothing may replace an earlier variant whose nonce is used: the transaction that used it does the same, and has its effect; or, for a transaction
 * that only its nonce keeps from being paid twice, it is not permanently certain that something else used it. Null if it may be made alone.
 */
async function settledBy(parts: Parts, { look, variant, content }: Making): Promise<Answer<never> | null> {
  const { account, coin } = parts;
  const replaced = variant.replaces === null ? null : madeOf(variant.replaces.tx_hex);
  if (replaced === null || replaced.from !== account.address) return null;
  const use = await useOf(look, { made: replaced, others: account.prepared.withNonceOf(replaced) });
  if (use === null) return null;
  const hex = use.id === null ? null : (await look.transaction(use.id))?.hex;
  const made = account.prepared.get(use.id ?? '') ?? (typeof hex === 'string' ? madeOf(hex) : null);
  const isSame = made !== null && made.to === content.to && made.value === content.value && made.data === content.data;
  const receipt = isSame ? await look.receipt(made.id) : null;
  if (isSame && receipt?.succeeded !== false)
    return fault('nonceUsed', `${made.id} is in a block and has the same effect`);
  // The contract pays out once for a swap, and accepts one payment; a fee has no such protection.
  const depth = made === null || content.once !== true ? 0 : await depthOf(look, use.block, parts);
  if (content.once === true && depth < coin.finality)
    return fault('nonceUsed', `it is not final which transaction used nonce ${replaced.nonce}`);
  return null;
}

/** The nonce of an earlier variant if no block has used it; else new ones. */
async function placeOf({ coin, account }: Parts, { look, variant, content }: Making): Promise<Place> {
  const replaced = variant.replaces === null ? null : madeOf(variant.replaces.tx_hex);
  const { token } = coin;
  const { spender = null, amount } = content;
  const used = await look.used(account.address);
  if (replaced !== null && replaced.from === account.address && replaced.nonce >= used) {
    account.take(replaced);
    const before = account.approvalsOf(replaced).filter(({ nonce }) => nonce >= used);
    // What must go out before it is raised with it; what replaces it for good needs none of it, and still waits for it.
    const again = spender === null ? [] : before;
    const nonces = [...again.map(({ nonce }) => nonce), replaced.nonce];
    const rivals = nonces.flatMap((nonce) => account.holders(nonce));
    return { nonces, approvals: again.map(amountApproved), rivals, carried: spender === null ? before : [] };
  }
  if (token === undefined || spender === null)
    return { nonces: await account.freeNonces(look, 1), approvals: [], rivals: [], carried: [] };
  const approvals = await approvalsFor({ account }, { look, token: token.address, spender, amount });
  // Whatever has the same approval before it in this list must also be included before it.
  const above = lastByApproval({ waiting: account.waiting(used), token: token.address, spender });
  const nonces = await account.freeNonces(look, approvals.length + 1, { above });
  return { nonces, approvals, rivals: [], carried: [] };
}

function amountApproved({ data }: Made): bigint {
  return BigInt(`0x${data.slice(-64)}`);
}

type Pricing = {
  readonly day: DayPrices;
  readonly variant: Variant;
  readonly gas: bigint;
  readonly rivals: readonly Made[];
};

/** The price by urgency, and above that of every rival; or the least sufficient one, if the bound or the ceiling is below it. */
function priceOf({ account }: Parts, { day, variant, gas, rivals }: Pricing): Price | { readonly least: bigint } {
  const { prices } = account;
  const least = rivals.reduce(
    (dearest, rival) => dearerOf(dearest, replacementOf(rival.price)),
    leastPrice(prices, day),
  );
  const bound = variant.maxFee === undefined ? null : toBaseUnits(variant.maxFee, WEI_DIGITS) / gas;
  const cap = bound === null || bound > day.ceiling ? day.ceiling : bound;
  if (least.most > cap) return { least: least.most };
  const price = within(dearerOf(priceAt({ day, urgency: variant.urgency }), least), cap);
  // A legacy transaction pays its whole price as a tip.
  return day.legacy ? { most: price.most, tip: price.most } : price;
}

function tooDear(least: bigint, { maxFee }: Variant): Answer<never> {
  const leastFee = weiText(least);
  const bound = maxFee === undefined ? 'the ceiling of the chain' : maxFee;
  return fault('feeTooLow', `no fee within ${bound} suffices; the minimum is ${leastFee}`, { leastFee });
}

/** `wei`: with what must be left for a refund. */
type Costing = Making & { readonly place: Place; readonly wei: bigint; readonly day: DayPrices };

/** Why the account does not pay for it; null if it does. */
async function shortage(
  parts: Parts,
  { look, swap, content, place, wei, day }: Costing,
): Promise<Answer<never> | null> {
  const { coin, account } = parts;
  const isNew = place.rivals.length === 0;
  // The contract of a token that moves nothing is not asked.
  const token = content.amount === 0n ? undefined : coin.token;
  const funds = await fundsOf(
    { coin: token === undefined ? {} : { ...coin, token }, account },
    { look, beside: isNew ? [] : place.nonces },
  );
  const own = funds.tokens ?? funds.wei;
  const cost = funds.tokens === null ? wei : content.amount;
  for (const [{ all, free }, need, digits] of [
    [funds.wei, wei, WEI_DIGITS],
    [own, cost, coin.decimals],
  ] as const) {
    if (free >= need) continue;
    const text = `not enough: ${fromBaseUnits(free, digits)} of ${fromBaseUnits(need, digits)} are free`;
    return fault(all >= need ? 'coinsPromised' : 'insufficientFunds', text);
  }
  if (content.shares !== true || !isNew) return null;
  const others = { except: swap };
  const name =
    funds.wei.free - wei < (await heldWei(parts, { look, day, except: swap }))
      ? (coin.token?.platform ?? coin.coin)
      : token !== undefined && own.free - cost < account.holds.tokens(token.address, others)
        ? coin.coin
        : null;
  return name === null ? null : fault('coinsPromised', `the rest of ${name} is held for other swaps`);
}

type Signing = Making & { readonly place: Place; readonly price: Price; readonly day: DayPrices };

async function signAll({ coin, account }: Parts, { content, place, price, day }: Signing): Promise<Made> {
  const approvals: Made[] = [];
  try {
    for (const [index, amount] of place.approvals.entries()) {
      const nonce = place.nonces[index] as number;
      const data = approvalCall(content.spender ?? '', amount);
      const call = { to: coin.token?.address ?? '', value: 0n, data, gas: gasLimits(coin).approval };
      approvals.push(await account.sign({ ...call, nonce, price }, day));
    }
    const { to, value, data, gas } = content;
    const nonce = place.nonces.at(-1) as number;
    const made = await account.sign({ to, value, data, gas, nonce, price }, day);
    account.approve(made, [...place.carried, ...approvals]);
    return made;
  } catch (error) {
    // A signer that stops half-way must not keep nonces forever.
    for (const made of approvals) account.giveBack(made);
    throw error;
  }
}
