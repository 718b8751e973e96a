import { secretHashMatches } from '../../htlc/secret-hash.ts';
import type { ClaimHtlc, CreateHtlc } from '../../htlc/tendermint-messages.ts';
import type { Answer, LockExpiry, PaymentQuery, PaymentSpend, PaymentView } from '../../ports/chain.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import { type Height, heightOf } from '../../primitives/time.ts';
import { fault, ok } from '../accounts/answers.ts';
import type { Parts } from './parts.ts';
import { claimOf, type Finding, fundingOf, isClaim } from './payment-transactions.ts';
import type { TendermintLook } from './reader.ts';
import { callOf, callProblem, isUnderId, lockProblem, type Named, namedOf, storedProblem } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

type Asked = { readonly query: PaymentQuery; readonly look: TendermintLook };

const INEXPRESSIBLE = 'These terms cannot be written as a payment of the HTLC module';

/**
 * Where a payment stands: by what the HTLC module keeps under its id, whichever transaction made it. The module's word decides whether it fulfils the
 * terms and when it ends, and the index of the nodes tells in which transactions it was made and claimed.
 */
export async function paymentOf(parts: Parts, { query, look }: Asked): Promise<Answer<PaymentView>> {
  const named = namedOf(query.terms, parts);
  if (named === null) return ok(viewOf({ query, look }, { problem: INEXPRESSIBLE }));
  const shown = query.claimed === undefined ? undefined : madeOf(query.claimed);
  const stored = await look.payment(named.id);
  if (stored === null) return ok(await waitingView(parts, { query, look, named, shown }));
  const expiry = { unit: 'blocks', at: blockOf(stored.expirationHeight), now: heightOf(look.head.height) } as const;
  const paid = await fundingOf({ look, named, stored }, shown ?? null);
  if (paid === null) return fault('unknown', 'no node has found the transaction of a payment that the module holds');
  const { height } = paid;
  const funding = { tx: paid.tx, confirmations: look.head.height - height + 1 };
  const spend = await spendOf(parts, { look, named, stored });
  if (spend === 'unread')
    return fault('unknown', 'no node has found the transaction of a claim that the module reports');
  const block = await look.block(height);
  if (block === null)
    return fault('unknown', `no node has block ${height}, whose time decides whether a lock has passed`);
  const made = shown === undefined ? madeOf(paid.tx.tx_hex) : shown;
  const lock = { named, paidAt: block.time, blockTime: parts.coin.blockTime };
  const problem =
    storedProblem(stored, named) ??
    lockProblem(expiry.at - height, lock) ??
    namedProblem({ named, made, paid: paid.tx.tx_hash });
  return ok(viewOf({ query, look }, { funding, spend, problem, expiry }));
}

function blockOf(height: bigint): Height {
  return heightOf(Number(height));
}

type Told = Partial<Pick<PaymentView, 'funding' | 'problem' | 'spend' | 'expiry'>>;

function viewOf({ query, look }: Asked, { funding = null, problem = null, spend = null, expiry }: Told): PaymentView {
  const { time, height } = look.head;
  // Until a block holds the payment its end is not counted yet.
  const end: LockExpiry = expiry ?? { unit: 'seconds', at: query.terms.lock, now: time };
  return { funding, problem, spend, refundable: end.now >= end.at, clock: time, height, expiry: end };
}

type Naming = {
  readonly named: Named;
  /** Null if its bytes cannot be read. */
  readonly made: Made | null;
  /** Id of the transaction that made the payment; empty if there is none. */
  readonly paid: string;
};

/** Why the transaction shown for a payment does not make it. */
function namedProblem({ named, made, paid }: Naming): string | null {
  if (made === null) return 'Provided payment tx cannot be read';
  // Its maker made it as the module says, perhaps with one of several messages.
  return made.id === paid ? null : callProblem(made, named);
}

type Waiting = Asked & {
  readonly named: Named;
  /** Undefined if none is named; null if its bytes cannot be read. */
  readonly shown: Made | null | undefined;
};

/** No block holds the payment: reports one that waits. */
async function waitingView(parts: Parts, { query, look, named, shown }: Waiting): Promise<PaymentView> {
  const payments = await waitingFor(look, named, (call) => call.kind === 'create' && isUnderId(call, named));
  const found = payments.find(({ made }) => callProblem(made, named) === null) ?? payments[0];
  const made = shown === undefined ? found?.made : shown;
  const problem =
    made === undefined ? null : (namedProblem({ named, made, paid: '' }) ?? earlyEnd(parts, { look, named, made }));
  const tx = found === undefined ? null : { tx_hex: found.made.hex, tx_hash: found.made.id };
  return viewOf({ query, look }, { funding: tx === null ? null : { tx, confirmations: 0 }, problem });
}

/** As if the next block held it. */
function earlyEnd(
  { coin }: Parts,
  { look, named, made }: { look: TendermintLook; named: Named; made: Made | null },
): string | null {
  const call = made === null ? null : callOf(made, named);
  if (call?.kind !== 'create') return null;
  const lock = { named, paidAt: look.head.time, blockTime: coin.blockTime };
  return lockProblem(Number(call.timeLock), lock);
}

type Call = CreateHtlc | ClaimHtlc;
type WaitingCall = { readonly made: Made; readonly call: Call };

async function waitingFor(
  look: TendermintLook,
  named: Named,
  is: (call: Call) => boolean,
): Promise<readonly WaitingCall[]> {
  return (await look.waiting()).flatMap((hex) => {
    const made = madeOf(hex);
    const call = made === null ? null : callOf(made, named);
    return made !== null && call !== null && is(call) ? [{ made, call }] : [];
  });
}

async function spendOf(parts: Parts, { look, named, stored }: Finding): Promise<PaymentSpend | null | 'unread'> {
  if (stored.state === 'open') return waitingSpend(parts, { look, named });
  const confirmations = Math.max(0, look.head.height - Number(stored.closedBlock) + 1);
  if (stored.state === 'refunded') return { how: 'refund', tx: null, confirmations, secret: null };
  const claim = await claimOf({ look, named, stored });
  const secret = stored.secret.toLowerCase();
  if (claim === null || !opensBy(secret, named)) return 'unread';
  return { how: 'secret', tx: claim, confirmations, secret };
}

/** A claim that waits and shows the secret. Anybody may claim for the receiver, who must not be stopped by one that is too cheap. */
async function waitingSpend(
  { account }: Parts,
  { look, named }: Pick<Finding, 'look' | 'named'>,
): Promise<PaymentSpend | null> {
  const claims = await waitingFor(look, named, (call) => isClaim(call, named));
  for (const { made, call } of claims) {
    if (call.kind !== 'claim' || !opensBy(call.secret.toLowerCase(), named)) continue;
    if (named.receiver === account.address && made.from !== account.account) continue;
    const tx = { tx_hex: made.hex, tx_hash: made.id };
    return { how: 'secret', tx, confirmations: 0, secret: call.secret.toLowerCase() };
  }
  return null;
}

function opensBy(secret: string, { secretHash }: Named): boolean {
  return isHex(secret) && secret.length === 64 && secretHashMatches(hexToBytes(secret), hexToBytes(secretHash));
}
