import { describe, expect, it } from 'vitest';
import { initialJournalContext, type JournalContext } from '../../../../machines/journal/context.ts';
import type { LegFunds, SwapFunds } from '../../../../machines/swap-verdict.ts';
import type { Purpose } from '../../../../src/events/journal.ts';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Leg } from '../../../../src/runtime/command.ts';
import type { Tries } from '../../../../src/runtime/facts.ts';
import type { Ask, Drivable, DrivableView } from '../../../../src/runtime/loop/drivable.ts';
import { createSlot, type Slot } from '../../../../src/runtime/loop/slot.ts';
import type { Doing, Gate } from '../../../../src/runtime/loop/slot-state.ts';
import { statusOfDriven, statusOfUnread, waitingOf } from '../../../../src/runtime/operate/status.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';

const STREAM = 'taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const UUID = '3447b727-fe93-4357-8e5a-8cf2699b7e86';
const COINS = { maker: 'DOC', taker: 'MARTY' };

type Changes = {
  readonly view?: Partial<DrivableView>;
  readonly coins?: Drivable['coins'];
  readonly missing?: readonly string[];
  readonly journal?: Partial<JournalContext>;
  readonly tries?: readonly (readonly [string, Partial<Tries>])[];
};

function viewOf({ view = {}, journal = {}, tries = [] }: Changes): DrivableView {
  const usual = { count: 1, next: after(5), kind: 'unavailable', message: 'no node answers' };
  return {
    role: 'taker',
    state: 'sendingTakerPayment',
    outcome: 'in-progress',
    funds: null,
    next: null,
    journal: { ...initialJournalContext(), ...journal },
    tries: new Map(tries.map(([key, changes]) => [key, { ...usual, ...changes }])),
    legOf: (purpose) => (purpose === 'claim' ? 'maker' : 'taker'),
    ...view,
  };
}

function drivenOf(changes: Changes = {}): Drivable {
  const { coins = COINS, missing = [] } = changes;
  return { stream: STREAM, coins, missing, look: () => viewOf(changes) } as unknown as Drivable;
}

const slotOf = (doing: Doing): Slot => {
  const slot = createSlot(3, STREAM, null as never);
  return { ...slot, state: { ...slot.state, doing } };
};

const fundsOf = (status: LegFunds['status'], leg: keyof SwapFunds = 'takerPayment'): SwapFunds => {
  const none: LegFunds = { coin: 'DOC', amount: null, status: 'none', tx: null, by: null, claimable: [] };
  return { makerPayment: none, takerPayment: none, [leg]: { ...none, status } };
};
const NEXT = { action: 'refund', who: 'engine', notBefore: null, until: null, text: 'Refund it.' } as const;

describe('the status of a stream', () => {
  it('shows who, what and where it stands', () => {
    const funds = fundsOf('locked');
    const error = new SwapfoldError('stopped', { code: 'RUNNER_FAILED' });
    const driven = drivenOf({ view: { funds, next: NEXT, outcome: 'refund-pending' }, journal: { paused: true } });
    expect(statusOfDriven(driven, slotOf({ mode: 'failed', error, until: after(60) }))).toEqual({
      stream: STREAM,
      uuid: UUID,
      role: 'taker',
      coins: COINS,
      state: 'sendingTakerPayment',
      outcome: 'refund-pending',
      funds,
      next: NEXT,
      runner: 'failed',
      paused: true,
      recoverSince: null,
      feesAllowed: { maker: null, taker: null },
      waiting: { for: 'retry', text: 'Stopped because of a bug; it restarts from its log.', until: after(60) },
      faults: [],
      transactions: [],
      error,
    });
  });

  it('that is not driven has no runner and waits for nothing', () => {
    expect(statusOfDriven(drivenOf(), null)).toMatchObject({
      runner: 'none',
      waiting: null,
      error: null,
      paused: false,
    });
    const fresh = slotOf({ mode: 'new' });
    expect(statusOfDriven(drivenOf(), fresh)).toMatchObject({ runner: 'none', waiting: null, error: null });
  });

  it('that cannot be read says so, and nothing of the swap', () => {
    const error = new SwapfoldError('no', { code: 'SWAP_UNREADABLE' });
    expect(statusOfUnread(STREAM, { runner: 'failed', error, waiting: null })).toEqual({
      stream: STREAM,
      uuid: UUID,
      role: null,
      coins: { maker: null, taker: null },
      state: null,
      outcome: null,
      funds: null,
      next: null,
      runner: 'failed',
      paused: false,
      recoverSince: null,
      feesAllowed: { maker: null, taker: null },
      waiting: null,
      faults: [],
      transactions: [],
      error,
    });
  });
});

