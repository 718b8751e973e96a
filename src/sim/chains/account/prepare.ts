import { paysOn, type Reward } from '../../../htlc/evm-reward-calls.ts';
import { SECRET_BYTES } from '../../../htlc/secret-hash.ts';
import type { Answer, PreparedTransaction, PrepareRequest, SignedTransaction } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import { isHex } from '../../../primitives/hex.ts';
import { answered, ofSomebodyElse, refused, tooDear } from '../faults.ts';
import { leastRate } from '../network.ts';
import { secretMatches } from '../secret-check.ts';
import { rateOf } from '../settings.ts';
import type { TermsBook } from '../terms-book.ts';
import { rewardIn } from './contract.ts';
import { gapIn, heldByOthers, type Purse, reserve, slotFor, spendable, takeFromHeld } from './purse.ts';
import { rewardToPay } from './rewards.ts';
import type { AccountState, TermsInfo } from './state.ts';
import { type AccountTransaction, type Call, feeOf, GAS_LIMIT, GAS_USED, slotOf, transferTo } from './transaction.ts';
import { callProblem } from './views.ts';

export type Workshop = {
  readonly state: AccountState;
  readonly book: TermsBook<TermsInfo>;
  readonly purse: Purse;
  /** For which swap; null if none is named. */
  readonly swap: string | null;
};

const NO_WATCHERS = refused('unsupported', 'the swap contract lets nobody but the parties act');
const INVALID_TERMS = refused('invalid', 'these terms cannot be written as a call of the swap contract');

/** Makes and signs what the request asks for; nothing leaves the wallet. */
export function prepareAccount(shop: Workshop, request: PrepareRequest): Answer<PreparedTransaction> {
  switch (request.purpose) {
    case 'fee':
      if (request.burnSat > 0n) return refused('unsupported', 'nothing can be burned on this chain');
      return made(shop, request, {
        call: transferTo(shop.state.codec.feeAddress),
        value: request.feeSat,
        shares: true,
      });
    case 'payment':
      return preparePayment(shop, request);
    case 'claim':
      if (request.secret.length !== 2 * SECRET_BYTES || !isHex(request.secret)) {
        return refused('invalid', 'a secret has 32 bytes');
      }
      return prepareEnd(shop, request);
    case 'refund':
      if (!shop.state.module.replaceable) return refused('unsupported', 'the chain refunds by itself');
      return prepareEnd(shop, request);
    case 'void':
      return prepareVoid(shop, request);
    case 'claimPreimage':
    case 'refundPreimage':
      return shop.state.module.rewards ? preimageOf(shop, request) : NO_WATCHERS;
    case 'claimFor':
    case 'refundFor':
      return shop.state.module.rewards ? prepareFor(shop, request) : NO_WATCHERS;
    default:
      return NO_WATCHERS;
  }
}

type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

function preparePayment(shop: Workshop, request: Of<'payment'>): Answer<PreparedTransaction> {
  const { settings, module } = shop.state;
  const { amount, named, terms } = shop.book.find(request.terms);
  if (named === null) return INVALID_TERMS;
  if (named.sender !== shop.purse.party.account.address) return ofSomebodyElse('sender');
  const lock = module.lockArguments(terms, settings.now());
  const { id: swap, receiver: party, hash } = named;
  const reward = rewardOf(shop, request);
  if (reward === 'none') return refused('unsupported', 'the swap contract takes no payment with a reward');
  const promised = reward === null ? {} : { reward: { ...reward, owner: '' } };
  const call: Call = { kind: 'payment', swap, party, amount: 0n, secret: null, hash, ...lock, ...promised };
  return made(shop, request, { call, value: amount + rewardIn(call), shares: true });
}

/** What takes the place of an earlier variant promises the same. */
function rewardOf({ state, book }: Workshop, { terms, replaces, reward }: Of<'payment'>): Reward | null | 'none' {
  const before = replaces === null ? undefined : state.codec.decode(replaces.tx_hex)?.call;
  if (before?.kind === 'payment' && before.swap === book.find(terms).named?.id) return before.reward ?? null;
  if (reward === undefined) return null;
  if (!state.module.rewards || terms.reward === undefined) return 'none';
  const price = Math.ceil(rateOf(state.settings, 0));
  return rewardToPay(terms.reward, { price, asked: reward === null ? null : state.settings.amounts.parse(reward) });
}

