import type { JournalContext, PreparedRecord } from '../../machines/journal/context.ts';
import type { SwapRunner } from '../runtime/swap/runner.ts';
import { type Behaviour, SOUND } from '../sim/world/node.ts';
import { type EngineState, type Folded, isOld } from './engine-state.ts';

// Two states of an engine are one if nothing that it can still do distinguishes them. So keys leave out the times of
// old records and the texts of failures, and include deadlines.

const TIMES_AND_TEXTS: ReadonlySet<string> = new Set([
  'lastEventAt',
  'finishedAt',
  'takerFeeValidatedAt',
  'at',
  'error',
]);

/** Makes keys of an engine's states; `exact` distinguishes all that differ in anything. An unsound behaviour may distinguish more states. */
export type KeyOptions = {
  readonly behaviour: Behaviour | null;
  readonly exact: boolean;
  /** What the clocks of the chains can show, in seconds since 1970: a log may be older or newer than each of them. */
  readonly clocks: readonly number[];
};

export type EngineKeys = { readonly keyOf: (state: EngineState) => string };

export function createEngineKeys(
  machine: SwapRunner['kind']['machine'],
  { behaviour, exact, clocks }: KeyOptions,
): EngineKeys {
  const folds = new WeakMap<Folded, number>();
  const numbers = new Map<string, number>();
  const foldNumber = (folded: Folded): number => {
    const known = folds.get(folded);
    if (known !== undefined) return known;
    const behind = clocks.filter((clock) => clock * 1000 < folded.lastAt).length;
    const key = `${behind}|${foldKey(machine, folded)}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    folds.set(folded, number);
    return number;
  };
  const keyOf = (state: EngineState): string => {
    const { status, log, folded, facts, pending, published, restarts } = state;
    const parts = [status, foldNumber(folded), pending === null ? '' : JSON.stringify(pending)];
    if (published !== null) parts.push(`told ${published.join()}`);
    if (behaviour !== null && restarts > 0) parts.push('restarted');
    if (behaviour !== null && behaviour.load !== SOUND.load) parts.push(log.map(logKey).join());
    if (exact) parts.push(JSON.stringify(log));
    if (status === 'up') parts.push(factsKey(facts));
    return parts.join('|');
  };
  return { keyOf };
}

function logKey({ type, data }: { readonly type: string; readonly data: unknown }): string {
  const { tx, tx_hash } = (data ?? {}) as { tx?: { tx_hash: string }; tx_hash?: string };
  return `${type}${tx?.tx_hash ?? tx_hash ?? ''}`;
}

function foldKey(machine: SwapRunner['kind']['machine'], { position, journal }: Folded): string {
  const state = machine.states[position.state] as string;
  const deadlines = machine.definition.deadlines(state, position.context).map(({ kind, at }) => `${kind}${at}`);
  const { failures, ...context } = position.context as { readonly failures?: readonly { event: string }[] };
  const failed = [...new Set((failures ?? []).map(({ event }) => event))];
  const heard = state === 'negotiating' ? journal.heardAt : {};
  const told = JSON.stringify([context, journalKey(journal), heard], (name, value: unknown) =>
    TIMES_AND_TEXTS.has(name) ? undefined : value,
  );
  return [state, deadlines.join(), failed.join(), told].join('|');
}

function journalKey({ prepared, settled, messages, paused, ...rest }: JournalContext): unknown {
  const { maker, taker } = settled;
  return [
    Object.values(prepared).map((records) => records.map(recordKey).join()),
    [maker, taker].map((end) => (end === null ? '' : `${end.how}${end.by}${end.tx_hash}`)),
    messages,
    paused,
    rest.reorged.maker !== null,
    rest.reorged.taker !== null,
    rest.recoverSince !== null,
    rest.retryAt !== null,
    rest.feesAllowed,
  ];
}

function recordKey(record: PreparedRecord): string {
  const { tx, target, urgency, preparedAt, attemptedAt, acceptedAt, refused, dropped, dead } = record;
  const times = [preparedAt, attemptedAt, acceptedAt].map((at) => (at === null ? '-' : isOld(at) ? '0' : '1'));
  const flags = [...times, dropped ? '1' : '0', dead ? '1' : '0'].join('');
  return `${tx.tx_hash}>${target ?? ''}^${urgency}:${flags}${refused ?? ''}`;
}

function factsKey(facts: EngineState['facts']): string {
  const { prepared, broadcasts, feeCheck, feeChecks, inbox, sentAt, tries, missingSince } = facts;
  const parts: string[] = [];
  if (missingSince.maker !== null) parts.push(`maker missing ${missingSince.maker}`);
  if (missingSince.taker !== null) parts.push(`taker missing ${missingSince.taker}`);
  for (const [purpose, { tx_hash }] of prepared) parts.push(`made ${purpose} ${tx_hash}`);
  for (const [hash, answer] of broadcasts) parts.push(`answer ${hash} ${answer.ok ? answer.value : answer.fault.kind}`);
  if (feeCheck !== null) parts.push(`fee ${feeCheck.value} ${feeChecks}`);
  for (const message of inbox.values()) parts.push(`in ${JSON.stringify(message)}`);
  for (const kind of sentAt.keys()) parts.push(`out ${kind}`);
  for (const [key, { kind, count, next }] of tries) parts.push(`try ${key} ${kind} ${count} ${next > 0}`);
  return parts.sort().join(';');
}