describe('questions without a useful answer', () => {
  it('are listed with their side, its coin, the question, and when it is asked again', () => {
    const tries = [
      ['maker:payment', { count: 3, next: after(40), kind: 'disagreement', message: 'two heights' }],
      ['taker:prepare:refund', {}],
    ] as const;
    expect(statusOfDriven(drivenOf({ tries }), null).faults).toEqual([
      {
        leg: 'maker',
        coin: 'DOC',
        op: 'payment',
        kind: 'disagreement',
        message: 'two heights',
        count: 3,
        nextTry: after(40),
      },
      {
        leg: 'taker',
        coin: 'MARTY',
        op: 'prepare',
        kind: 'unavailable',
        message: 'no node answers',
        count: 1,
        nextTry: after(5),
      },
    ]);
  });

  it('are no others: a pause without a fault is none, and a key without a name has no name', () => {
    const tries = [
      ['maker:broadcast', { count: 0 }],
      ['taker', { count: 1 }],
    ] as const;
    expect(statusOfDriven(drivenOf({ tries }), null).faults).toMatchObject([{ leg: 'taker', op: '' }]);
  });
});

const purposes: readonly Purpose[] = ['fee', 'payment', 'claim', 'refund', 'void'];
const variant = (tx_hash: string, changes: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ ...changes, tx: { tx_hash } });
const prepared = {
  ...initialJournalContext().prepared,
  ...Object.fromEntries(purposes.map((purpose) => [purpose, [variant(purpose)]])),
} as never;
const listed = (changes: Changes) =>
  statusOfDriven(drivenOf({ ...changes, journal: { prepared, ...changes.journal } }), null).transactions.map(
    ({ purpose }) => purpose,
  );

describe('transactions that may still confirm', () => {
  it('are listed by purpose with what became of them, and without their bytes', () => {
    const journal = {
      prepared: {
        ...initialJournalContext().prepared,
        fee: [],
        payment: [variant('a', { dead: true }), variant('b', { urgency: 1, acceptedAt: NOW, refused: 'feeTooLow' })],
        claim: [variant('c', { attemptedAt: null })],
        refund: [],
        void: [],
      },
    };
    expect(statusOfDriven(drivenOf({ journal }), null).transactions).toEqual([
      {
        purpose: 'payment',
        coin: 'MARTY',
        tx_hash: 'b',
        urgency: 1,
        preparedAt: after(-60),
        attemptedAt: after(-60),
        acceptedAt: NOW,
        refused: 'feeTooLow',
      },
      {
        purpose: 'claim',
        coin: 'DOC',
        tx_hash: 'c',
        urgency: 0,
        preparedAt: after(-60),
        attemptedAt: null,
        acceptedAt: null,
        refused: null,
      },
    ]);
  });
});

describe('transactions that are listed', () => {
  it('are all of them while nothing has ended', () => {
    expect(listed({})).toEqual(purposes);
    expect(listed({ view: { funds: fundsOf('locked') } })).toEqual(purposes);
    expect(listed({ view: { funds: fundsOf('uncertain') } })).toEqual(purposes);
  });

  it('are absent for a chain on which the payment ended for good', () => {
    const end = { payment: 'maker', how: 'claimed', by: 'self', tx_hash: null, confirmations: 3, at: NOW } as const;
    expect(listed({ journal: { settled: { maker: end, taker: null } } })).toEqual(['fee', 'payment', 'refund', 'void']);
    expect(listed({ journal: { settled: { maker: null, taker: { ...end, payment: 'taker' } } } })).toEqual(['claim']);
  });

  it('do not include the fee of a finished swap', () => {
    expect(listed({ view: { state: 'finished' } })).toEqual(['payment', 'claim', 'refund', 'void']);
  });

  it('are absent for a payment that was claimed or refunded, except for the claim, which counts as spent from its broadcast', () => {
    for (const status of ['spent', 'refunded'] as const) {
      expect(listed({ view: { funds: fundsOf(status) } })).toEqual(['fee', 'claim']);
      expect(listed({ view: { funds: fundsOf(status, 'makerPayment') } })).toEqual(purposes);
    }
    const maker: Partial<DrivableView> = {
      role: 'maker',
      legOf: (purpose) => (purpose === 'claim' ? 'taker' : 'maker'),
    };
    expect(listed({ view: { ...maker, funds: fundsOf('spent', 'makerPayment') } })).toEqual(['fee', 'claim']);
    expect(listed({ view: { ...maker, funds: fundsOf('spent') } })).toEqual(purposes);
  });
});

