import type { SwapLog } from '../../src/events/saved-swap.ts';
import { NOTHING_SHIELDED, type ShieldedPart } from '../../src/htlc/shielded.ts';
import { type DecodedTransaction, decodeTransaction, isTransactionProblem } from '../../src/htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../src/htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import { type AuditCheck, findingsOf } from '../../src/replay/audit/report.ts';
import type { SwapRule } from '../../src/replay/audit/rule.ts';
import { auditedSwap } from '../../src/replay/audit/swap-view.ts';

/** The shielded part of a transaction of version 4 with one join split of zeros. */
export const ONE_JOIN_SPLIT: ShieldedPart = {
  ...NOTHING_SHIELDED,
  joinSplits: [new Uint8Array(1698)],
  joinSplitSeal: new Uint8Array(96),
};

export type Finding = Omit<AuditCheck, 'check'>;

/** What one rule says about a log, in its order. */
export function judge(rule: SwapRule, log: SwapLog): readonly Finding[] {
  const checks: AuditCheck[] = [];
  rule.run(auditedSwap(log), findingsOf(rule.check, checks));
  return checks.map(({ check: _, ...finding }) => finding);
}

export function verified(seq: number | null, found: string): Finding {
  return { seq, status: 'verified', found };
}

export function violated(seq: number | null, contradiction: Omit<Finding, 'seq' | 'status'>): Finding {
  return { seq, status: 'violated', ...contradiction };
}

export function notCheckable(seq: number | null, reason: string): Finding {
  return { seq, status: 'notCheckable', reason };
}

type Data = Readonly<Record<string, unknown>>;

/** The log with another payload in every event of the type. */
export function withData(log: SwapLog, type: string, change: (data: Data) => unknown): SwapLog {
  const events = log.events.map((event) =>
    event.type === type ? { ...event, data: change((event.data ?? {}) as Data) } : event,
  );
  return { ...log, events };
}

/** The log with these members in every payload of the type; an undefined one is taken out. */
export function withMembers(log: SwapLog, type: string, members: Data): SwapLog {
  return withData(log, type, (data) => {
    const kept = Object.entries({ ...data, ...members }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(kept);
  });
}

/** The log with these members beside its events. */
export function withHead(log: SwapLog, members: Data): SwapLog {
  return { ...log, head: { ...log.head, ...members } };
}

export function without(log: SwapLog, ...types: readonly string[]): SwapLog {
  return { ...log, events: log.events.filter(({ type }) => !types.includes(type)) };
}

/** The log with other timestamps, in milliseconds. */
export function withTimes(log: SwapLog, times: Readonly<Record<string, number>>): SwapLog {
  const events = log.events.map((event) => ({ ...event, at: (times[event.type] ?? event.at) as typeof event.at }));
  return { ...log, events };
}

export function seqOf(log: SwapLog, type: string): number {
  return log.events.findIndex((event) => event.type === type);
}

/** Hex and id of a transaction. */
export function sealed(transaction: DecodedTransaction) {
  const bytes = encodeTransaction(transaction);
  return { tx_hex: bytesToHex(bytes), tx_hash: transactionId(bytes, transaction) };
}

export function decodedHex(hex: string): DecodedTransaction {
  const decoded = decodeTransaction(hexToBytes(hex));
  if (isTransactionProblem(decoded)) throw new TypeError(decoded.problem);
  return decoded;
}

/** The log with another transaction in the event, whose id is made anew. */
export function withTransaction(
  log: SwapLog,
  type: string,
  change: (transaction: DecodedTransaction) => Partial<DecodedTransaction>,
): SwapLog {
  const changed = (tx_hex: unknown) => {
    const before = decodedHex(String(tx_hex));
    return sealed({ ...before, ...change(before) });
  };
  return withData(log, type, (data) =>
    'transaction' in data
      ? { ...data, transaction: changed((data['transaction'] as Data)['tx_hex']) }
      : { ...data, ...changed(data['tx_hex']) },
  );
}

/** The decoded transaction of an event. */
export function transactionOf(log: SwapLog, type: string): DecodedTransaction {
  const data = log.events.find((event) => event.type === type)?.data as Data;
  return decodedHex(String((data['transaction'] as Data | undefined)?.['tx_hex'] ?? data['tx_hex']));
}
