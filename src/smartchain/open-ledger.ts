import type { EventLog } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { noneSent } from './chain/sent.ts';
import { blockTree } from './chain/tree.ts';
import { paramsText, writtenPassiveEvals } from './chain-rules.ts';
import { readLedgerEvent } from './ledger-events.ts';
import type { ChainParams } from './params.ts';
import { type Replayed, replayRecord } from './replay-ledger.ts';
import { readSnapshot } from './snapshot/read.ts';
import type { SnapshotStore } from './snapshot/store.ts';

export type LedgerPlace = {
  readonly log: EventLog;
  readonly stream: string;
  /** The rules that the caller wants. */
  readonly params: ChainParams;
  /** Whether the caller named passive codes; if not, a chain keeps those that it was started with. */
  readonly namesEvals: boolean;
  readonly snapshots?: SnapshotStore | undefined;
};

export type OpenedLedger = Replayed & {
  /** Records in the log. */
  length: number;
  /** Records that the last snapshot covers; 0 without one. */
  kept: number;
  /** Hash of the last record; empty before the first. */
  head: string;
};

/**
 * The state after the records of a ledger: from a snapshot if one matches the log, otherwise from the first record. A snapshot matches if its digest
 * is right, its chain has these rules, and the log holds the very record under the number and the hash in its seal, which is chained to all earlier
 * records.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID, SMARTCHAIN_LEDGER_DAMAGED as {@link replayRecord}; LogError as the log throws.
 */
export async function openLedger(place: LedgerPlace): Promise<OpenedLedger> {
  const { opened, records } = (await fromSnapshot(place)) ?? (await fromLog(place));
  for (const envelope of records) {
    const { seq, at, hash } = envelope;
    replayRecord(opened, { event: readLedgerEvent(envelope), stream: place.stream, seq, at });
    opened.length = seq + 1;
    opened.head = hash;
  }
  return opened;
}

type Start = { readonly opened: OpenedLedger; readonly records: readonly Envelope[] };

async function fromLog(place: LedgerPlace): Promise<Start> {
  const records = await place.log.read(place.stream);
  const [first] = records;
  const created = first === undefined ? undefined : readLedgerEvent(first);
  const params = created?.type === 'ChainCreated' ? rulesOf(place, created.data.params) : place.params;
  return { opened: { tree: blockTree(params), sent: noneSent(), length: 0, kept: 0, head: '' }, records };
}

async function fromSnapshot(place: LedgerPlace): Promise<Start | undefined> {
  const { log, stream, snapshots } = place;
  const bytes = await snapshots?.load();
  const snapshot = bytes === undefined ? undefined : readSnapshot(bytes);
  if (snapshot === undefined || snapshot.stream !== stream || snapshot.length === 0) return undefined;
  const { length, head } = snapshot;
  const params = rulesOf(place, snapshot.params);
  if (paramsText(params) !== snapshot.params) return undefined;
  const [last, ...records] = await log.read(stream, length - 1);
  if (last?.seq !== length - 1 || last.hash !== head) return undefined;
  const restored = snapshot.restore(params);
  return restored === undefined ? undefined : { opened: { ...restored, length, kept: length, head }, records };
}

/** The default has changed since the first release: a chain keeps the codes that it was started with. */
function rulesOf({ params, namesEvals }: LedgerPlace, written: string): ChainParams {
  const passiveEvals = namesEvals ? undefined : writtenPassiveEvals(written);
  return passiveEvals === undefined ? params : { ...params, passiveEvals };
}
