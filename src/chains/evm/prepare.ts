import { encodeSwapCall, NO_TOKEN } from '../../htlc/evm-calls.ts';
import { SECRET_BYTES, secretHashMatches } from '../../htlc/secret-hash.ts';
import type { Answer, PreparedTransaction, PrepareRequest, SignedTransaction } from '../../ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import { fault, ok } from './answers.ts';
import { BARE_TRANSFER, gasAt, gasLimits, MOST_GAS_STEPS } from './coin.ts';
import { approval, STATE, storedUnder, tokenTransfer } from './contract-calls.ts';
import { feeAccountOf } from './fee-check.ts';
import { approvalsFor, fundsOf } from './funds.ts';
import { transferGas } from './gas.ts';
import { useOf } from './nonce-use.ts';
import { type Parts, WEI_DIGITS, weiText } from './parts.ts';
import { type DayPrices, dayPrices, dearerOf, leastPrice, priceAt, replacementOf, within } from './prices.ts';
import { type Call, CallReverted, type Look } from './reader.ts';
import { type Rewarded, rewardedBy, rewardedEnd } from './rewards.ts';
import { isWord, type Named, namedOf, storedProblem } from './terms.ts';
import { type Made, madeOf, type Price, slotOf } from './transaction.ts';

type Asked<R = PrepareRequest> = { readonly request: R; readonly swap: string; readonly look: Look };
type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

const INVALID_TERMS = fault('invalid', 'these terms cannot be written as a call of the swap contract');
const NO_WATCHERS = fault('unsupported', 'a plain call of the swap contract is for the parties alone');
const WOULD_REVERT = fault(
  'unavailable',
  'the swap contract refuses this claim now, which would show the secret for nothing',
);
const NO_CHILDREN = fault('unsupported', 'a transaction of an account has no children');

/** Makes and signs what is asked for; nothing is sent. One at a time for each account: what one takes, the next one must not. */
export async function prepare(parts: Parts, asked: Asked): Promise<Answer<PreparedTransaction>> {
  const { request } = asked;
  switch (request.purpose) {
    case 'fee':
      return prepareFee(parts, { ...asked, request });
    case 'payment':
      return preparePayment(parts, { ...asked, request });
    case 'claim':
    case 'refund':
      return prepareEnd(parts, { ...asked, request });
    case 'void':
      return prepareVoid(parts, { ...asked, request });
    case 'child':
      return NO_CHILDREN;
    default:
      return NO_WATCHERS;
  }
}

async function prepareFee(parts: Parts, { request, ...asked }: Asked<Of<'fee'>>): Promise<Answer<PreparedTransaction>> {
  const { feeSat, burnSat } = request;
  if (burnSat > 0n) return fault('unsupported', 'nothing can be burned on this chain');
  const { coin } = parts;
  if (!isWord(feeSat)) return fault('invalid', 'no account has that much');
  const to = feeAccountOf(coin);
  const gas = gasAt(await feeGas(parts, asked.look), request.urgency);
  const call =
    coin.token === undefined
      ? { to, value: feeSat, data: '' }
      : { to: coin.token.address, value: 0n, data: tokenTransfer(to, feeSat) };
  return make(parts, {
    ...asked,
    variant: request,
    content: { ...call, gas, amount: feeSat, shares: true, once: true },
  });
}

/** Gas of a trading fee without any urgency. */
export async function feeGas({ coin, account }: Pick<Parts, 'coin' | 'account'>, look: Look): Promise<bigint> {
  const least = gasLimits(coin).transfer;
  if (coin.token !== undefined) return least;
  const intent = { from: account.address, to: feeAccountOf(coin), value: 0n, data: '' };
  return transferGas(look, { intent, least });
}

async function preparePayment(
  parts: Parts,
  { request, ...asked }: Asked<Of<'payment'>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  if (named.sender !== account.address) return fault('invalid', 'the sender is somebody else');
  if (named.amount === 0n) return fault('invalid', 'nothing is paid');
  if (request.replaces === null && (await isTakenByOther(asked.look, named)))
    return fault('invalid', 'another payment has the id of this swap');
  const { id: swapId, amount, token, receiver: party, secretHash, contract: to } = named;
  const lockTime = BigInt(named.lock);
  const data = encodeSwapCall({ kind: 'payment', swapId, amount, token, party, secretHash, lockTime });
  const value = token === NO_TOKEN ? amount : 0n;
  const gas = gasAt(gasLimits(coin).payment, request.urgency);
  const spender = token === NO_TOKEN ? null : to;
  const content = { to, value, data, gas, amount, spender, shares: true };
  return make(parts, { ...asked, variant: request, content });
}

