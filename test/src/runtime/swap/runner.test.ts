import { describe, expect, it } from 'vitest';
import { secp256k1KeyProblem } from '../../../../src/htlc/key-rule.ts';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { takerKind } from '../../../../src/runtime/swap/roles.ts';
import {
  applyRecords,
  createSwapRunner,
  poke,
  receive,
  recordsOf,
  sent,
  stateOf,
  viewOf,
} from '../../../../src/runtime/swap/runner.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { requestOf, UUID } from '../../../support/swap-pair.ts';
import { after, NOW, paymentOf, preparedOf, turnOf } from '../../../support/turns.ts';

const { traits } = turnOf();
const CHAIN = { contract: null, secretHashBytes: 20 } as const;
const TRAITS = { maker: { ...traits.maker, ...CHAIN }, taker: { ...traits.taker, ...CHAIN } };
const KEYS = { maker: `02${'a1'.repeat(32)}`, taker: `02${'b2'.repeat(32)}` };
const tx = preparedOf().tx as PreparedTransaction;

const runnerOf = (changes: Partial<Parameters<typeof createSwapRunner>[0]['policy']> = {}) =>
  createSwapRunner({
    stream: `taker-swap/${UUID}`,
    kind: takerKind,
    inputs: { keys: KEYS, traits: TRAITS },
    policy: { ...DEFAULT_POLICY, ...changes },
  });

const record = (type: string, data: unknown = null, at: Millis = NOW): NewRecord => ({ at, type, version: 1, data });
const failure = record('StartFailed', { error: 'no coins' });

describe('a runner of an empty stream', () => {
  it('is at the beginning, has seen nothing and shares the wallet with nobody', () => {
    const runner = runnerOf();
    expect(runner).toMatchObject({ stream: `taker-swap/${UUID}`, length: 0, lastAt: 0, view: null });
    expect(stateOf(runner)).toBe('created');
    expect(runner.others.since()).toBeNull();
    expect(runner.inputs.request).toBeNull();
    expect(runner.inputs.keyRule).toBe(secp256k1KeyProblem);
  });

  it('knows whether the policy names one of its coins, and is not misled by members that every object has', () => {
    const steps = [{ from: '1' as never, depth: 6 }];
    expect(runnerOf().finalityNamed).toBe(false);
    expect(runnerOf({ finality: { KMD: steps } }).finalityNamed).toBe(false);
    expect(runnerOf({ finality: { DOC: steps } }).finalityNamed).toBe(true);
    expect(runnerOf({ finality: { MARTY: steps } }).finalityNamed).toBe(true);
  });

  it('makes the events of its side from its current state', () => {
    const runner = runnerOf();
    expect(runner.events.closeLost('gone')).toEqual({ type: 'Finished', data: null });
    expect(runner.events.claimFailed('no')).toEqual([]);
    expect(runner.events.negotiationTerms()).toBeNull();
  });

  it('gives its side the request that the log holds by now', () => {
    const runner = runnerOf();
    applyRecords(runner, [record('SwapRequested', requestOf('taker'))]);
    expect(runner.inputs.request).toEqual(requestOf('taker'));
    expect(viewOf(runner)).toMatchObject({ uuid: UUID, lockDuration: 7800 });
  });
});

describe('records that are to be appended', () => {
  const events = [
    { type: 'StartFailed', data: { error: 'x' } },
    { type: 'Finished', data: null },
  ];

  it('have the time of the host, the version that is written today, and their order', () => {
    expect(recordsOf({ lastAt: after(-1) }, events, NOW)).toEqual([
      { at: NOW, type: 'StartFailed', version: 1, data: { error: 'x' } },
      { at: NOW, type: 'Finished', version: 1, data: null },
    ]);
  });

  it('are never earlier than the last one, even if a clock was set back', () => {
    expect(recordsOf({ lastAt: after(9) }, events, NOW).map(({ at }) => at)).toEqual([after(9), after(9)]);
    expect(recordsOf({ lastAt: NOW }, events, NOW)[0]?.at).toBe(NOW);
  });
});