/** The payment that the contract keeps under these terms, or that is named for them. */
function paidFor({ state, book }: Workshop, { terms, funding }: Pick<Of<'refundFor'>, 'terms' | 'funding'>) {
  const id = book.find(terms).named?.id ?? '';
  return state.locked.get(id)?.entry.tx ?? state.codec.decode(funding.tx_hex);
}

function prepareEnd(shop: Workshop, request: Of<'claim' | 'refund'>): Answer<PreparedTransaction> {
  const { amount, named } = shop.book.find(request.terms);
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claim';
  const actor = claims ? named.receiver : named.sender;
  if (actor !== shop.purse.party.account.address) {
    return ofSomebodyElse(claims ? 'receiver' : 'sender');
  }
  const promised = paidFor(shop, request)?.call;
  const owner = claims ? named.receiver : named.sender;
  const call: Call = {
    ...(promised?.reward === undefined ? {} : { reward: { ...promised.reward, owner } }),
    kind: request.purpose,
    swap: named.id,
    party: claims ? named.sender : named.receiver,
    amount: amount + (promised === undefined ? 0n : rewardIn(promised)),
    secret: claims ? request.secret : null,
    hash: claims ? '' : named.hash,
    lockTime: 0,
    lockBlocks: 0,
  };
  return made(shop, request, { call, value: 0n });
}

const NO_REWARD = refused('unsupported', 'the payment promises nothing to whoever acts for its parties');

function preimageOf(
  shop: Workshop,
  { purpose, terms, funding }: Of<'claimPreimage' | 'refundPreimage'>,
): Answer<PreparedTransaction> {
  const { state, book, purse } = shop;
  const info = book.find(terms);
  const tx = state.codec.decode(funding.tx_hex);
  const claims = purpose === 'claimPreimage';
  if (info.named === null || tx === null) return INVALID_TERMS;
  if ((claims ? info.named.receiver : info.named.sender) !== purse.party.account.address)
    return ofSomebodyElse(claims ? 'receiver' : 'sender');
  const problem = callProblem(info, tx);
  if (problem !== null) return refused('invalid', problem);
  const { reward } = tx.call;
  if (reward === undefined || !paysOn(claims ? 'claim' : 'refund', reward)) return NO_REWARD;
  return answered({ tx_hex: tx.hex, tx_hash: tx.id, spends: [], fee: state.settings.amounts.format(0n) });
}

/** A call by which a watcher ends a payment for a party, while the contract takes it and the reward pays for it. */
function prepareFor(shop: Workshop, request: Of<'claimFor' | 'refundFor'>): Answer<PreparedTransaction> {
  const { state, book, purse } = shop;
  const info = book.find(request.terms);
  const { named } = info;
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claimFor';
  const secret = request.purpose === 'claimFor' ? request.secret : null;
  const kept = state.locked.get(named.id);
  if (secret !== null && !secretMatches(secret, named.hash)) return refused('invalid', 'the secret is another one');
  if (kept === undefined) return refused('unavailable', 'there is no such payment yet');
  const { tx } = kept.entry;
  const { reward } = tx.call;
  if (reward === undefined) return NO_REWARD;
  const problem = callProblem(info, tx);
  if (problem !== null) return refused('invalid', problem);
  if (!paysOn(claims ? 'claim' : 'refund', reward)) return NO_REWARD;
  const kind = claims ? 'claim' : 'refund';
  const call: Call = {
    ...{ kind, swap: named.id, party: claims ? named.sender : named.receiver, amount: tx.value, secret },
    ...{ hash: claims ? '' : named.hash, lockTime: 0, lockBlocks: 0 },
    reward: { ...reward, owner: claims ? named.receiver : named.sender },
  };
  const { height, time } = state.list.truth;
  const tried = { ...tx, from: purse.party.account.address, call, value: 0n };
  const ending = claims
    ? state.module.claim(tried, kept, { height, time })
    : state.module.refund(tried, kept, { height, time });
  if (!ending.ok) return refused('unavailable', 'the swap contract refuses this call now');
  const cost = feeOf(Math.ceil(rateOf(state.settings, 0)), GAS_USED[kind]);
  if (request.unpaid !== true && cost > reward.amount)
    return refused('feeTooLow', `the gas costs ${cost} and the reward is ${reward.amount}`);
  return made(shop, request, { call, value: 0n, shares: true });
}