/** Whoever knows the terms can pay under the id of a swap before its payer does. */
async function isTakenByOther(look: Look, named: Named): Promise<boolean> {
  const stored = await storedUnder(look, named);
  return stored.state !== STATE.none && storedProblem(stored, named) !== null;
}

async function prepareEnd(
  parts: Parts,
  { request, ...asked }: Asked<Of<'claim' | 'refund'>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, account } = parts;
  const named = namedOf(request.terms, coin);
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claim';
  if ((claims ? named.receiver : named.sender) !== account.address)
    return fault('invalid', `the ${claims ? 'receiver' : 'sender'} is somebody else`);
  if (claims && !opens(request.secret, named)) return fault('invalid', 'the secret is none of 32 bytes with this hash');
  const limits = gasLimits(coin);
  const rewarded = await rewardedFor(parts, { named, look: asked.look, funding: request.funding.tx_hex });
  const secret = claims ? request.secret : null;
  const data = rewarded === null ? plainEnd(named, secret) : rewardedEnd(rewarded, secret);
  const to = named.contract;
  const limit = (claims ? limits.claim : limits.refund) + (rewarded === null ? 0n : MORE_FOR_REWARD);
  const isFirst = claims && request.replaces === null && request.doubtful !== true;
  const gas = isFirst
    ? await gasOfTrial(asked.look, { call: { from: account.address, to, data }, limit, urgency: request.urgency })
    : gasAt(limit, request.urgency);
  if (gas === null) return WOULD_REVERT;
  return make(parts, { ...asked, variant: request, content: { to, value: 0n, data, gas, amount: 0n } });
}

/** Beyond what a plain end of a payment may use: a longer call, and another transfer. */
const MORE_FOR_REWARD = 50_000n;

type Ending = { readonly named: Named; readonly look: Look; readonly funding: string };

/** The reward of the payment that is to be ended, by the transaction that made it; null where it is a plain one, or not there. */
async function rewardedFor({ events, birth }: Parts, { named, look, funding }: Ending): Promise<Rewarded | null> {
  const stored = await storedUnder(look, named);
  if (stored.state === STATE.none || storedProblem(stored, named) === null) return null;
  const shown = rewardedBy(madeOf(funding), { named, stored });
  if (shown !== null) return shown;
  const paid = await events.find(look, { contract: named.contract, id: named.id, kind: 'paid', from: birth });
  const known = paid === null || paid === 'unread' ? null : await look.transaction(paid.transaction);
  return rewardedBy(madeOf(known?.hex ?? ''), { named, stored });
}

type Trial = { readonly call: Call; readonly limit: bigint; readonly urgency: number };

/**
 * Gas with which a claim has its effect, by a call that changes nothing: what urgency gives, or more within what the most urgent one has. Null where
 * the contract refuses it: it would show the secret for nothing. @throws BackendSilent
 */
async function gasOfTrial(look: Look, { call, limit, urgency }: Trial): Promise<bigint | null> {
  for (let step = urgency; step <= Math.max(urgency, MOST_GAS_STEPS); step += 1) {
    const gas = gasAt(limit, step);
    if (await isTaken(look, { ...call, gas })) return gas;
    if (step === urgency && !(await isTaken(look, call))) return null;
  }
  return null;
}

async function isTaken(look: Look, call: Call): Promise<boolean> {
  try {
    await look.call(call);
    return true;
  } catch (error) {
    if (error instanceof CallReverted) return false;
    throw error;
  }
}

function opens(secret: string, { secretHash }: Named): boolean {
  if (secret.length !== 2 * SECRET_BYTES || !isHex(secret)) return false;
  return secretHashMatches(hexToBytes(secret), hexToBytes(secretHash));
}

/** A claim with the secret; without one, a refund. */
function plainEnd({ id, amount, token, sender, receiver, secretHash }: Named, secret: string | null): string {
  const common = { swapId: id, amount, token };
  return secret === null
    ? encodeSwapCall({ kind: 'refund', ...common, party: receiver, secretHash })
    : encodeSwapCall({ kind: 'claim', ...common, party: sender, secret: secret.toLowerCase() });
}

