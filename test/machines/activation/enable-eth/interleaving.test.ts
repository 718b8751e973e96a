import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enableEthDeadlines } from '../../../../machines/activation/enable-eth/deadlines.ts';
import type { Decision } from '../../../../machines/activation/enable-eth/decide.ts';
import { phaseOf } from '../../../../machines/activation/enable-eth/status.ts';
import type { EnableEthEventType } from '../../../../src/events/enable-eth.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { draws, SLOW } from '../../../support/draws.ts';
import { answering, ask, cancel, init, peek, SECRET_TEXT, status } from './calls.ts';
import {
  brokenInvariants,
  initialSnapshot,
  later,
  legalTypes,
  nextEvent,
  START,
  type TaskSnapshot,
  take,
  takeAll,
} from './support.ts';

const calls = [init, status, peek, answering('TrezorPin'), answering('TrezorPassphrase'), cancel];
const steps = fc.array(
  fc.record({
    /** The call to make, or null for the worker's or clock's turn. */
    call: fc.option(fc.constantFrom(...calls), { freq: 2 }),
    pick: fc.nat(),
    pause: fc.constantFrom(0, 1, 299, 300, 301),
  }),
  { minLength: 1, maxLength: 40 },
);

type Cell = 'result' | 'success' | 'NoSuchTask' | 'Internal' | 'TaskFinished';

/** The real node's table: one row per call, one column per phase. An id that was used once is not given again. */
const table: Readonly<Record<string, Readonly<Record<string, readonly Cell[]>>>> = {
  init: {
    unknown: ['result', 'Internal'],
    inProgress: ['Internal'],
    awaiting: ['Internal'],
    cancelling: ['Internal'],
    finished: ['Internal'],
  },
  status: {
    unknown: ['NoSuchTask'],
    inProgress: ['result'],
    awaiting: ['result'],
    cancelling: ['NoSuchTask'],
    finished: ['result'],
  },
  user_action: {
    unknown: ['NoSuchTask'],
    inProgress: ['Internal'],
    awaiting: ['success', 'Internal'],
    cancelling: ['Internal'],
    finished: ['Internal'],
  },
  cancel: {
    unknown: ['NoSuchTask'],
    inProgress: ['success', 'TaskFinished'],
    awaiting: ['success', 'TaskFinished'],
    cancelling: ['Internal'],
    finished: ['TaskFinished'],
  },
};

function cellOf({ answer }: Decision): string {
  if (!answer.ok) return answer.error.error_type;
  return answer.result === 'success' ? 'success' : 'result';
}

function tableCells(): string[] {
  const cells = Object.entries(table).flatMap(([method, row]) =>
    Object.entries(row).flatMap(([phase, answers]) => answers.map((answer) => `${method} ${phase} ${answer}`)),
  );
  return cells.sort();
}

/** What every call would meet in this state. A refusal changes nothing but what time has done, and the same question has the same answer. */
function cellsAt(snapshot: TaskSnapshot, at: Millis): string[] {
  return calls.map((call) => {
    const decision = ask(call, snapshot, at);
    expect(ask(call, snapshot, at)).toEqual(decision);
    const others = decision.events.filter(({ type }) => !type.endsWith('TimedOut'));
    expect(decision.answer.ok || others.length === 0).toBe(true);
    expect(table[call.method]?.[phaseOf(snapshot.value)]).toContain(cellOf(decision));
    return `${call.method} ${phaseOf(snapshot.value)} ${cellOf(decision)}`;
  });
}

/** A worker's or a clock's next event among those that the state takes; none while the task waits for a call. */
function workerEvent(snapshot: TaskSnapshot, pick: number) {
  const fromCalls: readonly EnableEthEventType[] = [
    'TaskStarted',
    'UserActionProvided',
    'WrongUserActionProvided',
    'CancelRequested',
    'Forgotten',
  ];
  const types = legalTypes(snapshot).filter((type) => !fromCalls.includes(type));
  const due = new Set<string>(enableEthDeadlines(snapshot.value, snapshot.context).map(({ kind }) => kind));
  const possible = types.filter((type) => !type.endsWith('TimedOut') || due.has(type));
  const type = possible[pick % Math.max(1, possible.length)];
  return type === undefined ? undefined : nextEvent(snapshot, type);
}

describe('any interleaving of calls and work', () => {
  it('keeps to the table, appends only legal events, and shows no secret', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(steps, (sequence) => {
        let snapshot = initialSnapshot();
        const log: unknown[] = [];
        for (const { call, pick, pause } of sequence) {
          const at = later(snapshot.context.lastEventAt ?? START, pause);
          for (const cell of cellsAt(snapshot, at)) met.add(cell);
          if (call === null) {
            const event = workerEvent(snapshot, pick);
            if (event === undefined) continue;
            log.push(event);
            snapshot = take(snapshot, event);
          } else {
            const { answer, events } = ask(call, snapshot, at);
            log.push(answer, ...events);
            snapshot = takeAll(events, snapshot);
          }
          expect(brokenInvariants(snapshot)).toEqual([]);
        }
        const everything = [log, snapshot.context];
        expect(JSON.stringify(everything)).not.toContain(SECRET_TEXT);
        expect(inspect(everything, { depth: null })).not.toContain(SECRET_TEXT);
      }),
      { numRuns: draws({ sample: 40, change: 250, release: 500 }) },
    );
    expect(tableCells()).toEqual(expect.arrayContaining([...met]));
    if (SLOW) expect([...met].sort()).toEqual(tableCells());
  });

  it('never changes a snapshot that somebody holds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (picks) => {
        let snapshot = initialSnapshot();
        const held: [TaskSnapshot, string][] = [];
        for (const pick of picks) {
          const types = legalTypes(snapshot);
          const type = types[pick % Math.max(1, types.length)];
          if (type === undefined) break;
          held.push([snapshot, JSON.stringify(snapshot.context)]);
          snapshot = take(snapshot, nextEvent(snapshot, type));
        }
        for (const [{ context }, seen] of held) expect(JSON.stringify(context)).toBe(seen);
      }),
      { numRuns: draws({ sample: 30, change: 50, release: 100 }) },
    );
  });
});
