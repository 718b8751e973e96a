import { isTokenMove, TRANSFER_TOPIC } from '../../../htlc/contract-events.ts';
import { type NamedPayment, otherContractText, PAYMENT_STATE, storedProblem } from '../../../htlc/contract-payment.ts';
import { secretHashMatches } from '../../../htlc/secret-hash.ts';
import { decodeStoredPayment, type StoredPayment, storedPaymentCall } from '../../../htlc/token-calls.ts';
import type { Answer, PaymentQuery, PaymentSpend, PaymentView } from '../../../ports/chain.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { unixSecondsOf } from '../../../primitives/time.ts';
import { fault, ok } from '../answers.ts';
import type { Made } from '../made.ts';
import type { Seen } from '../reader.ts';
import { type MadeCall, scriptOfAccount, seenOfAccount, shownOf, swapCallsOf } from './calls.ts';
import { ContractAbsent, ContractsUnsteady } from './contracts.ts';
import { deliveryProblem } from './delivery.ts';
import { type Found, findEvent } from './events.ts';
import type { Look, TokenParts } from './parts.ts';
import { callProblem, isElsewhere, namedOf } from './terms.ts';

type Asked = { readonly query: PaymentQuery; readonly look: Look };

const INEXPRESSIBLE = 'These terms cannot be written as a call of the swap contract';

/**
 * Where a payment stands: by what the swap contract stores under its id. What its parties call tells in which transactions it was made and ended, and
 * what became of each call is told by its receipt: one that a block holds may have had no effect.
 *
 * @throws BackendSilent, ContractsUnsteady, ContractAbsent
 */
export async function paymentOf(parts: TokenParts, { query, look }: Asked): Promise<Answer<PaymentView>> {
  const { terms, from = 0, claimed } = query;
  const { reader } = parts.chain;
  const named = namedOf(terms, parts.coin);
  if (isElsewhere(terms, parts.coin)) return fault('unsupported', otherContractText(terms.contract, parts.coin.coin));
  if (named === null) return ok(viewOf({ query, look }, { problem: INEXPRESSIBLE }));
  // The other side may have made its history too large for any server. What its calls moved is found anyway.
  const isRead = { sender: false, receiver: false };
  for (const side of ['sender', 'receiver'] as const)
    isRead[side] = await reader.follow(scriptOfAccount(named[side]), from);
  if (!isRead.sender && !isRead.receiver)
    return fault('unknown', 'the blocks that may contain it are still being read');
  const shown = shownOf(claimed);
  const stored = await storedUnder(look, named);
  if (stored.state === PAYMENT_STATE.none) return ok(await waitingView(parts, { query, look, named, shown }));
  const problem = storedProblem(stored, named);
  const paid = await findEvent(parts, { named, look, kind: 'paid', from });
  if (paid === null) {
    // Below the first block of the search: it existed before the swap.
    return problem === null
      ? fault('unknown', 'no server reports the event of a payment that the swap contract holds')
      : ok(viewOf({ query, look }, { problem }));
  }
  // Anyone who knows the terms can pay under the id. A payment by someone else is not the sender's.
  if (problem !== null && named.sender === parts.account && paid.receipt.from !== parts.account)
    return ok(viewOf({ query, look }, { problem }));
  const isOwed = named.receiver === parts.account && stored.state === PAYMENT_STATE.paid;
  const told =
    problem ??
    movedProblem(paid, named) ??
    (await namedProblem({ named, look, shown, paid: paid.seen.txid })) ??
    (isOwed ? await deliveryProblem(look, named) : null);
  const spend = await spendOf(parts, { named, look, stored, from: paid.seen.height ?? from });
  return ok(viewOf({ query, look }, { funding: fundingOf(parts, paid.seen), spend, problem: told }));
}

/** @throws ContractAbsent if there is no such contract; BackendSilent, ContractsUnsteady */
export async function storedUnder(
  { contracts }: Pick<Look, 'contracts'>,
  { contract, id }: Pick<NamedPayment, 'contract' | 'id'>,
): Promise<StoredPayment> {
  const answer = await contracts.call(contract, storedPaymentCall(id));
  const stored = answer === null ? undefined : decodeStoredPayment(answer);
  if (stored === undefined) throw new ContractAbsent(`there is no swap contract at 0x${contract}`);
  return stored;
}

/** A contract that does not check what it received may hold less than it says. The token must have moved the amount, in exactly one event. */
function movedProblem({ receipt, seen }: Found, { token, amount, contract, sender }: NamedPayment): string | null {
  const moved = receipt.logs.filter((log) => log.contract === token && log.topics[0] === TRANSFER_TOPIC);
  const [first] = moved;
  const isRight =
    moved.length === 1 && first !== undefined && isTokenMove(first, { token, from: sender, to: contract, amount });
  return isRight ? null : `Payment tx ${seen.txid} did not move ${amount} of the token to the swap contract`;
}

type Told = Partial<Pick<PaymentView, 'funding' | 'problem' | 'spend'>>;

