import type { JournalPayloads, Purpose } from '../../events/journal.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { SeenTransaction } from '../chains/types.ts';
import type { IncidentParty, IncidentRun, SeenBroadcast } from './incident.ts';

/** Type of a record, with the purpose of its transaction where it has one: `TransactionPrepared:claim`. */
export function labelOf({ type, data }: Pick<NewRecord, 'type' | 'data'>): string {
  const purpose = typeof data === 'object' && data !== null ? (data as { readonly purpose?: unknown }).purpose : null;
  return typeof purpose === 'string' ? `${type}:${purpose}` : type;
}

/** Whether a log holds a record of this label; a label without a purpose stands for any. */
export function holds(records: readonly NewRecord[], label: string): boolean {
  return records.some((record) => isLabelled(record, label));
}

export function isLabelled(record: Pick<NewRecord, 'type' | 'data'>, label: string): boolean {
  return record.type === label || labelOf(record) === label;
}

/** The records of a journal type, for one purpose if given. */
export function journalOf<T extends keyof JournalPayloads>(
  records: readonly NewRecord[],
  type: T,
  purpose?: Purpose,
): readonly { readonly at: number; readonly data: JournalPayloads[T] }[] {
  const label = purpose === undefined ? type : `${type}:${purpose}`;
  return records
    .filter((record) => isLabelled(record, label))
    .map(({ at, data }) => ({ at, data: data as JournalPayloads[T] }));
}

/** The message of the first record of this type that has one. */
export function errorOf(records: readonly NewRecord[], type: string): string | null {
  const found = records.find((record) => record.type === type);
  return (found?.data as { readonly error?: string } | null | undefined)?.error ?? null;
}

/** Transactions of a party that its own chain, or the other one, has ever seen for a purpose. */
export function seenOf(
  { world }: IncidentRun,
  party: IncidentParty,
  purpose: SeenTransaction['purpose'],
): readonly SeenTransaction[] {
  const chain = purpose === 'claim' ? (party === 'maker' ? 'taker' : 'maker') : party;
  return world.chains[chain].ledger.transactions(party).filter((seen) => seen.purpose === purpose);
}

/** Null if the condition holds, else the text. */
export function unless(condition: boolean, text: string): string | null {
  return condition ? null : text;
}

/** The first problem of several; null if there is none. */
export function firstOf(...problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

/** Null if a party has put one payment on its chain and no other was ever seen, even in the mempool. */
export function onePaymentOnly(run: IncidentRun, party: IncidentParty): string | null {
  const hashes = new Set(seenOf(run, party, 'payment').map(({ hash }) => hash));
  return unless(hashes.size <= 1, `${hashes.size} payments of the ${party} were seen`);
}

/** Null when a broadcast of the party for this purpose got one of these answers. */
export function answeredOnce(
  { broadcasts }: IncidentRun,
  wanted: {
    readonly party: IncidentParty;
    readonly purpose: Purpose;
    readonly answers: readonly SeenBroadcast['answer'][];
  },
): string | null {
  const { party, purpose, answers } = wanted;
  const found = broadcasts.some(
    (seen) => seen.party === party && seen.purpose === purpose && answers.includes(seen.answer),
  );
  return unless(found, `no broadcast of the ${purpose} of the ${party} was answered with ${answers.join(' or ')}`);
}
