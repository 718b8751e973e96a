import { describe, expect, it } from 'vitest';
import { initialJournalContext } from '../../../../machines/journal/context.ts';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import type { Height, Millis, UnixSeconds } from '../../../../src/primitives/time.ts';
import { type Command, NEVER } from '../../../../src/runtime/command.ts';
import { initialFacts } from '../../../../src/runtime/facts.ts';
import { decideSparing, isRecent, recentUntil, type Spared } from '../../../../src/runtime/swap/sparing.ts';
import { inMillis, looked } from '../../../support/effect-turns.ts';
import { NOW, preparedOf } from '../../../support/turns.ts';

/** A lock of 7800 s: a fifth of it is 1560 s, a quarter of that 390 s. */
const MARGIN = 1560;
const WITHIN = 390_000;
const seconds = (after: number) => (NOW / 1000 + after) as UnixSeconds;
const raceTo = (after: number) => ({ lock: seconds(after), margin: MARGIN });
const WAIT: Command = { kind: 'wait', until: NEVER };
const ACT: Command = { kind: 'append', events: [] };

type Changes = Partial<Omit<Spared, 'journal'>> & {
  readonly view?: Partial<PaymentView>;
  readonly attempted?: boolean;
};

/** What is decided about a look of that age that may be 40 s old, and whether it was recent at each time of asking. */
function decided(age: number, command: (recent: boolean) => Command, changes: Changes = {}) {
  const { view, attempted = false, ...rest } = changes;
  const facts = initialFacts();
  facts.told = { maker: true, taker: false };
  const role = changes.role ?? 'taker';
  if (view !== undefined) facts.payments[role === 'maker' ? 'taker' : 'maker'] = looked(view);
  const turn = { now: NOW, facts, spare: null, wakeAt: NEVER };
  const journal = initialJournalContext();
  if (attempted) journal.prepared.claim = [preparedOf()];
  const answers: boolean[] = [];
  const found = decideSparing(
    turn,
    {
      policy: { safetyLook: 600 },
      journal,
      role,
      race: raceTo(9000),
      margin: MARGIN,
      claimed: false,
      traits: { maker: { blockTime: 60 }, taker: { blockTime: 60 } },
      ...rest,
    },
    () => {
      const given = { leg: 'maker', at: inMillis(-age), maxAge: 40 } as const;
      const recent = isRecent(turn, given);
      answers.push(recent);
      turn.wakeAt = Math.min(turn.wakeAt, recentUntil(turn, given)) as Millis;
      return command(recent);
    },
  );
  return { found, answers, wakes: turn.wakeAt - NOW };
}

const waiting = (age: number, changes: Changes = {}) => decided(age, () => WAIT, changes).answers;

describe('a look that a complete feed keeps recent', () => {
  it('is recent for a quarter of the margin, or for as long as the policy says', () => {
    expect(waiting(40_000)).toEqual([true]);
    expect(waiting(WITHIN)).toEqual([true]);
    expect(waiting(WITHIN + 1)).toEqual([false]);
    expect(waiting(100_001, { policy: { safetyLook: 100 } })).toEqual([false]);
    expect(waiting(40_001, { policy: { safetyLook: 0 } })).toEqual([false]);
    expect(waiting(390_001, { margin: 6240 })).toEqual([true]);
    expect(waiting(600_001, { margin: 6240 })).toEqual([false]);
  });

  it('does not exist on a chain whose feed is incomplete', () => {
    const facts = { ...initialFacts(), told: { maker: false, taker: true } };
    const spare = { legs: facts.told, within: WITHIN, used: false };
    const turn = { now: NOW, facts, spare, wakeAt: NEVER };
    expect(isRecent(turn, { leg: 'maker', at: inMillis(-40_001), maxAge: 40 })).toBe(false);
    expect(recentUntil(turn, { leg: 'maker', at: NOW, maxAge: 40 })).toBe(NOW + 40_000);
    // The last millisecond in which it is: the next whole one is too late.
    expect(recentUntil(turn, { leg: 'maker', at: NOW, maxAge: 40 / 3 })).toBe(NOW + 13_333);
    expect(recentUntil(turn, { leg: 'taker', at: NOW, maxAge: 40 })).toBe(NOW + WITHIN);
    expect(recentUntil(turn, { leg: 'taker', at: NOW, maxAge: 900 })).toBe(NOW + 900_000);
    expect(spare.used).toBe(false);
  });
});

describe('F1: a decision that rests on such a look', () => {
  const op = (name: string): Command => ({ kind: 'ask', leg: 'taker', key: name, question: { op: name } as never });
  const send: Command = { kind: 'send', topic: 't', message: { kind: 'negotiated', accepted: true } };

  it.each([ACT, op('prepare'), op('broadcast'), op('checkFee'), { kind: 'done' } as const])(
    'is taken again without it: %o',
    (act) => {
      const { found, answers } = decided(41_000, (recent) => (recent ? act : op('payment')));
      expect([found, answers]).toEqual([op('payment'), [true, false]]);
    },
  );

  it.each([WAIT, send, op('payment'), op('transaction'), op('quote')])(
    'stands where it changes nothing: %o',
    (idle) => {
      const { found, answers } = decided(41_000, (recent) => (recent ? idle : ACT));
      expect([found, answers]).toEqual([idle, [true]]);
    },
  );

  it('is the same if the look is recent by itself', () => {
    expect(decided(39_000, () => ACT)).toMatchObject({ found: ACT, answers: [true] });
  });
});

describe('F2: nothing is spared', () => {
  it('a taker after the start of the margin before the lock that it claims on; until then it wakes at that moment', () => {
    expect(waiting(41_000, { race: raceTo(MARGIN + 1) })).toEqual([true]);
    expect(decided(300_000, () => WAIT, { race: raceTo(MARGIN + 7) }).wakes).toBe(7000);
    for (const lock of [MARGIN, 0, -1, -90_000]) expect(waiting(41_000, { race: raceTo(lock) })).toEqual([false]);
  });

  it('by the latest of the clocks', () => {
    const view = { clock: seconds(8000) };
    expect(waiting(41_000, { view })).toEqual([false]);
    expect(waiting(41_000, { view: { clock: seconds(9000 - MARGIN - 1) } })).toEqual([true]);
  });

  it('if the lock counts blocks, as if they came a quarter faster', () => {
    const left = (blocks: number) => ({
      expiry: { unit: 'blocks', at: (100 + blocks) as Height, now: 100 as Height } as const,
    });
    // 33 blocks of 60 s take 1584 s at the least, 32 take 1536 s.
    expect(waiting(41_000, { view: left(33) })).toEqual([true]);
    expect(waiting(41_000, { view: left(32) })).toEqual([false]);
    expect(waiting(41_000, { view: left(33), traits: { maker: {}, taker: { blockTime: 60 } } })).toEqual([false]);
  });

  it('a maker whose claim races the refund; one that has shown nothing waits for its own', () => {
    const late = { role: 'maker', race: raceTo(-1) } as const;
    expect(waiting(41_000, late)).toEqual([true]);
    expect(waiting(41_000, { ...late, claimed: true })).toEqual([false]);
    expect(waiting(41_000, { ...late, attempted: true })).toEqual([false]);
    expect(waiting(41_000, { ...late, race: raceTo(0) })).toEqual([false]);
    expect(waiting(41_000, { ...late, race: raceTo(MARGIN) })).toEqual([false]);
  });

  it('by a feed while nothing is locked, for a quarter of the margin too', () => {
    expect(waiting(41_000, { race: null })).toEqual([true]);
  });
});
