import type { Watch } from '../../../../src/events/watcher.ts';
import { completeSpendPreimage } from '../../../../src/htlc/htlc-input.ts';
import { secretHashMatches } from '../../../../src/htlc/secret-hash.ts';
import { isTransactionProblem } from '../../../../src/htlc/transaction.ts';
import type { ChainFault, PrepareRequest, SignedTransaction } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { AskResult, Command, Leg, Question } from '../../../../src/runtime/command.ts';
import { utxoTransactionId } from '../../../../src/runtime/watcher/terms.ts';

type Tx = { readonly tx_hex: string; readonly tx_hash: string };

/** What happens to one payment; `at` in seconds after the swap's start. */
export type Happening = { readonly at: number } & (
  | { readonly kind: 'funded'; readonly problem?: string }
  | { readonly kind: 'unfunded' }
  /** Ignored where the payment is spent already, unless it replaces what has no confirmation yet. */
  | {
      readonly kind: 'spent';
      readonly how: 'secret' | 'refund';
      readonly tx: Tx;
      readonly secret: string | null;
      readonly replaces?: boolean;
    }
  | { readonly kind: 'unspent' }
);

/** What is wrong with the answers to a question, from and until seconds after the swap's start. */
export type Trouble = {
  readonly leg: Leg;
  readonly op: Question['op'] | 'any';
  readonly from: number;
  readonly until: number;
  readonly fault: ChainFault;
  /** The question has its effect all the same; only the answer is lost. */
  readonly unanswered?: boolean;
};

export type Script = {
  /** Answers to the checks of the fee, in order; the last one is repeated. */
  readonly fee: readonly (string | null)[];
  readonly taker: readonly Happening[];
  readonly maker: readonly Happening[];
  readonly troubles: readonly Trouble[];
  /** How far the chains' own clocks are behind, in seconds. @defaultValue 360, as the median time past of minute blocks */
  readonly lag?: number;
};

type Payment = {
  funded: number | null;
  problem: string | null;
  spend: { readonly how: 'secret' | 'refund'; readonly tx: Tx; readonly secret: string | null; at: number } | null;
  readonly left: Happening[];
};

export type World = {
  readonly answer: (command: Extract<Command, { kind: 'ask' }>, now: number) => AskResult;
  /** What the payment's spend is in truth. */
  readonly spendOf: (leg: Leg) => Payment['spend'];
  readonly isRefundable: (leg: Leg, now: number) => boolean;
};

const BLOCK = 60;
const LAG = 6 * BLOCK;

