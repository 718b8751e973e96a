import { describe, expect, it } from 'vitest';
import type { SwapHold } from '../../../../src/htlc/locked-amount.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { type DrivableParts, drivableOf, type Standing } from '../../../../src/runtime/loop/drivable-of.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { takerKind } from '../../../../src/runtime/swap/roles.ts';
import { applyRecords, createSwapRunner } from '../../../../src/runtime/swap/runner.ts';
import { requestOf, UUID } from '../../../support/swap-pair.ts';
import { after, NOW, paymentOf, preparedOf, turnOf } from '../../../support/turns.ts';

type Context = ReturnType<typeof takerKind.machine.definition.initialContext>;

const { traits } = turnOf();
const CHAIN = { contract: null, secretHashBytes: 20 } as const;
const record = (type: string, data: unknown = null, at: Millis = NOW): NewRecord => ({ at, type, version: 1, data });
const FAILED = record('StartFailed', { error: 'no coins' });
const PAUSED = record('OperatorActed', { action: 'pause', reason: null });
const WAIT: Command = { kind: 'wait', until: after(9) };

function setUp(parts: Partial<DrivableParts<Context>> = {}) {
  const runner = createSwapRunner({
    stream: `taker-swap/${UUID}`,
    kind: takerKind,
    inputs: {
      keys: { maker: '', taker: '' },
      traits: { maker: { ...traits.maker, ...CHAIN }, taker: { ...traits.taker, ...CHAIN } },
    },
    policy: DEFAULT_POLICY,
  });
  applyRecords(runner, [record('SwapRequested', requestOf('taker'))]);
  const driven = drivableOf<Context, never>(runner as never, {
    coins: { maker: 'DOC', taker: 'MARTY' },
    missing: ['DOC'],
    decide: () => WAIT,
    listens: () => null,
    labels: ({ state, journal }) => ({ state, outcome: journal.paused ? 'paused' : 'free' }),
    look: () => ({ role: 'taker' }) as never,
    ...parts,
  });
  return { runner, driven };
}

describe('a drivable', () => {
  it('says what it is and decides as its machine does', () => {
    const { driven } = setUp({ listens: () => ({ topic: 'swap/1', from: 'ab' }) });
    expect(driven).toMatchObject({
      stream: `taker-swap/${UUID}`,
      coins: { maker: 'DOC', taker: 'MARTY' },
      missing: ['DOC'],
    });
    expect(driven.length()).toBe(1);
    expect(driven.decide(NOW)).toBe(WAIT);
    expect(driven.look()).toEqual({ role: 'taker' });
    expect(driven.listens()).toEqual({ topic: 'swap/1', from: 'ab' });
    expect('watched' in driven || 'holds' in driven).toBe(false);
  });

  it('says whose swap it watches, if any', () => {
    const watched = { uuid: UUID, taker: 'ab', fee: 'cd' };
    expect(setUp({ watched }).driven.watched).toBe(watched);
  });

  it('gives its runner what arrives', () => {
    const { runner, driven } = setUp();
    driven.applyRecords([FAILED]);
    expect(driven.length()).toBe(2);
    expect(driven.recordsOf([{ type: 'Finished', data: null }], after(-5))).toEqual([record('Finished')]);
    driven.receive({ kind: 'negotiated', accepted: true });
    driven.sent({ message: { kind: 'negotiated', accepted: true }, now: after(1) });
    driven.sent({ message: { kind: 'takerPayment', tx: preparedOf().tx }, now: after(2) });
    driven.unsent('negotiated');
    driven.absorb(
      { kind: 'ask', leg: 'taker', key: 'taker:payment', question: { op: 'payment', query: { terms: null as never } } },
      { result: { ok: true, value: paymentOf() }, now: NOW },
    );
    expect([...runner.facts.inbox.keys()]).toEqual(['negotiated']);
    expect([...runner.facts.sentAt]).toEqual([['takerPayment', after(2)]]);
    expect(runner.facts.payments.taker).toEqual({ value: paymentOf(), at: NOW });
    driven.poke('taker');
    expect(runner.facts.payments.taker).toBeNull();
  });
});

describe('the labels that records would lead to', () => {
  it('are those of the state and the journal after them, and leave the runner as it is', () => {
    const { runner, driven } = setUp();
    expect(driven.preview([])).toEqual({ state: 'created', outcome: 'free' });
    const before = structuredClone({ position: runner.position, journal: runner.journal });
    expect(driven.preview([FAILED, record('Imported', {}), PAUSED])).toEqual({
      state: 'startFailed',
      outcome: 'paused',
    });
    expect({ position: runner.position, journal: runner.journal }).toEqual(before);
    expect(driven.length()).toBe(1);
    expect(driven.preview([])).toEqual({ state: 'created', outcome: 'free' });
  });

  it('are refused if the state cannot accept them, with the place of the first', () => {
    const { runner, driven } = setUp();
    expect(() => driven.preview([FAILED, PAUSED, record('Negotiated', {})])).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_EVENT', facts: expect.objectContaining({ seq: 3 }) }),
    );
    expect(runner.position.context.failures).toEqual([]);
  });

  it('are given what each record says and when it was written', () => {
    const standings: Standing<Context>[] = [];
    const { driven } = setUp({
      labels: (standing) => {
        standings.push(standing);
        return {};
      },
    });
    driven.preview([
      record('StartFailed', { error: 'no coins' }, after(3)),
      record('OperatorActed', { action: 'retry', reason: null }, after(4)),
    ]);
    expect(standings[0]).toMatchObject({
      state: 'startFailed',
      context: { failures: [{ event: 'StartFailed', at: after(3), error: 'no coins' }] },
      journal: { retryAt: after(4) },
    });
  });
});

describe('what it will still take from the wallets', () => {
  it('is that of its current state, or of the state that it would reach', () => {
    const asked: [string, boolean][] = [];
    const held: SwapHold = { amounts: new Map([['DOC', '1' as DecimalText]]), fees: new Map() };
    const { driven } = setUp({
      locks: ({ state, journal, context }) => {
        asked.push([`${state} ${context.failures.length}`, journal.paused]);
        return held;
      },
    });
    expect(driven.holds?.()).toBe(held);
    expect(driven.holds?.([FAILED, PAUSED])).toBe(held);
    expect(driven.holds?.([])).toBe(held);
    expect(asked).toEqual([
      ['created 0', false],
      ['startFailed 1', true],
      ['created 0', false],
    ]);
  });
});