describe('N3: records that the log holds', () => {
  it('move the state, the count and the time, the latest of which stays', () => {
    const runner = runnerOf();
    viewOf(runner);
    applyRecords(runner, [record('SwapRequested', requestOf('taker'), after(5)), failure]);
    expect(stateOf(runner)).toBe('startFailed');
    expect(runner).toMatchObject({ length: 2, lastAt: after(5), view: null });
    applyRecords(runner, [record('Finished', null, after(6))]);
    expect(runner).toMatchObject({ length: 3, lastAt: after(6) });
  });

  it('that say where a log came from say nothing about the swap', () => {
    const runner = runnerOf();
    applyRecords(runner, [record('Imported', { head: { maker_coin: 'DOC' } })]);
    expect(stateOf(runner)).toBe('created');
    expect(runner.length).toBe(1);
  });

  it('are refused with their place if the state cannot accept them', () => {
    const runner = runnerOf();
    applyRecords(runner, [record('SwapRequested', requestOf('taker'))]);
    expect(() => applyRecords(runner, [failure, record('Negotiated', {})])).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_EVENT', facts: expect.objectContaining({ seq: 2 }) }),
    );
  });

  it('change the view of the swap, which is made once for each change', () => {
    const runner = runnerOf();
    const first = viewOf(runner);
    expect(viewOf(runner)).toBe(first);
    applyRecords(runner, [record('SwapRequested', requestOf('taker'), after(3))]);
    const second = viewOf(runner);
    expect(second).not.toBe(first);
    // No public event has a time yet, so the journal's counts.
    expect(second.lastEventAt).toBe(after(3));
    applyRecords(runner, [failure, record('OperatorActed', { action: 'pause', reason: null }, after(8))]);
    expect(viewOf(runner).lastEventAt).toBe(NOW);
  });
});

describe('a maker that may have revealed the secret', () => {
  it('is recognized by a claim that a node accepted, not by one that was only signed, or recorded and never accepted', () => {
    const given: boolean[] = [];
    const runner = runnerOf();
    const kind = {
      ...takerKind,
      facts: (...[state, context, inputs]: Parameters<typeof takerKind.facts>) => {
        given.push(inputs.claimSeen);
        return takerKind.facts(state, context, inputs);
      },
    };
    const watched = { ...runner, kind };
    viewOf(watched);
    applyRecords(watched, [record('TransactionPrepared', { purpose: 'claim', tx, target: null, urgency: 0 })]);
    applyRecords(watched, [
      record('TransactionPrepared', { purpose: 'claim', tx: { ...tx, tx_hash: 'b0' }, target: null, urgency: 1 }),
    ]);
    viewOf(watched);
    applyRecords(watched, [record('BroadcastAttempted', { purpose: 'claim', tx_hash: 'b0' })]);
    viewOf(watched);
    applyRecords(watched, [record('BroadcastAccepted', { purpose: 'claim', tx_hash: 'b0', how: 'sent' })]);
    viewOf(watched);
    expect(given).toEqual([false, false, false, true]);
  });
});

