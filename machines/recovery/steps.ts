import type { StoredTransaction } from '../../src/events/payloads.ts';
import { extractSecret } from '../../src/htlc/extract-secret.ts';
import { secretHashMatches } from '../../src/htlc/secret-hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../src/primitives/hex.ts';
import type { Party } from '../swap-verdict.ts';
import { type Fact, type FoundSpend, type LookUp, type Recovery, type RecoveryFacts, refuse } from './facts.ts';

/** A value that a step has found, or the decision that ends the search. */
export type Step<T> = { readonly found: T } | { readonly done: Recovery };

export function found<T>(value: T): Step<T> {
  return { found: value };
}

export function done(recovery: Recovery): { readonly done: Recovery } {
  return { done: recovery };
}

/** The answer to a look-up, or a request for it, or the refusal because the chain gave none. */
export function answered<T>(
  fact: Fact,
  answer: LookUp<T> | undefined,
  options: { readonly failed?: (error: string) => string } = {},
): Step<T> {
  if (answer === undefined) return done({ look: fact });
  if (answer.ok) return found(answer.value);
  return done(refuse('lookUpFailed', options.failed?.(answer.error) ?? answer.error));
}

/** Whether a chain has shown that it does not hold a payment, whatever the log says. */
export function isAbsent(payment: LookUp<unknown> | undefined): boolean {
  return payment?.ok === true && payment.value === null;
}

type Payment = { readonly logged: StoredTransaction | null; readonly missing: Recovery };

/** One of the payments: as the log holds it, else as a search of its chain finds it; `missing` if there is none. */
export function paymentOf(
  fact: 'ownPayment' | 'otherPayment',
  { logged, missing }: Payment,
  facts: RecoveryFacts,
): Step<StoredTransaction> {
  if (isAbsent(facts[fact])) return done(missing);
  if (logged !== null) return found(logged);
  const searched = answered(fact, facts[fact]);
  if ('done' in searched) return searched;
  return searched.found === null ? done(missing) : found(searched.found);
}

/** Why the real node does not try to recover a log at all: it cannot load it, or the swap goes on. */
export function unfitForKdf({ started, lastEventAt }: { readonly started: unknown; readonly lastEventAt: unknown }) {
  if (started !== null) return refuse('notFinished', 'Swap must be finished before recover funds attempt');
  const empty = lastEventAt === null;
  return refuse('notStarted', empty ? "Can't restore swap from empty events set" : 'First swap event must be Started');
}

const NAME: Readonly<Record<Party, 'Maker payment' | 'Taker payment'>> = {
  maker: 'Maker payment',
  taker: 'Taker payment',
};

/** KDF's refusal because a payment is gone; the coin is the payment's. */
export function gone(owner: Party, spend: FoundSpend, options: { readonly coin: string }): Recovery {
  const how = spend.kind === 'spent' ? 'spent' : 'refunded';
  const text = `${NAME[owner]} was already ${how} by ${options.coin} tx ${spend.tx.tx_hash}`;
  return refuse(spend.kind === 'spent' ? 'claimed' : 'otherRefunded', text);
}

/** KDF's words for a search of a payment's spend that failed. */
export function searchFailed(owner: Party): { readonly failed: (error: string) => string } {
  return { failed: (error) => `Error ${error} when trying to find ${owner} payment spend` };
}

/** The refund of an unspent own payment, or why it has to wait. */
export function refundOwn(
  owner: Party,
  own: { readonly coin: string; readonly payment: StoredTransaction },
  facts: RecoveryFacts,
): Recovery {
  if (facts.autoRefund === true) return refuse('automatic', `${NAME[owner]} will be refunded automatically!`);
  const ready = answered('refundableFrom', facts.refundableFrom);
  if ('done' in ready) return ready.done;
  if (ready.found === null) return { action: 'refundOwnPayment', coin: own.coin, payment: own.payment };
  return { ...refuse('tooEarly', `Too early to refund, wait until ${ready.found}`), from: ready.found } as Recovery;
}

/** The secret as hex if it has the hash; undefined if it is absent, hidden as zeros, or another one. */
export function matchingSecret(secret: string | null | undefined, hash: string | null): string | undefined {
  if (secret === null || secret === undefined || hash === null || !isHex(secret) || !isHex(hash)) return undefined;
  return secretHashMatches(hexToBytes(secret), hexToBytes(hash)) ? secret.toLowerCase() : undefined;
}

/** The secret that a spend shows: as the adapter read it, or from the transaction itself. */
export function secretOf(spend: FoundSpend, hash: string | null): string | undefined {
  const read = matchingSecret(spend.secret, hash);
  if (read !== undefined || hash === null || !isHex(hash) || !isHex(spend.tx.tx_hex)) return read;
  const secret = extractSecret(hexToBytes(spend.tx.tx_hex), hexToBytes(hash));
  return secret === undefined ? undefined : bytesToHex(secret);
}
