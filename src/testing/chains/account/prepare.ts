import { SECRET_BYTES } from '../../../htlc/secret-hash.ts';
import type { Answer, PreparedTransaction, PrepareRequest, SignedTransaction } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import { isHex } from '../../../primitives/hex.ts';
import { answered, ofSomebodyElse, refused, tooDear } from '../faults.ts';
import { leastRate } from '../network.ts';
import { rateOf } from '../settings.ts';
import type { TermsBook } from '../terms-book.ts';
import { gapIn, heldByOthers, type Purse, reserve, slotFor, spendable, takeFromHeld } from './purse.ts';
import type { AccountState, TermsInfo } from './state.ts';
import { type AccountTransaction, type Call, feeOf, GAS_LIMIT, slotOf, transferTo } from './transaction.ts';

export type Workshop = {
  readonly state: AccountState;
  readonly book: TermsBook<TermsInfo>;
  readonly purse: Purse;
  /** For which swap; null where nobody says. */
  readonly swap: string | null;
};

const NO_WATCHERS = refused('unsupported', 'the swap contract lets nobody but the parties act');
const INVALID_TERMS = refused('invalid', 'these terms cannot be written as a call of the swap contract');

/** Makes and signs what is asked for; nothing leaves the wallet. */
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
  const lock = module.lockArguments(terms.lock, settings.now());
  const { id: swap, receiver: party, hash } = named;
  const call: Call = { kind: 'payment', swap, party, amount: 0n, secret: null, hash, ...lock };
  return made(shop, request, { call, value: amount, shares: true });
}

function prepareEnd(shop: Workshop, request: Of<'claim' | 'refund'>): Answer<PreparedTransaction> {
  const { amount, named } = shop.book.find(request.terms);
  if (named === null) return INVALID_TERMS;
  const claims = request.purpose === 'claim';
  const actor = claims ? named.receiver : named.sender;
  if (actor !== shop.purse.party.account.address) {
    return ofSomebodyElse(claims ? 'receiver' : 'sender');
  }
  const call: Call = {
    kind: request.purpose,
    swap: named.id,
    party: claims ? named.sender : named.receiver,
    amount,
    secret: claims ? request.secret : null,
    hash: claims ? '' : named.hash,
    lockTime: 0,
    lockBlocks: 0,
  };
  return made(shop, request, { call, value: 0n });
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
  /** Whether it leaves what is held for other swaps; what brings coins home waits for nobody. */
  readonly shares?: boolean;
};

function made(shop: Workshop, variant: Variant, { call, value, shares = false }: Content): Answer<PreparedTransaction> {
  const { state, purse, swap } = shop;
  const { urgency, replaces } = variant;
  const replaced = replaces === null ? null : state.codec.decode(replaces.tx_hex);
  const gas = GAS_LIMIT[call.kind];
  const slot = slotFor(state, purse, { urgency, replaced, maxPrice: maxPriceOf(state, variant, gas) });
  if ('least' in slot) return tooDear(variant.maxFee, state.settings.amounts.format(feeOf(slot.least, gas)));
  const cost = value + feeOf(slot.price, gas);
  // What the earlier variant was promised is free for this one.
  const reuses = replaced?.nonce === slot.nonce;
  const free = spendable(state, purse) + (replaced !== null && reuses ? costOf(replaced) : 0n);
  if (free < cost)
    return refused('insufficientFunds', `insufficient funds for gas * price + value: ${free} of ${cost}`);
  if (shares && !reuses && free - cost < heldByOthers(purse, swap)) {
    return refused('coinsPromised', `${state.settings.coin} is held for other swaps`);
  }
  const { signer } = purse.party;
  const tx = state.codec.encode({ signer, ...slot, gas, value, call });
  reserve(purse, tx);
  if (shares && !reuses) takeFromHeld(purse, swap, cost);
  return answered(preparedOf(state, tx));
}

function maxPriceOf({ settings }: AccountState, { maxFee }: Variant, gas: number): number | null {
  return maxFee === undefined ? null : Number(settings.amounts.parse(maxFee) / BigInt(gas));
}

/** A transfer to the own account in the place of a nonce that was given back; null where nothing waits for it. */
export function fillerOf({ state, purse }: Pick<Workshop, 'state' | 'purse'>): AccountTransaction | null {
  const nonce = gapIn(purse);
  if (nonce === null) return null;
  const { signer, account } = purse.party;
  // No more than it takes to be relayed now: it only has to be included some time.
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