describe('what is in the log need not be remembered beside it', () => {
  const prepared = (purpose: string) => record('TransactionPrepared', { purpose, tx, target: null, urgency: 0 });
  const withPrepared = () => {
    const runner = runnerOf();
    for (const name of ['fee', 'payment', 'claim', 'refundPreimage', 'claimPreimage'] as const)
      runner.facts.prepared.set(name, tx);
    return runner;
  };
  const kept = ({ facts }: ReturnType<typeof runnerOf>) => [...facts.prepared.keys()];

  it('a signed transaction of the same purpose', () => {
    const runner = withPrepared();
    applyRecords(runner, [prepared('claim')]);
    expect(kept(runner)).toEqual(['fee', 'payment', 'refundPreimage', 'claimPreimage']);
  });

  it('with a payment the watchers’ refund of another variant of it', () => {
    const runner = withPrepared();
    applyRecords(runner, [prepared('payment')]);
    expect(kept(runner)).toEqual(['fee', 'claim', 'claimPreimage']);
  });

  it('what was signed for a step that is past, which goes back to the wallet', () => {
    const purposes = ['fee', 'payment', 'refund', 'void', 'claim'] as const;
    const left = (...records: NewRecord[]) => {
      const runner = runnerOf();
      const { facts } = runner;
      for (const purpose of purposes) facts.prepared.set(purpose, { ...tx, tx_hash: purpose });
      applyRecords(runner, records);
      const given = facts.unused.map(({ purpose, tx: { tx_hash } }) => (purpose === tx_hash ? purpose : '?'));
      return { kept: [...facts.prepared.keys()], given };
    };
    expect(left(failure)).toEqual({ kept: purposes, given: [] });
    expect(left(failure, record('Finished'))).toEqual({ kept: [], given: purposes });
    const taker = buildSwapPair().taker.events.map(({ type, data }) => record(type, data));
    const started = taker.slice(
      0,
      taker.findIndex(({ type }) => type === 'TakerPaymentSpent'),
    );
    expect(left(...started)).toEqual({ kept: purposes, given: [] });
    const own = purposes.filter((purpose) => purpose !== 'claim');
    expect(left(...taker.slice(0, started.length + 1))).toEqual({ kept: ['claim'], given: own });
  });

  it('the answer to a broadcast once it is recorded, and of that transaction alone', () => {
    const answers: readonly (readonly [string, object])[] = [
      ['BroadcastAccepted', { how: 'sent' }],
      ['BroadcastRefused', { kind: 'invalid', message: '' }],
      ['TransactionDropped', {}],
    ];
    for (const [type, more] of answers) {
      const runner = runnerOf();
      for (const hash of ['aa', 'bb']) runner.facts.broadcasts.set(hash, { ok: true, value: 'sent' });
      applyRecords(runner, [record(type, { purpose: 'payment', tx_hash: 'aa', ...more })]);
      expect([...runner.facts.broadcasts.keys()], type).toEqual(['bb']);
    }
    const runner = runnerOf();
    runner.facts.broadcasts.set('aa', { ok: true, value: 'sent' });
    applyRecords(runner, [record('BroadcastAttempted', { purpose: 'payment', tx_hash: 'aa' })]);
    expect(runner.facts.broadcasts.size).toBe(1);
  });

  it('pauses between tries once an operator has acted, and at nothing else', () => {
    const runner = runnerOf();
    const tries = { count: 3, next: after(300), kind: 'unavailable', message: '' };
    runner.facts.tries.set('maker:payment', tries);
    applyRecords(runner, [prepared('payment'), record('SwapRequested', requestOf('taker'))]);
    expect(runner.facts.tries.size).toBe(1);
    applyRecords(runner, [record('OperatorActed', { action: 'retry', reason: null })]);
    expect(runner.facts.tries.size).toBe(0);
  });
});

const seen = (changes = {}) => ({ value: paymentOf(changes), at: NOW });
const funded = { funding: { tx, confirmations: 0 } };
const feeOf = (changes: object = {}): SwapMessage => ({
  kind: 'takerFee',
  tx: { tx_hex: '01', tx_hash: 'fe', ...changes },
});