/** Two chains that do what a script says. Times in milliseconds; a block each minute after a transaction was seen. */
export function scriptedWorld(script: Script, watch: Watch): World {
  const start = watch.swap_started_at;
  const payments: Record<Leg, Payment> = {
    maker: { funded: null, problem: null, spend: null, left: [...script.maker] },
    taker: { funded: null, problem: null, spend: null, left: [...script.taker] },
  };
  const lag = script.lag ?? LAG;
  const fees = [...script.fee];
  const known = new Set<string>();
  const lockOf = (leg: Leg) => start + watch.lock_duration * (leg === 'taker' ? 1 : 2);
  const depth = (since: number, now: number) => Math.floor((now - since) / BLOCK);

  const view = (leg: Leg, now: number): AskResult => {
    const { funded, problem, spend } = payments[leg];
    const hash = leg === 'taker' ? watch.taker_payment_hash : watch.maker_payment_hash;
    const clock = (now - lag) as never;
    return {
      ok: true,
      value: {
        funding: funded === null ? null : { tx: { tx_hex: 'aa', tx_hash: hash }, confirmations: depth(funded, now) },
        problem,
        spend: spend === null ? null : { ...spend, confirmations: depth(spend.at, now) },
        refundable: clock > lockOf(leg),
        clock,
        height: depth(start, now),
      },
    };
  };

  const transaction = (leg: Leg, hash: string, now: number): AskResult => {
    const { funded, spend } = payments[leg];
    const funding = leg === 'taker' ? watch.taker_payment_hash : watch.maker_payment_hash;
    if (hash === funding && funded !== null) return found(depth(funded, now));
    if (spend?.tx.tx_hash === hash) return found(depth(spend.at, now));
    const confirmations = spend === null ? 0 : depth(spend.at, now);
    if (!known.has(hash) || confirmations === 0) return { ok: true, value: { status: 'unknown', confirmations: 0 } };
    return { ok: true, value: { status: 'conflicted', confirmations } };
  };

  const prepare = (request: PrepareRequest): AskResult => {
    if (request.purpose !== 'completePreimage') return refused('unsupported', request.purpose);
    if (payments.maker.funded === null) return refused('unavailable', 'missing inputs');
    const tx_hex = completed(request.preimage, request.secret);
    if (!secretHashMatches(hexToBytes(request.secret), hexToBytes(watch.secret_hash))) {
      return refused('invalid', 'the secret does not have the hash that the payment asks for');
    }
    if (tx_hex === null) return refused('invalid', 'the bytes are no preimage of a spend');
    const tx_hash = utxoTransactionId(tx_hex);
    known.add(tx_hash);
    return {
      ok: true,
      value: { tx_hex, tx_hash, spends: [`${watch.maker_payment_hash}:0`], fee: '0.00001' as DecimalText },
    };
  };

  const broadcast = (leg: Leg, { tx_hex, tx_hash }: SignedTransaction, now: number): AskResult => {
    const payment = payments[leg];
    if (payment.funded === null) return refused('unavailable', 'missing inputs');
    if (tx_hash !== utxoTransactionId(tx_hex)) return refused('invalid', 'the id is not that of the bytes');
    const { spend } = payment;
    if (spend?.tx.tx_hex === tx_hex) return { ok: true, value: depth(spend.at, now) > 0 ? 'confirmed' : 'known' };
    if (spend !== null && depth(spend.at, now) > 0) return refused('inputsSpent', 'another transaction took the input');
    if (spend !== null) return refused('feeTooLow', 'does not pay more than what it replaces');
    const how = leg === 'taker' ? 'refund' : 'secret';
    if (how === 'refund' && now - lag <= lockOf(leg)) return refused('notFinal', 'non-final');
    payment.spend = { how, tx: { tx_hex, tx_hash }, secret: null, at: now };
    return { ok: true, value: 'sent' };
  };

  const perform = (leg: Leg, question: Question, now: number): AskResult => {
    switch (question.op) {
      case 'checkFee':
        return { ok: true, value: (fees.length > 1 ? fees.shift() : fees[0]) ?? null };
      case 'payment':
        return view(leg, now);
      case 'transaction':
        return transaction(leg, question.hash, now);
      case 'prepare':
        return prepare(question.request);
      case 'broadcast':
        return broadcast(leg, question.transaction, now);
      default:
        return refused('unsupported', question.op);
    }
  };

  return {
    spendOf: (leg) => payments[leg].spend,
    isRefundable: (leg, now) => now / 1000 - lag > lockOf(leg),
    answer: ({ leg, question }, nowMillis) => {
      const now = nowMillis / 1000;
      for (const each of ['maker', 'taker'] as const) happen(payments[each], { start, now });
      const trouble = script.troubles.find(
        (one) =>
          one.leg === leg &&
          (one.op === 'any' || one.op === question.op) &&
          now - start >= one.from &&
          now - start < one.until,
      );
      if (trouble === undefined) return perform(leg, question, now);
      if (trouble.unanswered === true) perform(leg, question, now);
      return { ok: false, fault: trouble.fault };
    },
  };
}

function happen(payment: Payment, { start, now }: { readonly start: number; readonly now: number }): void {
  for (;;) {
    const [next] = payment.left;
    if (next === undefined || start + next.at > now) return;
    payment.left.shift();
    const at = start + next.at;
    if (next.kind === 'funded') {
      payment.funded = at;
      payment.problem = next.problem ?? null;
    } else if (next.kind === 'unfunded') payment.funded = null;
    else if (next.kind === 'unspent') payment.spend = null;
    else if (payment.spend === null || next.replaces === true) {
      payment.spend = { how: next.how, tx: next.tx, secret: next.secret, at };
    }
  }
}

function found(confirmations: number): AskResult {
  return { ok: true, value: { status: confirmations > 0 ? 'confirmed' : 'mempool', confirmations } };
}

function refused(kind: ChainFault['kind'], message: string): AskResult {
  return { ok: false, fault: { kind, message } };
}

/** Bytes that start with c0 are of a chain whose transactions nobody but its adapter can read. */
export const OPAQUE = 'c0';

function completed(preimage: string, secret: string): string | null {
  if (preimage.startsWith(OPAQUE)) return preimage + secret;
  const bytes = completeSpendPreimage(hexToBytes(preimage), hexToBytes(secret));
  return isTransactionProblem(bytes) ? null : bytesToHex(bytes);
}
