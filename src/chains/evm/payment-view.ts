import type { SwapEventKind } from '../../htlc/contract-events.ts';
import {
  lockProblem,
  type NamedPayment,
  otherContractText,
  PAYMENT_STATE,
  storedProblem,
} from '../../htlc/contract-payment.ts';
import type { RewardRole } from '../../htlc/reward-role.ts';
import { secretHashMatches } from '../../htlc/secret-hash.ts';
import type { StoredPayment } from '../../htlc/token-calls.ts';
import type { Answer, PaymentQuery, PaymentSpend, PaymentView } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import { fault, ok } from '../accounts/answers.ts';
import { storedUnder } from './contract-calls.ts';
import { deliveryProblem } from './delivery.ts';
import { depthOf } from './depth.ts';
import type { Found } from './events.ts';
import type { Parts } from './parts.ts';
import type { EvmLook, Interest } from './reader.ts';
import { rewardedBy, rewardHash, rewardProblem, totalOf, uncalledProblem } from './rewards.ts';
import { callOf, callProblem, isElsewhere, type MadeCall, namedOf } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

type Asked = { readonly query: PaymentQuery; readonly look: EvmLook };

const UNREAD = 'the blocks that may contain it are still being read';
const INEXPRESSIBLE = 'These terms cannot be written as a call of the swap contract';

/**
 * The state of a payment, by what the swap contract stores under its id, whichever transaction made it. The contract decides whether it fulfills the
 * terms, and its events show in which transactions it was made and ended.
 */
export async function paymentOf(parts: Parts, { query, look }: Asked): Promise<Answer<PaymentView>> {
  const { terms, claimed } = query;
  const named = namedOf(terms, parts.coin);
  if (isElsewhere(terms, parts.coin)) return fault('unsupported', otherContractText(terms.contract, parts.coin.coin));
  if (named === null) return ok(viewOf({ query, look }, { problem: INEXPRESSIBLE }));
  const shown = claimed === undefined ? undefined : madeOf(claimed);
  const range = { contract: named.contract, id: named.id, from: query.from ?? parts.birth };
  const likely = callsOn([...parts.account.prepared.callsAbout(named), shown ?? null], named);
  const [stored] = await Promise.all([storedUnder(look, named), askAround(parts, { look, named, likely })]);
  if (stored.state === PAYMENT_STATE.none) return ok(await waitingView(parts, { query, look, named, shown }));
  const isOwed = owes(parts, named) && stored.state === PAYMENT_STATE.paid;
  const [paid] = await Promise.all([
    parts.events.find(look, { ...range, kind: 'paid', likely: idsOf(likely, 'payment') }),
    isOwed ? deliveryProblem(look, named, parts.coin) : null,
  ]);
  if (paid === 'unread') return fault('unknown', UNREAD);
  const plain = storedProblem(stored, named);
  // Below the block at which a search may start: it existed before the swap.
  if (paid === null) {
    // Only its transaction shows whether it promises a reward, which would make it another payment.
    if (plain === null || lockProblem(stored, named) === null) {
      parts.events.forget({ ...range, kind: 'paid' });
      return fault('unknown', 'no node reports the event of a payment that the swap contract holds');
    }
    return ok(viewOf({ query, look }, { problem: plain }));
  }
  const [funding, spend] = await Promise.all([
    transactionOf(parts, { look, found: paid }),
    spendOf(parts, { look, named, stored, from: paid.block, likely }),
  ]);
  const payment = madeOf(funding.tx.tx_hex);
  const problem =
    plain === null ? null : problemOfRewarded(parts, { named, stored, payment, plain, role: terms.reward });
  if (problem !== null && isForeign(parts, { named, payment })) return ok(viewOf({ query, look }, { problem }));
  const made = shown === undefined ? payment : shown;
  if (spend === 'unread') return fault('unknown', UNREAD);
  const wrong =
    problem ??
    (await namedProblem({ named, look, made, paid: paid.transaction })) ??
    (isOwed ? await deliveryProblem(look, named, parts.coin) : null);
  return ok(viewOf({ query, look }, { funding, spend, problem: wrong }));
}

/** Whether this account is the one that the payment benefits. */
function owes({ account }: Pick<Parts, 'account'>, { receiver }: Pick<NamedPayment, 'receiver'>): boolean {
  return receiver === account.address;
}

type Rewarding = {
  readonly named: NamedPayment;
  readonly stored: StoredPayment;
  readonly payment: Made | null;
  /** Why it is not the plain payment. */
  readonly plain: string;
  readonly role: RewardRole | undefined;
};