describe('why nothing happens at the moment', () => {
  const nothing = (): void => {};
  const gate: Gate = { coin: 'DOC', leave: nothing, withdraw: nothing, abandon: nothing };
  const error = new SwapfoldError('stopped', { code: 'RUNNER_FAILED' });
  const askOf = (leg: Leg): Ask => ({ kind: 'ask', leg, key: `${leg}:quote`, question: { op: 'quote' } });
  const until = after(9);
  const question = { gate, since: NOW, asked: askOf('maker'), until };
  const message = { kind: 'negotiated' } as SwapMessage;

  it.each<readonly [Doing, string, string, Millis | null]>([
    [{ mode: 'dormant' }, 'coin', 'Waits until its coins can be asked again.', null],
    [{ mode: 'loading', error }, 'log', 'Waits for the event log.', null],
    [{ mode: 'appending' }, 'log', 'Waits for the event log.', null],
    [
      { mode: 'reloading', until, error: null },
      'log',
      'The event log returned an error; it is read again later.',
      until,
    ],
    [{ mode: 'failed', until, error }, 'retry', 'Stopped because of a bug; it restarts from its log.', until],
    [{ mode: 'asking', ...question }, 'answer', 'Waits for the answer of DOC.', until],
    [{ mode: 'queued', ...question }, 'answer', 'Waits for its turn to ask DOC.', until],
    [{ mode: 'sending', message, until }, 'network', 'Sends a message to the network.', until],
  ])(
    'is one sentence for each thing that a runner can wait for, with the moment at which it ends: %#',
    (doing, what, text, end) => {
      expect(waitingOf(slotOf(doing), null)).toEqual({ for: what, text, until: end });
    },
  );

  it('is not reported for one that is about to decide, rests or is gone', () => {
    const others: readonly Doing[] = [{ mode: 'ready', place: null }, { mode: 'waiting', until }, { mode: 'gone' }];
    for (const doing of others) expect(waitingOf(slotOf(doing), null)).toBeNull();
  });

  it('has no moment if only an event ends it', () => {
    const untilOf = (moment: number) => waitingOf(slotOf({ mode: 'sending', message, until: moment }), null)?.until;
    expect(untilOf(Number.POSITIVE_INFINITY)).toBeNull();
    expect(untilOf(Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(untilOf(Number.MAX_SAFE_INTEGER - 1)).toBe(Number.MAX_SAFE_INTEGER - 1);
    expect(waitingOf(slotOf({ mode: 'failed', error, until: null }), null)).toBeNull();
  });

  it('says how long the chain that is asked takes, if that is three seconds or more', () => {
    const textOf = (leg: Leg, answering: DrivableView['answering'] = { maker: 7400, taker: 2999 }) => {
      const slot = slotOf({ mode: 'asking', ...question, asked: askOf(leg) });
      return statusOfDriven(drivenOf({ view: { answering } }), slot).waiting?.text;
    };
    const slow = (seconds: number) =>
      `Waits for the answer of DOC, which takes some ${seconds} s to answer; the node pays and claims nothing before it has seen both chains.`;
    expect(textOf('maker')).toBe(slow(7));
    expect(textOf('taker')).toBe('Waits for the answer of DOC.');
    expect(textOf('taker', { maker: 0, taker: 3000 })).toBe(slow(3));
    expect(textOf('taker', { maker: 0, taker: 31_600 })).toBe(slow(32));
  });

  it('names the inactive coins', () => {
    const { waiting } = statusOfDriven(drivenOf({ missing: ['DOC', 'MARTY'] }), slotOf({ mode: 'dormant' }));
    expect(waiting?.text).toBe('Waits until DOC and MARTY can be asked again.');
  });
});

describe('a runner that rests', () => {
  const resting = (changes: Changes, until: Millis = after(60)) =>
    statusOfDriven(drivenOf(changes), slotOf({ mode: 'waiting', until })).waiting;

  it('does so before its next step, or to see that the end stays', () => {
    expect(resting({ view: { next: NEXT } })).toEqual({ for: 'nextStep', text: 'Refund it.', until: after(60) });
    expect(resting({})).toEqual({
      for: 'nextStep',
      text: 'Watches whether its end stays final.',
      until: after(60),
    });
  });

  it('that is paused says before what; if nothing follows, the pause is not the reason', () => {
    const journal = { paused: true };
    expect(resting({ view: { next: NEXT }, journal })).toEqual({
      for: 'operator',
      text: 'Paused by an operator before this: Refund it.',
      until: after(60),
    });
    expect(resting({ journal })).toMatchObject({ for: 'nextStep' });
  });

  it('names the fault whose pause ends with its rest, within a second', () => {
    const fault = (milliseconds: number) =>
      resting({ tries: [['maker:payment', { count: 4, next: (after(60) + milliseconds) as Millis }]] });
    const text = 'DOC gave no useful answer to payment (unavailable, 4 in a row); it is asked again.';
    expect(fault(0)).toEqual({ for: 'retry', text, until: after(60) });
    expect(fault(-999)).toMatchObject({ for: 'retry' });
    expect(fault(-1000)).toMatchObject({ for: 'nextStep' });
    expect(fault(1)).toMatchObject({ for: 'nextStep' });
  });

  it('names the side if the log names no coin, and no fault if it rests for good', () => {
    const tries = [['maker:quote', { next: after(60) }]] as const;
    expect(resting({ tries, coins: { maker: null, taker: null } })?.text).toBe(
      'the maker chain gave no useful answer to quote (unavailable, 1 in a row); it is asked again.',
    );
    expect(resting({ tries }, Number.MAX_SAFE_INTEGER as Millis)).toMatchObject({ for: 'nextStep', until: null });
  });

  it('looks for the fault that ends its rest among all of them, before a pause', () => {
    const tries = [
      ['maker:quote', { next: after(500) }],
      ['taker:broadcast', { next: after(60), kind: 'feeTooLow' }],
    ] as const;
    expect(resting({ tries, view: { next: NEXT }, journal: { paused: true } })).toMatchObject({
      for: 'retry',
      text: 'MARTY gave no useful answer to broadcast (feeTooLow, 1 in a row); it is asked again.',
    });
  });
});