async function prepareVoid(
  parts: Parts,
  { request, ...asked }: Asked<Of<'void'>>,
): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const target = madeOf(request.target.tx_hex);
  if (target === null || target.from !== account.address) return fault('invalid', 'the target is none of this account');
  if (target.nonce < (await asked.look.used(account.address)))
    return fault('nonceUsed', `nonce ${target.nonce} is used`);
  account.take(target);
  const bare = { to: account.address, value: 0n, data: '' };
  const intent = { from: account.address, ...bare };
  const gas = await transferGas(asked.look, { intent, least: BARE_TRANSFER });
  const content = { ...bare, gas, amount: 0n };
  return make(parts, { ...asked, variant: { ...request, replaces: request.target }, content });
}

type Variant = {
  readonly urgency: number;
  readonly replaces: SignedTransaction | null;
  readonly maxFee?: DecimalText;
};

type Content = {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly gas: bigint;
  /** Of the coin, in base units. */
  readonly amount: bigint;
  /** The contract that takes tokens by an approval. @defaultValue null */
  readonly spender?: string | null;
  /** Whether it leaves what is held for other swaps; what brings coins home waits for nobody. @defaultValue false */
  readonly shares?: boolean;
  /** Whether nothing but its nonce keeps it from being paid twice. @defaultValue false */
  readonly once?: boolean;
};

type Making = {
  readonly look: Look;
  readonly swap: string;
  readonly variant: Variant;
  readonly content: Content;
};

/** The nonces that it takes, and the amounts that are approved before it, in the order of the first of them. */
type Place = {
  readonly nonces: readonly number[];
  readonly approvals: readonly bigint[];
  /** What had these nonces, of which only one can be included. */
  readonly rivals: readonly Made[];
  /** Approvals that were signed before it and have to be included first. */
  readonly carried: readonly Made[];
};

async function make(parts: Parts, making: Making): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const { look, variant, content } = making;
  const settled = await settledBy(parts, making);
  if (settled !== null) return settled;
  const day = await dayPrices(account.prices, look);
  const place = await placeOf(parts, making);
  const gas = content.gas + BigInt(place.approvals.length) * gasLimits(parts.coin).approval;
  const price = priceOf(parts, { day, variant, gas, rivals: place.rivals });
  if ('least' in price) return tooDear(price.least * gas, variant);
  const short = await shortage(parts, { ...making, place, wei: content.value + gas * price.most });
  if (short !== null) return short;
  const made = await signAll(parts, { ...making, place, price, day });
  const fee = weiText(gas * price.most);
  return ok({ tx_hex: made.hex, tx_hash: made.id, spends: [slotOf(made)], fee });
}

/**
 * Why nothing is to take the place of an earlier variant whose nonce is used: what used it does the same, and has its effect; or, of what nothing
 * but that nonce keeps from being paid twice, it is not certain for good that something else did. Null where it may stand alone.
 */
async function settledBy({ account, coin }: Parts, { look, variant, content }: Making): Promise<Answer<never> | null> {
  const replaced = variant.replaces === null ? null : madeOf(variant.replaces.tx_hex);
  if (replaced === null || replaced.from !== account.address) return null;
  const use = await useOf(look, { made: replaced, others: account.prepared.values() });
  if (use === null) return null;
  const hex = use.id === null ? null : (await look.transaction(use.id))?.hex;
  const made = account.prepared.get(use.id ?? '') ?? (typeof hex === 'string' ? madeOf(hex) : null);
  const isSame = made !== null && made.to === content.to && made.value === content.value && made.data === content.data;
  const receipt = isSame ? await look.receipt(made.id) : null;
  if (isSame && receipt?.succeeded !== false) return fault('nonceUsed', `${made.id} is in a block and does the same`);
  // The contract pays out once for a swap, and takes one payment; a fee has nothing of the kind.
  const depth = made === null ? 0 : use.depth;
  if (content.once === true && depth < coin.finality)
    return fault('nonceUsed', `what used nonce ${replaced.nonce} is not known for good`);
  return null;
}

