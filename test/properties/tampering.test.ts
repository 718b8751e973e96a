import { afterAll, describe, expect, it } from 'vitest';
import { encodeSavedSwap } from '../../src/events/encode.ts';
import { decodeSavedSwap, type SwapLog } from '../../src/events/saved-swap.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../src/primitives/json.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import { auditLimits } from '../../src/replay/audit/limits.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { type SingleChange, singleChanges } from '../../src/testing/drawn/mutations.ts';
import { type BuildSwapOptions, buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { limitOf } from '../support/audit-limits.ts';
import { draws, SLOW, THOROUGH } from '../support/draws.ts';
import { describeShared, manifest, readShared } from '../support/shared.ts';

/** What reader, replay and audit say about a swap; undefined where the reader refuses it. */
function complaints(swap: JsonObject): ReadonlySet<string> | undefined {
  let log: SwapLog;
  try {
    log = decodeSavedSwap(swap);
  } catch {
    return undefined;
  }
  const anomalies = replaySwap(log).anomalies.map(({ code, seq }) => `${code} at ${seq}`);
  const violations = auditSwap(log).checks.filter(({ status }) => status === 'violated');
  return new Set([...anomalies, ...violations.map(({ check, seq }) => `${check} at ${seq}`)]);
}

type Count = { changes: number; noticed: number };

const byKind = new Map<string, Count>();
const byLimit = new Map<string, number>();

function countChange(kind: string, noticed: boolean): void {
  const count = byKind.get(kind) ?? { changes: 0, noticed: 0 };
  byKind.set(kind, { changes: count.changes + 1, noticed: count.noticed + (noticed ? 1 : 0) });
}

/**
 * Of so many changes in a row of a recorded swap one is made; which ones differs from log to log. Made-up swaps are few, and take all
 * outside of `npm test`.
 */
const STEP = draws({ sample: 50, change: 13, release: 1 });

/** Makes single changes, and gives back those that neither are noticed nor belong to a documented limit. */
function unexplained(swap: JsonObject, step: number): readonly string[] {
  const before = complaints(swap) ?? new Set();
  const original = stringifyJson(swap);
  const surprises: string[] = [];
  const first = original.length % step;
  for (const change of [...singleChanges(swap)].filter((_, place) => place % step === first)) {
    const changed = change.apply();
    if (stringifyJson(changed) === original) continue;
    const after = complaints(changed);
    const noticed = after === undefined || [...after].some((complaint) => !before.has(complaint));
    countChange(change.kind, noticed);
    if (noticed) continue;
    const limit = limitOf(swap, change);
    if (limit === undefined) surprises.push(`${change.kind} ${change.path} (${typeAt(swap, change)})`);
    else byLimit.set(limit, (byLimit.get(limit) ?? 0) + 1);
  }
  return surprises;
}

function typeAt(swap: JsonObject, { seq }: SingleChange): string {
  const events = swap['events'] as readonly JsonObject[];
  const event = seq === null ? undefined : events[seq]?.['event'];
  return isJsonObject(event) ? String(event['type']) : 'beside the events';
}

/** Kinds that change what a swap is about; the others change settings, texts, estimates and single timestamps. */
const SUBSTANCE = ['duplicate', 'swapNeighbours', 'byte', 'secret', 'time', 'type', 'uuid'];

afterAll(() => {
  if (byKind.size === 0) return;
  const rows = [...byKind].map(([kind, { changes, noticed }]) => row(kind, { changes, noticed }));
  const sum = (kinds: readonly string[]) =>
    kinds
      .map((kind) => byKind.get(kind) ?? { changes: 0, noticed: 0 })
      .reduce((total, { changes, noticed }) => ({
        changes: total.changes + changes,
        noticed: total.noticed + noticed,
      }));
  const unnoticed = [...byLimit].sort(([, left], [, right]) => right - left);
  console.log(
    [
      'single changes that reader, replay or audit notice',
      ...rows,
      row('order, keys, ids, locks', sum(SUBSTANCE)),
      row('all', sum([...byKind.keys()])),
      'changes within the documented limits',
      ...unnoticed.map(([limit, count]) => `  ${limit.padEnd(26)} ${String(count).padStart(6)}`),
    ].join('\n'),
  );
});

function row(name: string, { changes, noticed }: Count): string {
  const rate = changes === 0 ? 0 : (100 * noticed) / changes;
  return `  ${name.padEnd(26)} ${String(noticed).padStart(6)} of ${String(changes).padStart(6)}  ${rate.toFixed(1)} %`;
}

describeShared('every single change of a recorded swap', () => {
  for (const { file, loadable, canonical } of manifest()) {
    if (!loadable || !canonical) continue;
    it(`is noticed or documented as not noticeable: ${file}`, () => {
      expect(unexplained(parseJson(readShared(`swaps/${file}`)) as JsonObject, STEP)).toEqual([]);
    });
  }
});

const REFUND = [
  'TakerPaymentWaitForSpendFailed',
  'TakerPaymentWaitRefundStarted',
  'TakerPaymentRefundStarted',
  'TakerPaymentRefunded',
  'TakerPaymentRefundFinished',
  'Finished',
];
const WATCHED = successPath('taker', { watchers: true });
const upTo = (type: string, then: readonly string[]) => [...WATCHED.slice(0, WATCHED.indexOf(type)), ...then];

const BUILT: Readonly<Record<string, BuildSwapOptions>> = {
  'taker, claimed': { role: 'taker', path: WATCHED },
  'taker of 2021, claimed': { role: 'taker', path: successPath('taker', { era: '2021' }), era: '2021' },
  'taker of 2019, claimed': { role: 'taker', path: successPath('taker', { era: '2019' }), era: '2019' },
  'taker, refunded': { role: 'taker', path: upTo('TakerPaymentSpent', REFUND), separateKeys: true },
  'taker, refunded by a watcher': {
    role: 'taker',
    path: upTo('TakerPaymentSpent', ['TakerPaymentRefundedByWatcher', 'Finished']),
  },
  'taker, claimed by a watcher': {
    role: 'taker',
    path: upTo('MakerPaymentSpent', ['MakerPaymentSpentByWatcher', 'MakerPaymentSpendConfirmed', 'Finished']),
    separateKeys: true,
  },
  'taker who pays in KMD': { role: 'taker', path: WATCHED, takerCoin: 'KMD', makerCoin: 'LTC' },
  'maker, claimed': { role: 'maker', path: successPath('maker') },
  'maker of 2021, claimed': { role: 'maker', path: successPath('maker', { era: '2021' }), era: '2021' },
  'maker of 2019, claimed': { role: 'maker', path: successPath('maker', { era: '2019' }), era: '2019' },
};

describe('every single change of a made-up swap', () => {
  for (const [name, options] of Object.entries(BUILT)) {
    it(`is noticed or documented as not noticeable: ${name}`, () => {
      const log = buildSwap({ seed: `tampering ${name}`, ...options });
      expect([...(complaints(encodeSavedSwap(log, 'kdf')) ?? [])]).toEqual([]);
      expect(unexplained(encodeSavedSwap(log, 'kdf'), draws({ sample: 5, change: 1 }))).toEqual([]);
    });
  }
});

describe('the documented limits', () => {
  it('are all met by some change, so that none is stale', () => {
    const met = auditLimits.map(({ limit }) => limit).filter((limit) => byLimit.has(limit));
    if (THOROUGH && manifest().length > 0) expect(met).toEqual(auditLimits.map(({ limit }) => limit));
    expect([...byLimit.keys()].filter((limit) => !auditLimits.some((known) => known.limit === limit))).toEqual([]);
  });

  it('leave most changes noticed', () => {
    const rate = (kind: string) => {
      const { changes = 1, noticed = 0 } = byKind.get(kind) ?? {};
      return noticed / changes;
    };
    for (const kind of ['type', 'swapNeighbours']) expect([kind, rate(kind)]).toEqual([kind, 1]);
    // Of a sample some kinds have few changes, whose rates say little.
    for (const kind of ['duplicate', 'time']) expect(rate(kind), kind).toBeGreaterThan(SLOW ? 0.95 : 0.5);
    for (const kind of ['byte', 'secret', 'uuid']) expect(rate(kind), kind).toBeGreaterThan(SLOW ? 0.9 : 0.5);
    expect(byKind.size).toBeGreaterThan(2);
  });
});
