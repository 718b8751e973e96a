import { describe, expect, it } from 'vitest';
import type { Want } from '../../../../machines/definition.ts';
import { makerSwap, takerSwap } from '../../../../machines/index.ts';
import type { JournalContext, Settlement } from '../../../../machines/journal/context.ts';
import type { SwapRequest } from '../../../../src/events/journal.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { type Command, type Leg, NEVER } from '../../../../src/runtime/command.ts';
import { decide, effects } from '../../../../src/runtime/swap/decide.ts';
import { makerKind, takerKind } from '../../../../src/runtime/swap/roles.ts';
import type { Runner } from '../../../../src/runtime/swap/runner.ts';
import { requestOf } from '../../../support/swap-pair.ts';
import { after, NOW, paymentOf, preparedOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

const IDLE: Command = { kind: 'wait', until: NEVER };
const TX = { tx_hex: 'aa', tx_hash: 'bb'.repeat(32) };

/** A runner that stands as the turn does, and whose machine wants what the test says. */
function runnerOf(given: TurnChanges, wants: readonly Want[] = [], finalityNamed = false): Runner {
  const turn = turnOf(given);
  const kind = turn.swap.role === 'maker' ? makerKind : takerKind;
  return {
    stream: 'any',
    kind: { ...kind, definition: { ...kind.definition, wants: () => wants } },
    inputs: { traits: turn.traits },
    policy: turn.policy,
    position: { state: 0, context: turn.context },
    journal: turn.journal,
    facts: turn.facts,
    length: 0,
    lastAt: turn.swap.lastEventAt,
    events: turn.events,
    others: turn.others,
    claims: turn.claims,
    finalityNamed,
    depths: null,
    view: turn.swap,
  } as unknown as Runner;
}

const wanting = (...names: string[]): readonly Want[] => names.map((effect) => ({ effect }));
const decided = (given: TurnChanges, wants: readonly Want[] = [], finalityNamed = false) =>
  decide(runnerOf(given, wants, finalityNamed), NOW);
const ended = (how: Settlement['how'], payment: Leg): Settlement => ({
  payment,
  how,
  by: 'counterparty',
  tx_hash: TX.tx_hash,
  confirmations: 3,
  at: after(-60),
});
const FINISH: Command = { kind: 'append', events: [{ type: 'Finished', data: null }] };

describe('N2: a decision', () => {
  it('is one command: that of the first want for which there is something to do', () => {
    expect(decided({}, wanting('finish'))).toEqual(FINISH);
    expect(decided({}, wanting('findTakerPaymentSpend', 'findMakerPaymentSpend', 'finish'))).toEqual(FINISH);
    const events = { refundFinished: () => ({ type: 'TakerPaymentRefundFinished', data: null }) };
    expect(decided({ events }, wanting('finishRefund', 'finish'))).toEqual({
      kind: 'append',
      events: [{ type: 'TakerPaymentRefundFinished', data: null }],
    });
  });

  it('is to wait for good where nothing is wanted', () => {
    expect(decided({})).toEqual(IDLE);
  });

  it('is to wait for the earliest moment that any want has named', () => {
    const tries = (next: Millis) => ({ count: 1, next, kind: 'unavailable', message: '' });
    const facts = {
      tries: new Map([
        ['taker:quote', tries(after(9))],
        ['maker:quote', tries(after(7))],
      ]),
    };
    const given = { swap: { lastEventAt: NOW }, facts, journal: { request: requestOf('taker') } };
    expect(decided(given, wanting('start'))).toEqual({
      kind: 'wait',
      until: after(7),
    });
  });

  it('can be made for every want of the swap machines', () => {
    const names = new Set<string>();
    for (const { machine, definition } of [makerKind, takerKind]) {
      const wants = definition.wants as (state: string, context: unknown) => readonly Want[];
      for (const state of machine.states) {
        for (const { effect } of wants(state, definition.initialContext())) names.add(effect);
      }
    }
    expect([...names].filter((name) => !Object.hasOwn(effects, name))).toEqual([]);
    expect(names.size).toBeGreaterThan(8);
  });
});

describe('a pause', () => {
  const request = requestOf('taker') as SwapRequest;
  const maker = { role: 'maker' } as const;
  const commitments: Readonly<Record<string, TurnChanges>> = {
    start: { journal: { request } },
    negotiate: {
      swap: maker,
      events: { negotiationTerms: () => ({}) as never, negotiationOffer: () => ({}) as never },
    },
    sendTakerFee: { events: { fee: () => ({ kind: 'none', feeSat: 0n, burnSat: 0n }) } },
    waitForTakerFee: { swap: maker },
    waitForMakerPayment: { events: { feeMessage: () => null } },
    sendTakerPayment: {},
    sendMakerPayment: { swap: maker },
  };
  const attempt = (attemptedAt: Millis | null) => ({
    payment: [preparedOf({ attemptedAt: null }), preparedOf({ attemptedAt })],
  });

  for (const [name, given] of Object.entries(commitments)) {
    it(`keeps ${name} from being done as long as no payment may be out`, () => {
      const { journal = {} } = given;
      const after10: readonly Want[] = [{ effect: name, until: after(10) }];
      const free = decided(given, after10);
      expect(free).not.toEqual(IDLE);
      expect(decided({ ...given, journal: { ...journal, paused: true } }, after10)).toEqual(IDLE);
      expect(decided({ ...given, journal: { ...journal, paused: true, prepared: attempt(null) } }, after10)).toEqual(
        IDLE,
      );
      const out = { ...journal, prepared: attempt(after(-60)) };
      const paid = decided({ ...given, journal: out }, after10);
      expect(decided({ ...given, journal: { ...out, paused: true } }, after10)).toEqual(paid);
      expect(paid).not.toEqual(IDLE);
    });
  }

  it('keeps nobody from claiming, refunding or closing', () => {
    const paused = { paused: true };
    expect(decided({ journal: paused }, wanting('finish'))).toEqual(FINISH);
    expect(decided({ journal: paused }, wanting('spendMakerPayment'))).not.toEqual(IDLE);
    expect(decided({ journal: paused }, wanting('refundTakerPayment'))).not.toEqual(IDLE);
  });
});

describe('a negotiation', () => {
  const terms = { negotiationTerms: () => ({}) as never };

  it('is begun by the maker; the taker waits for the offer', () => {
    const events = { ...terms, negotiationOffer: () => ({ offer: 1 }) as never };
    expect(decided({ swap: { role: 'maker' }, events }, wanting('negotiate'))).toMatchObject({
      kind: 'send',
      message: { kind: 'negotiation', offer: { offer: 1 } },
    });
    expect(decided({ events: terms }, wanting('negotiate'))).toMatchObject({ kind: 'wait' });
  });
});

describe('a swap that is over', () => {
  it('is guarded, whatever its machine would want', () => {
    const swap = { state: 'finished' };
    expect(decided({ swap }, wanting('start'))).toEqual({ kind: 'done' });
  });

  it('is guarded where an order stands, too', () => {
    const swap = { state: 'finished', ownTerms: null };
    const refused = decided({ swap, journal: { recoverSince: NOW } });
    expect(refused).toMatchObject({ kind: 'append', events: [{ type: 'RecoveryRefused' }] });
  });
});

describe('an order to take out what can be taken, before the end', () => {
  const unpaid = { startedAt: null, ownTerms: null, otherTerms: null } as const;

  it('is answered first where there is nothing to take', () => {
    const journal = { request: requestOf('taker'), recoverSince: after(-1) };
    expect(decided({ swap: unpaid, journal }, wanting('finish'))).toMatchObject({
      kind: 'append',
      events: [{ type: 'RecoveryRefused' }],
    });
    expect(decided({ swap: unpaid, journal: { ...journal, recoverSince: null } }, wanting('finish'))).toEqual(FINISH);
  });

  it('leaves what is locked to the wants of the state', () => {
    const journal = { request: requestOf('taker'), recoverSince: after(-1) };
    expect(decided({ swap: { ...unpaid, ownPayment: TX }, journal }, wanting('finish'))).toEqual(FINISH);
  });
});

describe('a payment of the other side that went back for good', () => {
  const LOST = 'the other side took both payments: it spent one with the secret and refunded its own';
  const closing = (given: TurnChanges, settled: JournalContext['settled']) => {
    const told: string[] = [];
    const closeLost = (error: string) => {
      told.push(error);
      return { type: 'Finished', data: 'lost' };
    };
    const command = decided({ ...given, events: { closeLost }, journal: { settled } }, wanting('finish'));
    return { command, told };
  };
  const CLOSED = { command: { kind: 'append', events: [{ type: 'Finished', data: 'lost' }] }, told: [LOST] };

  it('ends a taker’s swap whose own payment was taken: nothing can be claimed', () => {
    const settled = { maker: ended('refunded', 'maker'), taker: null };
    expect(closing({ swap: { secretIsPublic: true } }, settled)).toEqual(CLOSED);
  });

  it('ends a maker’s whose own payment was taken as well, and no other', () => {
    const swap = { role: 'maker', secretIsPublic: true } as const;
    const theirs = ended('refunded', 'taker');
    expect(closing({ swap }, { taker: theirs, maker: ended('claimed', 'maker') })).toEqual(CLOSED);
    for (const maker of [null, ended('refunded', 'maker')]) {
      expect(closing({ swap }, { taker: theirs, maker }).told).toEqual([]);
    }
    // Whoever took the own payment showed the secret, whatever the own log says of the claim.
    const kept = { ...swap, secretIsPublic: false };
    expect(closing({ swap: kept }, { taker: theirs, maker: ended('claimed', 'maker') })).toEqual(CLOSED);
  });

  it('leaves the own one to be taken back, whatever else the state would want', () => {
    for (const role of ['taker', 'maker'] as const) {
      const other = role === 'taker' ? 'maker' : 'taker';
      const settled = { maker: null, taker: null, [other]: ended('refunded', other) };
      const given = { swap: { role, ownPayment: TX, state: 'waitingForRefund' } } as const;
      const events = { refundStarted: () => ({ type: 'RefundStarted', data: null }) };
      const command = decided({ ...given, events, journal: { settled } }, wanting('finish'));
      expect(command).toEqual(
        decided({ ...given, events }, [{ effect: `refund${role === 'taker' ? 'Taker' : 'Maker'}Payment` }]),
      );
      expect(command).not.toEqual(IDLE);
      expect(command).not.toEqual(FINISH);
    }
  });

  it('lets the swap end where the own one is back', () => {
    const settled = { maker: ended('refunded', 'maker'), taker: null };
    const events = { refundFinished: () => ({ type: 'RefundFinished', data: null }) };
    const given = (state: string) => ({ swap: { refunded: true, state }, events, journal: { settled } });
    expect(decided(given('refunded'))).toEqual({ kind: 'append', events: [{ type: 'RefundFinished', data: null }] });
    expect(decided(given('refundFinished'))).toEqual(FINISH);
  });

  it('that was claimed, or made impossible, changes nothing', () => {
    for (const how of ['claimed', 'voided'] as const) {
      const settled = { maker: ended(how, 'maker'), taker: null };
      expect(decided({ swap: { secretIsPublic: true }, journal: { settled } }, wanting('finish'))).toEqual(FINISH);
    }
  });
});

describe('how deep is final', () => {
  const step = (from: string, depth: number) => ({ from: from as DecimalText, depth });
  const finality = { DOC: [step('1', 6), step('2', 9)], MARTY: [step('1', 6), step('2', 9)] };
  const seen = (confirmations: number) => ({
    value: paymentOf({
      spend: { how: 'secret', tx: TX, confirmations, secret: '5e'.repeat(32) },
      funding: { tx: TX, confirmations },
    }),
    at: NOW,
  });
  /** Whether a claim of the other's payment with so many confirmations is recorded as final. */
  const isFinal = (role: Leg, confirmations: number, changes: TurnChanges = {}) => {
    const other = role === 'taker' ? 'maker' : 'taker';
    const { swap, ...rest } = changes;
    const given = {
      ...rest,
      swap: { role, state: 'finished', claim: TX, ...swap },
      facts: { payments: { maker: null, taker: null, [other]: seen(confirmations) } },
      policy: { finality },
    };
    const command = decided(given, [], true);
    return command.kind === 'append' && command.events.some(({ type }) => type === 'PaymentSettled');
  };

  it('is what the policy says of the amount of each payment', () => {
    expect([isFinal('taker', 5), isFinal('taker', 6)]).toEqual([false, true]);
    expect([isFinal('maker', 8), isFinal('maker', 9)]).toEqual([false, true]);
  });

  it('is that of the own payment where the own one went back', () => {
    const isBack = (role: Leg, confirmations: number) => {
      const spend = { how: 'refund', tx: TX, confirmations, secret: null } as const;
      const given = {
        swap: { role, state: 'finished', refunded: true },
        facts: { payments: { maker: null, taker: null, [role]: { value: paymentOf({ spend }), at: NOW } } },
        policy: { finality },
      };
      return decided(given, [], true).kind === 'append';
    };
    expect([isBack('maker', 5), isBack('maker', 6)]).toEqual([false, true]);
    expect([isBack('taker', 8), isBack('taker', 9)]).toEqual([false, true]);
  });

  it('is the chain’s own where the log does not know the amount', () => {
    const unknown = { swap: { ownTerms: null, otherTerms: null } };
    expect([isFinal('taker', 1, unknown), isFinal('taker', 2, unknown)]).toEqual([false, true]);
  });

  it('is the chain’s own where the policy names neither coin', () => {
    const given = {
      swap: { state: 'finished', claim: TX },
      facts: { payments: { maker: seen(3), taker: null } },
      policy: { finality },
    };
    expect(decided(given, [], false)).toMatchObject({ kind: 'append', events: [{ type: 'PaymentSettled' }] });
    expect(decided(given, [], true)).toMatchObject({ kind: 'wait' });
  });
});

it('both machines are driven by their own definitions', () => {
  expect([takerKind.definition, makerKind.definition]).toEqual([takerSwap, makerSwap]);
});