/** Why what the contract stores is not a payment of the terms with a reward either; null if it is. */
function problemOfRewarded(parts: Parts, { named, stored, payment, plain, role }: Rewarding): string | null {
  const rewarded = rewardedBy(payment, { named, stored });
  if (rewarded === null) return plain;
  // Its payer can refund it, however it was made.
  const { account, coin } = parts;
  const uncalled = owes(parts, named) && coin.rewards !== true ? uncalledProblem(rewarded) : null;
  if (uncalled !== null) return uncalled;
  return lockProblem(stored, named) ?? rewardProblem(rewarded, { ...account.prices, role });
}

/** Whether another account has paid under the id of an own payment, as anyone who knows the terms can: none of it belongs to the sender. */
function isForeign(
  { account }: Pick<Parts, 'account'>,
  { named, payment }: { readonly named: NamedPayment; readonly payment: Made | null },
): boolean {
  return named.sender === account.address && payment?.from !== account.address;
}

type Told = Partial<Pick<PaymentView, 'funding' | 'problem' | 'spend'>>;

function viewOf({ query, look }: Asked, { funding = null, problem = null, spend = null }: Told): PaymentView {
  const { lock } = query.terms;
  const { time, number } = look.head;
  const expiry = { unit: 'seconds', at: lock, now: time } as const;
  return { funding, problem, spend, refundable: time >= lock, clock: time, height: number, expiry };
}

type Naming = {
  readonly named: NamedPayment;
  readonly look: EvmLook;
  /** Null if its bytes cannot be read. */
  readonly made: Made | null;
  /** Id of the transaction that made the payment. */
  readonly paid: string;
};

/** Why the transaction that is named for a payment does not make it. */
async function namedProblem({ named, look, made, paid }: Naming): Promise<string | null> {
  if (made === null) return 'Provided payment tx cannot be read';
  // It was made as the contract says, even by a call within another one.
  if (made.id === paid) return null;
  const problem = callProblem(named, made);
  if (problem !== null) return problem;
  return (await look.receipt(made.id))?.succeeded === false ? `Payment tx ${made.id} is reverted` : null;
}

type Waiting = Asked & {
  readonly named: NamedPayment;
  /** Undefined if none is named; null if its bytes cannot be read. */
  readonly shown: Made | null | undefined;
};

/** No block holds the payment: this reports a waiting one, preferably one that fulfills the terms. */
async function waitingView(parts: Parts, { query, look, named, shown }: Waiting): Promise<PaymentView> {
  const waiting = await waitingCalls(parts, { look, named, also: shown ?? null });
  const payments = waiting
    .filter(({ made, call }) => call.kind === 'payment' && !isForeign(parts, { named, payment: made }))
    .map(({ made }) => made);
  const found = payments.find((made) => callProblem(named, made) === null) ?? payments[0];
  const made = shown === undefined ? found : shown;
  const problem = made === undefined ? null : await namedProblem({ named, look, made, paid: '' });
  const funding = found === undefined ? null : { tx: { tx_hex: found.hex, tx_hash: found.id }, confirmations: 0 };
  return viewOf({ query, look }, { funding, problem });
}

type WaitingCall = { readonly made: Made; readonly call: MadeCall };
type WaitingFor = { readonly look: EvmLook; readonly named: NamedPayment; readonly also: Made | null };

/** Waiting calls of the contract about this payment: those that the node would include next, own ones, and one that is named. */
async function waitingCalls(
  { account }: Pick<Parts, 'account'>,
  { look, named, also }: WaitingFor,
): Promise<readonly WaitingCall[]> {
  const calls = new Map<string, WaitingCall>();
  const add = (made: Made | null) => {
    const call = made === null ? null : callOf(made, named.contract);
    if (made !== null && call?.swapId === named.id) calls.set(made.id, { made, call });
    return call?.swapId === named.id;
  };
  const seen = new Set<string>();
  for (const hex of await look.waiting(interestIn(named))) {
    const made = madeOf(hex);
    if (add(made) && made !== null) seen.add(made.id);
  }
  for (const { made } of callsOn([...account.prepared.callsAbout(named), also], named))
    if (!seen.has(made.id)) add(made);
  const asked = [...calls.values()].map(async (each) => {
    if (seen.has(each.made.id)) return [each];
    return (await look.transaction(each.made.id))?.isWaiting === true ? [each] : [];
  });
  return (await Promise.all(asked)).flat();
}

function interestIn({ contract, id }: NamedPayment): Interest {
  return { contract, swapId: id };
}

/** The calls of the contract about this payment among them. */
function callsOn(all: Iterable<Made | null>, { contract, id }: NamedPayment): readonly WaitingCall[] {
  return [...all].flatMap((made) => {
    const call = made === null ? null : callOf(made, contract);
    return made !== null && call?.swapId === id ? [{ made, call }] : [];
  });
}