describe('a message of the other side', () => {
  it('waits in the inbox, where a later one of its kind replaces it', () => {
    const { facts } = runnerOf();
    receive({ facts }, { kind: 'negotiated', accepted: true });
    receive({ facts }, feeOf());
    receive({ facts }, { kind: 'negotiated', accepted: false });
    expect([...facts.inbox.values()]).toEqual([{ kind: 'negotiated', accepted: false }, feeOf()]);
  });

  it('that names another fee has the fee checked again; the same one once more does not', () => {
    const checked = { value: null, at: NOW };
    const cases: readonly (readonly [SwapMessage | null, SwapMessage, boolean])[] = [
      [null, feeOf(), false],
      [feeOf(), feeOf(), true],
      [feeOf(), feeOf({ tx_hash: 'fd' }), false],
      [feeOf(), feeOf({ tx_hex: '02' }), false],
      [feeOf(), { kind: 'negotiated', accepted: true }, true],
    ];
    for (const [before, message, isKept] of cases) {
      const { facts } = runnerOf();
      if (before !== null) receive({ facts }, before);
      facts.feeCheck = checked;
      facts.feeChecks = 3;
      receive({ facts }, message);
      expect([facts.feeCheck, facts.feeChecks]).toEqual(isKept ? [checked, 3] : [null, 0]);
    }
  });

  it('about a payment is a reason to look for that payment, as long as none was seen', () => {
    const messages: readonly SwapMessage[] = [
      { kind: 'makerPayment', tx, instructions: null },
      { kind: 'takerPayment', tx },
      { kind: 'negotiated', accepted: true },
    ];
    const looks = messages.map((message) => {
      const { facts } = runnerOf();
      facts.payments = { maker: seen(), taker: seen() };
      receive({ facts }, message);
      return [facts.payments.maker === null, facts.payments.taker === null];
    });
    expect(looks).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    for (const message of messages) {
      const { facts } = runnerOf();
      facts.payments = { maker: seen(funded), taker: seen(funded) };
      receive({ facts }, message);
      expect(facts.payments).toEqual({ maker: seen(funded), taker: seen(funded) });
    }
  });

  it('about a payment that was never looked for changes nothing', () => {
    const { facts } = runnerOf();
    receive({ facts }, { kind: 'makerPayment', tx, instructions: null });
    expect(facts.payments).toEqual({ maker: null, taker: null });
  });
});

describe('what a runner knows beside its log', () => {
  it('is forgotten for the chain that changed; of transactions for both', () => {
    const { facts } = runnerOf();
    facts.payments = { maker: { value: paymentOf(), at: NOW }, taker: { value: paymentOf(), at: NOW } };
    facts.transactions.set('aa', { value: { status: 'mempool', confirmations: 0 }, at: NOW });
    poke({ facts, policy: DEFAULT_POLICY }, 'taker');
    expect(facts.payments.maker).not.toBeNull();
    expect(facts.payments.taker).toBeNull();
    expect(facts.transactions.size).toBe(0);
  });

  it('waits for no long pause between faults of a chain that reports news, and for no shorter one than the first', () => {
    const { facts } = runnerOf();
    const tried = (kind: string, count: number, seconds: number) => ({
      kind,
      count,
      next: after(seconds),
      message: '',
    });
    // Failed for the seventh, the first, the third time, each 10 s ago.
    facts.tries.set('taker:payment', tried('unavailable', 7, 290));
    facts.tries.set('taker:quote', tried('unknown', 1, -5));
    facts.tries.set('maker:payment', tried('unavailable', 7, 290));
    facts.tries.set('taker:broadcast:aa', tried('feeTooLow', 7, 290));
    facts.tries.set('taker:broadcast:bb', tried('none', 0, 30));
    const nexts = () => Object.fromEntries([...facts.tries].map(([key, { next }]) => [key, (next - NOW) / 1000]));
    const eased = {
      'taker:payment': -5,
      'taker:quote': -5,
      'maker:payment': 290,
      'taker:broadcast:aa': 290,
      'taker:broadcast:bb': 30,
    };
    for (let news = 0; news < 3; news += 1) {
      poke({ facts, policy: DEFAULT_POLICY }, 'taker');
      expect(nexts()).toEqual(eased);
    }
    expect(facts.tries.get('taker:payment')).toMatchObject({ count: 7 });
  });

  it('holds when each kind of message was last handed over', () => {
    const runner = runnerOf();
    sent(runner, { message: { kind: 'negotiated', accepted: true }, now: NOW });
    sent(runner, { message: { kind: 'negotiated', accepted: true }, now: after(30) });
    sent(runner, { message: { kind: 'takerPayment', tx }, now: after(31) });
    expect([...runner.facts.sentAt]).toEqual([
      ['negotiated', after(30)],
      ['takerPayment', after(31)],
    ]);
  });
});