function viewOf({ query, look }: Asked, { funding = null, problem = null, spend = null }: Told): PaymentView {
  const { lock } = query.terms;
  const clock = unixSecondsOf(look.time);
  const expiry = { unit: 'seconds', at: lock, now: clock } as const;
  return { funding, problem, spend, refundable: clock >= lock, clock, height: look.tip.height, expiry };
}

function fundingOf({ chain }: TokenParts, seen: Seen): PaymentView['funding'] {
  return { tx: { tx_hex: seen.hex, tx_hash: seen.txid }, confirmations: chain.reader.index.depth(seen) };
}

type Naming = {
  readonly named: NamedPayment;
  readonly look: Look;
  /** Undefined if none is named; null if its bytes cannot be read. */
  readonly shown: Made | null | undefined;
  /** Id of the transaction that made the payment; empty if there is none. */
  readonly paid: string;
};

/** Why the transaction shown for a payment does not make it. */
async function namedProblem({ named, look, shown, paid }: Naming): Promise<string | null> {
  if (shown === undefined || shown?.txid === paid) return null;
  if (shown === null) return 'Provided payment tx cannot be read';
  const calls = swapCallsOf(shown, named.contract);
  const call = calls.find((one) => one.call.kind === 'payment') ?? calls[0];
  if (call === undefined) return `Couldn't find erc20Payment contract call in ${shown.txid} tx`;
  const problem = callProblem(named, call);
  if (problem !== null) return problem;
  const receipts = await look.contracts.receipts(shown.txid);
  const excepted = receipts.find(({ vout }) => vout === call.vout)?.excepted ?? null;
  return excepted === null ? null : `Contract call failed with an error: ${excepted}`;
}

type Waiting = Asked & { readonly named: NamedPayment; readonly shown: Made | null | undefined };

/** No block holds the payment. Reports one that waits, preferably one that fulfills the terms. */
async function waitingView(parts: TokenParts, { query, look, named, shown }: Waiting): Promise<PaymentView> {
  const { index } = parts.chain.reader;
  if (shown !== undefined && shown !== null) await parts.chain.reader.find(shown.txid, Number.MAX_SAFE_INTEGER);
  const also = shown === undefined || shown === null ? undefined : index.get(shown.txid);
  const seen = [...seenOfAccount(index, named.sender), ...(also === undefined ? [] : [also])];
  const payments = callsIn(seen, named).filter(
    ({ seen: { height }, made }) =>
      height === null &&
      made.call.kind === 'payment' &&
      !(named.sender === parts.account && made.from !== parts.account),
  );
  const found = payments.find(({ made }) => callProblem(named, made) === null) ?? payments[0];
  const problem =
    shown === undefined
      ? found === undefined
        ? null
        : callProblem(named, found.made)
      : await namedProblem({ named, look, shown, paid: '' });
  return viewOf({ query, look }, { funding: found === undefined ? null : fundingOf(parts, found.seen), problem });
}

function callsIn(
  all: readonly Seen[],
  { contract, id }: NamedPayment,
): readonly { readonly seen: Seen; readonly made: MadeCall }[] {
  return [...new Set(all)].flatMap((seen) =>
    swapCallsOf(seen, contract).flatMap((made) => (made.call.swapId === id ? [{ seen, made }] : [])),
  );
}

type Spending = {
  readonly named: NamedPayment;
  readonly look: Look;
  readonly stored: StoredPayment;
  readonly from: number;
};

/** @throws ContractsUnsteady if the contract says that it has ended, but no server reports where */
async function spendOf(parts: TokenParts, { named, look, stored, from }: Spending): Promise<PaymentSpend | null> {
  const { index } = parts.chain.reader;
  if (stored.state === PAYMENT_STATE.paid) return waitingSpend(parts, named);
  const kind = stored.state === PAYMENT_STATE.claimed ? 'claimed' : 'refunded';
  const found = await findEvent(parts, { named, look, kind, from });
  if (found === null)
    throw new ContractsUnsteady('no block contains the spend of a payment that the swap contract reports as spent');
  const { seen, secret } = found;
  return {
    how: kind === 'claimed' ? 'secret' : 'refund',
    tx: { tx_hex: seen.hex, tx_hash: seen.txid },
    confirmations: index.depth(seen),
    secret,
  };
}

/**
 * A claim that waits and shows the secret. A refund that waits excludes nothing: before the lock it has no effect, and from then on a claim may still come
 * first, so that a sender who keeps some waiting must not stop its receiver by them.
 */
function waitingSpend(parts: TokenParts, named: NamedPayment): PaymentSpend | null {
  const seen = seenOfAccount(parts.chain.reader.index, named.receiver).filter(({ height }) => height === null);
  for (const { made } of callsIn(seen, named)) {
    const { call, secret, from } = made;
    if (call.kind !== 'claim' || secret === null || from !== named.receiver) continue;
    if (call.amount !== named.amount || call.token !== named.token || call.party !== named.sender) continue;
    if (!secretHashMatches(hexToBytes(secret), hexToBytes(named.secretHash))) continue;
    return { how: 'secret', tx: { tx_hex: made.hex, tx_hash: made.txid }, confirmations: 0, secret };
  }
  return null;
}