function idsOf(calls: readonly WaitingCall[], kind: MadeCall['kind']): readonly string[] {
  return calls.flatMap(({ made, call }) => (call.kind === kind ? [made.id] : []));
}

type Around = { readonly look: EvmLook; readonly named: NamedPayment; readonly likely: readonly WaitingCall[] };

/**
 * Asks beside what is stored for all that is likely to be wanted next, whatever that is: where it was made and ended before, else what waits and the calls that
 * are known here. Never fails: code that needs an answer learns then that there is none.
 */
async function askAround(parts: Parts, { look, named, likely }: Around): Promise<void> {
  const { events, coin } = parts;
  const { contract, id } = named;
  const known = (kind: SwapEventKind) => events.known({ kind, contract, id }) ?? [];
  const [paid, ended] = [[known('paid')].flat(), [known('claimed'), known('refunded')].flat()];
  const payments = paid.length > 0 ? paid : idsOf(likely, 'payment');
  const ends = ended.length > 0 ? ended : [...idsOf(likely, 'claim'), ...idsOf(likely, 'refund')];
  await Promise.allSettled([
    ...[...payments, ...ended].map((one) => look.receipt(one)),
    ...[...payments, ...ends].map((one) => look.transaction(one)),
    ...(ended.length > 0 ? [] : [look.waiting(interestIn(named))]),
    ...(paid.length > 0 && ended.length === 0 && owes(parts, named) ? [deliveryProblem(look, named, coin)] : []),
    ...((coin.finalizedTag ?? false) !== false && payments.length > 0 ? [look.finalized()] : []),
  ]);
}

type Spending = {
  readonly look: EvmLook;
  readonly named: NamedPayment;
  readonly stored: StoredPayment;
  readonly from: number;
  readonly likely: readonly WaitingCall[];
};

async function spendOf(
  parts: Parts,
  { look, named, stored, from, likely }: Spending,
): Promise<PaymentSpend | null | 'unread'> {
  if (stored.state === PAYMENT_STATE.paid) return waitingSpend(parts, { look, named, stored });
  const kind = stored.state === PAYMENT_STATE.claimed ? 'claimed' : 'refunded';
  const end = kind === 'claimed' ? 'claim' : 'refund';
  const query = { contract: named.contract, id: named.id, kind, from, likely: idsOf(likely, end) } as const;
  const found = await parts.events.find(look, query);
  if (found === null) parts.events.forget(query);
  if (found === null || found === 'unread') return 'unread';
  const { tx, confirmations } = await transactionOf(parts, { look, found });
  return { how: kind === 'claimed' ? 'secret' : 'refund', tx, confirmations, secret: found.secret };
}

/**
 * A waiting claim that shows the secret. A waiting refund excludes nothing: before the lock it has no effect, and afterwards a claim may still come
 * first, so a sender must not be able to stop its receiver with refunds in the pool.
 */
async function waitingSpend(
  parts: Parts,
  { look, named, stored }: Pick<Spending, 'look' | 'named' | 'stored'>,
): Promise<PaymentSpend | null> {
  const isReceiver = named.receiver === parts.account.address;
  for (const { made, call } of await waitingCalls(parts, { look, named, also: null })) {
    const tx = { tx_hex: made.hex, tx_hash: made.id };
    if (call.amount !== named.amount || call.token !== named.token) continue;
    const { secret, reward } = call;
    const paid = reward === null ? named.paymentHash : rewardHash({ ...named, amount: totalOf(named, reward) }, reward);
    // If its kind differs from the payment's, it has no effect.
    if (paid !== stored.paymentHash) continue;
    // Anybody may claim for the receiver, so a claim that runs out of gas or is too cheap must not stop the receiver.
    const isForReceiver = call.owner === named.receiver && !isReceiver;
    const claims = made.from === named.receiver || isForReceiver;
    if (call.kind === 'claim' && secret !== null && claims && call.party === named.sender) {
      if (!secretHashMatches(hexToBytes(secret), hexToBytes(named.secretHash))) continue;
      return { how: 'secret', tx, confirmations: 0, secret };
    }
  }
  return null;
}

/** A transaction in a block, by its id if its bytes are unavailable. */
async function transactionOf(
  parts: Parts,
  { look, found: { transaction, block, isUnread = false } }: { readonly look: EvmLook; readonly found: Found },
): Promise<NonNullable<PaymentView['funding']>> {
  const told = look.transaction(transaction).catch((error: unknown) => {
    if (isUnread && error instanceof BackendSilent) return null;
    throw error;
  });
  const [known, confirmations] = await Promise.all([told, depthOf(look, block, parts)]);
  return { tx: { tx_hex: known?.hex ?? '', tx_hash: transaction }, confirmations };
}