function prepareVoid(shop: Workshop, { target, urgency, ...bound }: Of<'void'>): Answer<PreparedTransaction> {
  const { address, mined } = shop.purse.party.account;
  const voided = shop.state.codec.decode(target.tx_hex);
  if (voided === null) return refused('invalid', 'the target is no transaction');
  if (voided.from !== address) return refused('invalid', 'the target belongs to somebody else');
  if (voided.nonce < mined.length) return refused('nonceUsed', `nonce ${voided.nonce} is used`);
  return made(shop, { urgency, replaces: target, ...bound }, { call: transferTo(address), value: 0n });
}

type Variant = { readonly urgency: number; readonly replaces: SignedTransaction | null; readonly maxFee?: DecimalText };
type Content = {
  readonly call: Call;
  readonly value: bigint;
  /** Whether it leaves what is held for other swaps; claims and refunds wait for nobody. */
  readonly shares?: boolean;
};

function made(shop: Workshop, variant: Variant, { call, value, shares = false }: Content): Answer<PreparedTransaction> {
  const { state, purse, swap } = shop;
  const { urgency, replaces } = variant;
  const replaced = replaces === null ? null : state.codec.decode(replaces.tx_hex);
  const gas = GAS_LIMIT[call.kind];
  const slot = slotFor(state, purse, { urgency, replaced, maxPrice: maxPriceOf(state, variant, gas) });
  if ('least' in slot) return tooDear(variant.maxFee, state.settings.amounts.format(feeOf(slot.least, gas)));
  // A payer must be able to refund.
  const refundFee = call.kind === 'payment' && state.module.replaceable ? feeOf(slot.price, GAS_LIMIT.refund) : null;
  const cost = value + feeOf(slot.price, gas);
  // What was committed to the earlier variant is free for this one.
  const reuses = replaced?.nonce === slot.nonce;
  const free = spendable(state, purse) + (replaced !== null && reuses ? costOf(replaced) : 0n);
  const needed = cost + (refundFee ?? 0n);
  if (free < needed)
    return refused('insufficientFunds', `insufficient funds for gas * price + value: ${free} of ${needed}`);
  if (shares && !reuses && free - needed < heldByOthers({ state, purse }, swap)) {
    return refused('coinsPromised', `${state.settings.coin} is held for other swaps`);
  }
  const { signer } = purse.party;
  const tx = state.codec.encode({ signer, ...slot, gas, value, call });
  reserve(purse, tx);
  if (shares && !reuses) takeFromHeld(purse, swap, cost);
  const prepared = preparedOf(state, tx);
  return answered(refundFee === null ? prepared : { ...prepared, refundFee: state.settings.amounts.format(refundFee) });
}

function maxPriceOf({ settings }: AccountState, { maxFee }: Variant, gas: number): number | null {
  return maxFee === undefined ? null : Number(settings.amounts.parse(maxFee) / BigInt(gas));
}

/** A transfer to the own account that fills a nonce given back; null if nothing waits for it. */
export function fillerOf({ state, purse }: Pick<Workshop, 'state' | 'purse'>): AccountTransaction | null {
  const nonce = gapIn(purse);
  if (nonce === null) return null;
  const { signer, account } = purse.party;
  // No more than it takes to be relayed now: it only needs to be included eventually.
  const price = Math.ceil(Math.max(rateOf(state.settings, 0), leastRate(state.network)));
  const call = transferTo(account.address);
  return state.codec.encode({ signer, nonce, price, gas: GAS_LIMIT.transfer, value: 0n, call });
}

function costOf({ value, price, gas }: AccountTransaction): bigint {
  return value + feeOf(price, gas);
}

function preparedOf({ settings }: AccountState, tx: AccountTransaction): PreparedTransaction {
  const fee = settings.amounts.format(feeOf(tx.price, tx.gas));
  return { tx_hex: tx.hex, tx_hash: tx.id, spends: [slotOf(tx)], fee };
}