/** Where an earlier variant has a nonce that no block has used, that one; else new ones. */
async function placeOf({ coin, account }: Parts, { look, variant, content }: Making): Promise<Place> {
  const replaced = variant.replaces === null ? null : madeOf(variant.replaces.tx_hex);
  const { token } = coin;
  const { spender = null, amount } = content;
  const used = await look.used(account.address);
  if (replaced !== null && replaced.from === account.address && replaced.nonce >= used) {
    account.take(replaced);
    const before = account.approvalsOf(replaced).filter(({ nonce }) => nonce >= used);
    // What has to go out before it is made dearer with it; what takes its place for good needs none of it, and waits for it all the same.
    const again = spender === null ? [] : before;
    const nonces = [...again.map(({ nonce }) => nonce), replaced.nonce];
    const rivals = nonces.flatMap((nonce) => account.holders(nonce));
    return { nonces, approvals: again.map(amountApproved), rivals, carried: spender === null ? before : [] };
  }
  const approvals =
    token === undefined || spender === null
      ? []
      : await approvalsFor({ account }, { look, token: token.address, spender, amount });
  const nonces = await account.freeNonces(look, approvals.length + 1);
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

/** The price by urgency, and above that of every rival; or the least that would do, where the bound or the ceiling is below it. */
function priceOf({ account }: Parts, { day, variant, gas, rivals }: Pricing): Price | { readonly least: bigint } {
  const { prices } = account;
  const least = rivals.reduce(
    (dearest, rival) => dearerOf(dearest, replacementOf(rival.price)),
    leastPrice(prices, day),
  );
  const bound = variant.maxFee === undefined ? null : toBaseUnits(variant.maxFee, WEI_DIGITS) / gas;
  const cap = bound === null || bound > prices.ceiling ? prices.ceiling : bound;
  if (least.most > cap) return { least: least.most };
  const price = within(dearerOf(priceAt(prices, { day, urgency: variant.urgency }), least), cap);
  // Of a legacy transaction all that it pays is its tip.
  return day.legacy ? { most: price.most, tip: price.most } : price;
}

function tooDear(least: bigint, { maxFee }: Variant): Answer<never> {
  const leastFee = weiText(least);
  const bound = maxFee === undefined ? 'the ceiling of the chain' : maxFee;
  return fault('feeTooLow', `no fee within ${bound} would do; the least is ${leastFee}`, { leastFee });
}

type Costing = Making & { readonly place: Place; readonly wei: bigint };

/** Why the account does not pay it; null where it does. What it pays is taken from what is held for its swap. */
async function shortage(parts: Parts, { look, swap, content, place, wei }: Costing): Promise<Answer<never> | null> {
  const { coin, account, held } = parts;
  const isNew = place.rivals.length === 0;
  const funds = await fundsOf(parts, { look, beside: isNew ? [] : place.nonces });
  const own = funds.tokens ?? funds.wei;
  const cost = funds.tokens === null ? wei : content.amount;
  for (const [{ all, free }, need, digits] of [
    [funds.wei, wei, WEI_DIGITS],
    [own, cost, coin.decimals],
  ] as const) {
    if (free >= need) continue;
    const text = `not enough: ${fromBaseUnits(free, digits)} free of ${fromBaseUnits(need, digits)}`;
    return fault(all >= need ? 'coinsPromised' : 'insufficientFunds', text);
  }
  if (content.shares !== true || !isNew) return null;
  const takes = [{ of: account.heldWei, free: funds.wei.free, cost: wei }];
  if (funds.tokens !== null) takes.push({ of: held, free: funds.tokens.free, cost });
  for (const { of, free, cost: taken } of takes) {
    let others = 0n;
    for (const [holder, amount] of of) if (holder !== swap) others += amount;
    const name = of === held ? coin.coin : (coin.token?.platform ?? coin.coin);
    if (free - taken < others) return fault('coinsPromised', `the rest of ${name} is held for other swaps`);
  }
  for (const { of, cost: taken } of takes) {
    const before = of.get(swap);
    if (before !== undefined) of.set(swap, before > taken ? before - taken : 0n);
  }
  return null;
}

type Signing = Making & { readonly place: Place; readonly price: Price; readonly day: DayPrices };

async function signAll({ coin, account }: Parts, { content, place, price, day }: Signing): Promise<Made> {
  const approvals: Made[] = [];
  try {
    for (const [index, amount] of place.approvals.entries()) {
      const nonce = place.nonces[index] as number;
      const data = approval(content.spender ?? '', amount);
      const call = { to: coin.token?.address ?? '', value: 0n, data, gas: gasLimits(coin).approval };
      approvals.push(await account.sign({ ...call, nonce, price }, day));
    }
    const { to, value, data, gas } = content;
    const nonce = place.nonces.at(-1) as number;
    const made = await account.sign({ to, value, data, gas, nonce, price }, day);
    account.approve(made, [...place.carried, ...approvals]);
    return made;
  } catch (error) {
    // A signer that stops half-way must not keep nonces for ever.
    for (const made of approvals) account.giveBack(made);
    throw error;
  }
}
