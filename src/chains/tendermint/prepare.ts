import { secretFits } from '../../htlc/secret-hash.ts';
import { latestInclusion, lockBlocks, MOST_LOCK_BLOCKS, makerLockBlocks } from '../../htlc/tendermint-lock.ts';
import type { TendermintMessage } from '../../htlc/tendermint-messages.ts';
import type { Answer, PaymentTerms, PreparedTransaction, PrepareRequest } from '../../ports/chain.ts';
import { fault } from '../accounts/answers.ts';
import type { TendermintCoin } from './coin.ts';
import { feeAddressOf } from './fee-check.ts';
import { make } from './make.ts';
import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { settledUse } from './standing.ts';
import { type Named, namedOf } from './terms.ts';
import { madeOf } from './transaction.ts';

type Asked<R = PrepareRequest> = { readonly request: R; readonly swap: string; readonly look: TendermintLook };
type Of<Purpose extends PrepareRequest['purpose']> = Extract<PrepareRequest, { readonly purpose: Purpose }>;

const NO_WATCHERS = fault(
  'unsupported',
  'this chain has no transactions that are signed in advance, and pays no third party',
);
const NO_REFUND = fault('unsupported', 'the chain refunds automatically');
const NO_CHILDREN = fault('unsupported', 'account-based transactions have no children');
const NO_MODULE = fault('unsupported', 'this chain has no time-locked payments');
const INVALID_TERMS = fault('invalid', 'these terms cannot be written as a payment of the HTLC module');
const IN_VAIN = fault(
  'unavailable',
  'the HTLC module would refuse this claim now; it would have no effect, and might reveal the secret for nothing',
);

/** Makes and signs what is asked for; nothing is sent. One at a time for each account: what one takes, the next one must not. */
export async function prepare(parts: Parts, asked: Asked): Promise<Answer<PreparedTransaction>> {
  const { request } = asked;
  switch (request.purpose) {
    case 'fee':
      return prepareFee(parts, { ...asked, request });
    case 'payment':
      return preparePayment(parts, { ...asked, request });
    case 'claim':
      return prepareClaim(parts, { ...asked, request });
    case 'refund':
      return NO_REFUND;
    case 'void':
      return prepareVoid(parts, { ...asked, request });
    case 'child':
      return NO_CHILDREN;
    case 'claimPreimage':
    case 'refundPreimage':
    case 'completePreimage':
    case 'claimFor':
    case 'refundFor':
      return NO_WATCHERS;
    default:
      return request satisfies never;
  }
}

async function prepareFee(parts: Parts, { request, ...asked }: Asked<Of<'fee'>>): Promise<Answer<PreparedTransaction>> {
  const { feeSat, burnSat } = request;
  if (burnSat > 0n) return fault('unsupported', 'this chain cannot burn coins');
  if (feeSat <= 0n) return fault('invalid', 'the chain accepts no transfer of zero');
  const coins = [{ denom: parts.coin.denom, amount: feeSat }];
  const messages: readonly TendermintMessage[] = [
    { kind: 'send', from: parts.account.address, to: feeAddressOf(parts), coins },
  ];
  // The memo names the swap, as KDF's does.
  const content = { messages, memo: asked.swap, kind: 'transfer', shares: true, once: true, tried: true } as const;
  return make(parts, { ...asked, variant: request, content });
}

async function preparePayment(
  parts: Parts,
  { request, ...asked }: Asked<Of<'payment'>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, account } = parts;
  if (account.network.module === null) return NO_MODULE;
  const named = namedOf(request.terms, parts);
  if (named === null) return INVALID_TERMS;
  if (named.sender !== account.address) return fault('invalid', 'the terms name another sender');
  if (named.coins.every(({ amount }) => amount === 0n)) return fault('invalid', 'the amount is zero');
  if (request.reward !== undefined) return NO_WATCHERS;
  const blocks = blocksOf(request.terms, { named, now: asked.look.head.time, coin });
  if (blocks === null)
    return fault('invalid', `the module locks for at most ${MOST_LOCK_BLOCKS} blocks, which end before ${named.lock}`);
  if ((await asked.look.payment(named.id)) !== null && request.replaces === null)
    return fault('invalid', `the module already holds a payment with id ${named.id}`);
  const messages: readonly TendermintMessage[] = [
    {
      ...{ kind: 'create', module: named.module, sender: named.sender, to: named.receiver, coins: named.coins },
      ...{ hashLock: named.secretHash, timestamp: 0n, timeLock: BigInt(blocks), isTransfer: false },
    },
  ];
  // If the lock counts from its block, a late block would delay its end.
  const isExact = blocks === named.blocks;
  const until = isExact ? { until: asked.look.head.height + latestInclusion(blocks) } : {};
  const content = { messages, memo: '', kind: 'payment', shares: true, tried: true, ...until } as const;
  return make(parts, { ...asked, variant: request, content });
}

type Locking = { readonly named: Named; readonly now: number; readonly coin: TendermintCoin };

/** For how many blocks an own payment is locked; null where the module locks for no time that is long enough. */
function blocksOf({ counted }: PaymentTerms, { named, now, coin }: Locking): number | null {
  const isExact = counted?.leg === 'taker' || coin.makerLocks === 'framework';
  if (named.blocks !== null && isExact) return named.blocks;
  const left = named.lock - now;
  if (left > MOST_LOCK_BLOCKS * coin.blockTime) return null;
  return counted?.leg === 'maker' ? makerLockBlocks(left, coin.blockTime) : lockBlocks(left, coin.blockTime);
}

/** A claim is made only while a block may still hold it, and no block behind that may: it would pay its fee and show the secret for nothing. */
async function prepareClaim(
  parts: Parts,
  { request, ...asked }: Asked<Of<'claim'>>,
): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  if (account.network.module === null) return NO_MODULE;
  const named = namedOf(request.terms, parts);
  if (named === null) return INVALID_TERMS;
  if (named.receiver !== account.address) return fault('invalid', 'the terms name another receiver');
  if (!secretFits(request.secret, named.secretHash)) return fault('invalid', 'the secret does not match its hash');
  const stored = await asked.look.payment(named.id);
  const last = stored === null ? null : Number(stored.expirationHeight) - 1;
  const isFirst = request.replaces === null;
  if (isFirst && (stored?.state !== 'open' || last === null || asked.look.head.height >= last)) return IN_VAIN;
  const secret = request.secret.toLowerCase();
  const messages: readonly TendermintMessage[] = [
    { kind: 'claim', module: named.module, sender: account.address, id: named.id, secret },
  ];
  const content = { messages, memo: '', kind: 'claim', ...(last === null ? {} : { until: last }) } as const;
  return make(parts, { ...asked, variant: request, content });
}

/** What harms nobody takes the sequence of the target: the least amount to oneself. */
async function prepareVoid(
  parts: Parts,
  { request, ...asked }: Asked<Of<'void'>>,
): Promise<Answer<PreparedTransaction>> {
  const { account } = parts;
  const target = madeOf(request.target.tx_hex);
  if (target === null || target.from !== account.account)
    return fault('invalid', 'the target is not a transaction of this account');
  if ((await settledUse(parts, { made: target, look: asked.look })) !== null)
    return fault('nonceUsed', `${target.id} is in a block, or can no longer enter one`);
  account.take(target);
  const coins = [{ denom: account.network.fees.denom, amount: 1n }];
  const messages: readonly TendermintMessage[] = [{ kind: 'send', from: account.address, to: account.address, coins }];
  const content = { messages, memo: '', kind: 'transfer', tried: true } as const;
  return make(parts, { ...asked, variant: { ...request, replaces: request.target }, content });
}
