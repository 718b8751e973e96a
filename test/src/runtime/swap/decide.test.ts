import { describe, expect, it } from 'vitest';
import type { Want } from '../../../../machines/definition.ts';
import { makerSwap, takerSwap } from '../../../../machines/index.ts';
import type { NegotiationTerms } from '../../../../src/htlc/check-negotiation.ts';
import type { NegotiationMessage } from '../../../../src/htlc/negotiation.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { knownAs } from '../../../../src/primitives/known-as.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { type Command, type Leg, NEVER } from '../../../../src/runtime/command.ts';
import { decideSwap, effects } from '../../../../src/runtime/swap/decide.ts';
import { makerKind, takerKind } from '../../../../src/runtime/swap/roles.ts';
import type { SwapRunner } from '../../../../src/runtime/swap/runner.ts';
import { requestOf } from '../../../support/swap-pair.ts';
import { after, NOW, paymentOf, type TurnChanges, turnOf } from '../../../support/turns.ts';

const IDLE: Command = { kind: 'wait', until: NEVER };
const TX = { tx_hex: 'aa', tx_hash: 'bb'.repeat(32) };

/** A runner that stands as the turn does, and whose machine wants what the test says. */
function runnerOf(given: TurnChanges, wants: readonly Want[] = [], finalityNamed = false): SwapRunner {
  const turn = turnOf(given);
  const kind = turn.swap.role === 'maker' ? makerKind : takerKind;
  // A whole one, but for what only its kind looks into.
  return knownAs<SwapRunner>({
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
    wanted: null,
  });
}

const wanting = (...names: string[]): readonly Want[] => names.map((effect) => ({ effect }));
const decided = (given: TurnChanges, wants: readonly Want[] = [], finalityNamed = false) =>
  decideSwap(runnerOf(given, wants, finalityNamed), NOW);
const FINISH: Command = { kind: 'append', events: [{ type: 'Finished', data: null }] };

describe('N2: a decision', () => {
  it('is one command, for the first want that has something to do', () => {
    expect(decided({}, wanting('finish'))).toEqual(FINISH);
    expect(decided({}, wanting('findTakerPaymentSpend', 'findMakerPaymentSpend', 'finish'))).toEqual(FINISH);
    const events = { refundFinished: () => ({ type: 'TakerPaymentRefundFinished', data: null }) };
    expect(decided({ events }, wanting('finishRefund', 'finish'))).toEqual({
      kind: 'append',
      events: [{ type: 'TakerPaymentRefundFinished', data: null }],
    });
  });

  it('waits for good if nothing is wanted', () => {
    expect(decided({})).toEqual(IDLE);
  });

  it('is to wait for the earliest moment that any want names', () => {
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

describe('a negotiation', () => {
  const terms = { negotiationTerms: () => knownAs<NegotiationTerms>({}) };

  it('is begun by the maker; the taker waits for the offer', () => {
    const events = { ...terms, negotiationOffer: () => knownAs<NegotiationMessage>({ offer: 1 }) };
    expect(decided({ swap: { role: 'maker' }, events }, wanting('negotiate'))).toMatchObject({
      kind: 'send',
      message: { kind: 'negotiation', offer: { offer: 1 } },
    });
    expect(decided({ events: terms }, wanting('negotiate'))).toMatchObject({ kind: 'wait' });
  });
});

describe('what the machine wants by the journal', () => {
  it('is to guard a finished swap, and to answer an open order', () => {
    expect(decided({ swap: { state: 'finished' } }, wanting('guard'))).toEqual({ kind: 'done' });
    const swap = { state: 'finished', ownTerms: null };
    const refused = decided({ swap, journal: { recoverSince: NOW } }, wanting('guard'));
    expect(refused).toMatchObject({ kind: 'append', events: [{ type: 'RecoveryRefused' }] });
  });

  it('is to answer an order before the end first, and to continue where something is locked', () => {
    const unpaid = { startedAt: null, ownTerms: null, otherTerms: null } as const;
    const journal = { request: requestOf('taker'), recoverSince: after(-1) };
    expect(decided({ swap: unpaid, journal }, wanting('recover', 'finish'))).toMatchObject({
      kind: 'append',
      events: [{ type: 'RecoveryRefused' }],
    });
    expect(decided({ swap: { ...unpaid, ownPayment: TX }, journal }, wanting('recover', 'finish'))).toEqual(FINISH);
  });

  it('is to close a swap whose coins are lost', () => {
    const told: string[] = [];
    const closeLost = (error: string) => {
      told.push(error);
      return { type: 'Finished', data: 'lost' };
    };
    const command = decided({ events: { closeLost } }, wanting('closeLost'));
    expect(command).toEqual({ kind: 'append', events: [{ type: 'Finished', data: 'lost' }] });
    expect(told).toEqual(['the other side took both payments: it spent one with the secret and refunded its own']);
  });

  it('is asked of the machine with the journal, and again once the log has changed', () => {
    const asked: unknown[][] = [];
    const runner = runnerOf({ journal: { paused: true } });
    const { kind, position, journal } = runner;
    const wants = (...given: unknown[]) => {
      asked.push(given);
      return [];
    };
    const watched = { ...runner, kind: { ...kind, definition: { ...kind.definition, wants } } };
    decideSwap(watched, NOW);
    decideSwap(watched, NOW);
    const given = [runner.view?.state, position.context, journal];
    expect(asked).toEqual([given]);
    watched.view = { ...turnOf().swap };
    decideSwap(watched, NOW);
    expect(asked).toEqual([given, given]);
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
    const command = decided(given, wanting('guard'), true);
    return command.kind === 'append' && command.events.some(({ type }) => type === 'PaymentSettled');
  };

  it('is what the policy says for the amount of each payment', () => {
    expect([isFinal('taker', 5), isFinal('taker', 6)]).toEqual([false, true]);
    expect([isFinal('maker', 8), isFinal('maker', 9)]).toEqual([false, true]);
  });

  it('is the depth for the own payment if that one was refunded', () => {
    const isBack = (role: Leg, confirmations: number) => {
      const spend = { how: 'refund', tx: TX, confirmations, secret: null } as const;
      const given = {
        swap: { role, state: 'finished', refunded: true },
        facts: { payments: { maker: null, taker: null, [role]: { value: paymentOf({ spend }), at: NOW } } },
        policy: { finality },
      };
      return decided(given, wanting('guard'), true).kind === 'append';
    };
    expect([isBack('maker', 5), isBack('maker', 6)]).toEqual([false, true]);
    expect([isBack('taker', 8), isBack('taker', 9)]).toEqual([false, true]);
  });

  it('is the chain’s own depth if the log does not have the amount', () => {
    const unknown = { swap: { ownTerms: null, otherTerms: null } };
    expect([isFinal('taker', 1, unknown), isFinal('taker', 2, unknown)]).toEqual([false, true]);
  });

  it('is the chain’s own depth if the policy names neither coin', () => {
    const given = {
      swap: { state: 'finished', claim: TX },
      facts: { payments: { maker: seen(3), taker: null } },
      policy: { finality },
    };
    expect(decided(given, wanting('guard'), false)).toMatchObject({
      kind: 'append',
      events: [{ type: 'PaymentSettled' }],
    });
    expect(decided(given, wanting('guard'), true)).toMatchObject({ kind: 'wait' });
  });
});

it('both machines are driven by their own definitions', () => {
  expect([takerKind.definition, makerKind.definition]).toEqual([takerSwap, makerSwap]);
});
