import { describe, expect, it } from 'vitest';
import type { Anomaly } from '../../../../src/events/anomaly.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { addSeconds, unixSecondsOf } from '../../../../src/primitives/time.ts';
import { explainSwap } from '../../../../src/replay/explain.ts';
import { replaySwap } from '../../../../src/replay/swaps.ts';
import { traceSwap } from '../../../../src/replay/trace.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const path = successPath('taker');
const log = buildSwap({ role: 'taker', path, seed: 'explain' });
const note = (seq: number | null): Anomaly => ({ seq, code: 'SEQ_GAP', severity: 'fault', message: `at ${seq}` });

describe('the headline', () => {
  const headline = (role: 'taker' | 'maker', events: readonly string[]) =>
    explainSwap(buildSwap({ role, path: events, seed: 'explain' })).headline;

  it('says what is traded and how it stands', () => {
    expect(headline('taker', path)).toBe("A taker's swap of 2.4 MARTY for 2.4 DOC: it is completed.");
    expect(headline('maker', ['Started', 'Negotiated'])).toBe(
      "A maker's swap of 2.4 DOC for 2.4 MARTY: it is under way.",
    );
  });

  it('says where the coins are not known', () => {
    const head = { ...log.head, maker_coin: null, taker_coin: null } as SwapLog['head'];
    expect(explainSwap({ ...log, head, events: [] }).headline).toMatch(/^A taker's swap of unknown coins: /);
  });
});

describe('what happened', () => {
  it('is each event with its sentence and the time since the one before it', () => {
    const { happened } = explainSwap(log);
    const steps = traceSwap(log);
    expect(happened).toEqual(
      log.events.map(({ type, at }, seq) => {
        const before = log.events[seq - 1]?.at;
        const after = before === undefined ? null : at - before;
        return { seq, at, after, type, sentence: steps[seq]?.sentence };
      }),
    );
    expect(happened[0]?.after).toBeNull();
    expect(happened[1]?.after).toBeGreaterThan(0);
  });
});

describe('a log cut after one of its events', () => {
  it('is explained with what was noted up to there', () => {
    const noted = { ...log, anomalies: [note(null), note(2), note(3), note(4)] };
    const { anomalies, upTo, of, happened } = explainSwap(noted, { upTo: 3 });
    expect(anomalies.map(({ seq }) => seq)).toEqual([null, 2, 3]);
    expect([upTo, of, happened.length]).toEqual([3, path.length, 4]);
    expect(explainSwap(noted).anomalies).toHaveLength(4);
  });

  it('is the whole log at its last event', () => {
    const last = path.length - 1;
    const noted = { ...log, anomalies: [note(path.length)] };
    expect(explainSwap(noted, { upTo: last })).toEqual(explainSwap(noted));
    expect(explainSwap(noted).upTo).toBe(last);
  });

  it('is refused at an invalid position', () => {
    for (const upTo of [-1, path.length, 0.5, Number.NaN]) {
      expect(() => explainSwap(log, { upTo })).toThrow(
        new RangeError(`not a position of a log with ${path.length} events: ${upTo}`),
      );
    }
    expect(explainSwap(log, { upTo: 0 }).upTo).toBe(0);
  });
});

describe('the sections', () => {
  it('show the state, the outcome and the flags of the real node', () => {
    const { state, outcome, kdf, uuid, role } = explainSwap(log);
    expect({ state, outcome, kdf, uuid, role }).toEqual({
      state: 'finished',
      outcome: 'completed',
      kdf: { finished: true, success: true, recoverable: false },
      uuid: log.uuid,
      role: 'taker',
    });
  });

  it('depend on a clock only where there is one', () => {
    const upTo = path.indexOf('TakerPaymentSent');
    const now = addSeconds(unixSecondsOf(Math.floor((log.events[0]?.at ?? 0) / 1000)), 600);
    expect(JSON.stringify(explainSwap(log, { upTo }))).not.toContain(' left.');
    expect(explainSwap(log, { upTo, now }).funds[0]).toContain('UTC (in ');
  });
});

it('a swap that its log leaves half done is not called under way once the time of its step has passed', () => {
  const half = buildSwap({ role: 'taker', path: path.slice(0, 8), seed: 'half done' });
  const until = replaySwap(half).next?.until ?? null;
  if (until === null) throw new Error('the step has no end');
  const headlineAt = (now: number) => explainSwap(half, { now: unixSecondsOf(now) }).headline;
  expect(headlineAt(until)).toMatch(/: it is under way\.$/);
  expect(headlineAt(until + 1)).toMatch(
    /: it was under way where the log ends, and the time of its next step has passed\.$/,
  );
});
