import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../../../src/events/journal.ts';
import type { KeyRule } from '../../../../src/htlc/key-rule.ts';
import {
  FREE_NETWORK,
  KDF_NETWORK,
  type NetworkProfile,
  type TradingFee,
} from '../../../../src/htlc/network-profile.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { Millis, UnixSeconds } from '../../../../src/primitives/time.ts';
import type { Others } from '../../../../src/runtime/held.ts';
import type { ChainIdentity, DrivableInputs } from '../../../../src/runtime/loop/drivable.ts';
import { swapKind } from '../../../../src/runtime/loop/swap-kind.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { scriptedChain } from '../../../support/scripted.ts';
import { KEYS, requestOf, type Side, UUID } from '../../../support/swap-pair.ts';
import { syntheticEvent } from '../../../support/synthetic-events.ts';
import { preparedOf, quoteOf } from '../../../support/turns.ts';

const KDF_FEE = KDF_NETWORK.tradingFee as TradingFee;

const AT = 1_700_000_000_000 as Millis;
const record = (type: string, data: unknown = null): NewRecord => ({ at: AT, type, version: 1, data });
const request = (side: Side, changes: Parameters<typeof requestOf>[1] = {}) =>
  record('SwapRequested', requestOf(side, changes));
const event = (type: string): NewRecord => record(type, syntheticEvent(type, AT).data);
const events = (types: string): readonly NewRecord[] => types.split(' ').map(event);

type Given = {
  readonly active?: readonly string[];
  readonly others?: (stream: string) => Others;
  readonly keyRule?: KeyRule;
  readonly network?: NetworkProfile;
};

function driven(side: Side, records: readonly NewRecord[], given: Given = {}) {
  const { active = ['DOC', 'MARTY'], others, keyRule, network } = given;
  const asked: string[] = [];
  const chain = (coin: string): ChainIdentity | undefined => {
    expect(coin).toEqual(expect.any(String));
    if (!active.includes(coin)) return undefined;
    const { traits } = scriptedChain(coin, () => expect.unreachable('nothing is asked'));
    const htlcKey = (swap: string) => {
      asked.push(`${coin} ${swap}`);
      return `02${coin === 'DOC' ? KEYS.maker : KEYS.taker}`;
    };
    return { traits, htlcKey };
  };
  const inputs: DrivableInputs = {
    policy: DEFAULT_POLICY,
    chain,
    ...(others === undefined ? {} : { others }),
    ...(network === undefined ? {} : { network }),
  };
  const stream = `${side}-swap/${UUID}`;
  const kind = swapKind(side, keyRule === undefined ? {} : { keyRule });
  return { ...kind.create(stream, records, inputs), asked };
}

const TAKER_VALID =
  'Started Negotiated TakerFeeSent TakerPaymentInstructionsReceived MakerPaymentReceived MakerPaymentWaitConfirmStarted MakerPaymentValidatedAndConfirmed';
const TAKER_PAID = `${TAKER_VALID} TakerPaymentSent`;
const TAKER_DONE = `${TAKER_PAID} TakerPaymentSpent MakerPaymentSpent MakerPaymentSpendConfirmed Finished`;
const TAKER_BACK = `${TAKER_PAID} TakerPaymentWaitForSpendFailed TakerPaymentWaitRefundStarted TakerPaymentRefundStarted TakerPaymentRefunded TakerPaymentRefundFinished Finished`;
const MAKER_PAID = 'Started Negotiated TakerFeeValidated MakerPaymentSent';
const MAKER_DONE = `${MAKER_PAID} TakerPaymentReceived TakerPaymentWaitConfirmStarted TakerPaymentValidatedAndConfirmed TakerPaymentSpent TakerPaymentSpendConfirmStarted TakerPaymentSpendConfirmed Finished`;

describe('the streams of each role', () => {
  it('have names of their own', () => {
    expect([swapKind('taker').machine, swapKind('maker').machine]).toEqual(['taker-swap', 'maker-swap']);
  });

  it('are driven with keys of the swap, on the chains of its coins', () => {
    const { asked, coins, stream } = driven('taker', [request('taker')]);
    expect(asked).toEqual([`DOC ${UUID}`, `MARTY ${UUID}`]);
    expect(coins).toEqual({ maker: 'DOC', taker: 'MARTY' });
    expect(stream).toBe(`taker-swap/${UUID}`);
  });

  it('count what the other streams hold, and not their own', () => {
    const asked: string[] = [];
    const others = (stream: string): Others => {
      asked.push(stream);
      return { since: () => null } as Others;
    };
    driven('maker', [request('maker')], { others });
    expect(asked).toEqual([`maker-swap/${UUID}`]);
  });
});

describe('a swap that starts', () => {
  const start = (side: Side, given: Given = {}) => {
    const made = driven(side, [request(side)], given);
    for (let turns = 0; turns < 9; turns++) {
      const command = made.decide(AT);
      if (command.kind === 'append') return { ...made, records: made.recordsOf(command.events, AT) };
      if (command.kind !== 'ask') break;
      made.absorb(command, { result: { ok: true, value: quoteOf() }, now: AT });
    }
    return expect.unreachable('it does not start');
  };

  it('holds the fee of its own network, and none if trading is free', () => {
    const held = (network?: NetworkProfile) => {
      const { records, holds } = start('taker', network === undefined ? {} : { network });
      return Number(holds?.(records).amounts.get('MARTY'));
    };
    const kdf = held();
    expect(held(KDF_NETWORK)).toBe(kdf);
    const dear = { ...KDF_NETWORK, tradingFee: { ...KDF_FEE, rate: { over: 1n, under: 100n } } };
    expect(held(dear) - kdf).toBeCloseTo(3 / 100 - 3 / 777, 6);
    expect(kdf - held(FREE_NETWORK)).toBeGreaterThanOrEqual(3 / 777 - 1e-6);
  });

  it('reports its keys, and holds what it will take from the wallets', () => {
    for (const side of ['taker', 'maker'] as const) {
      const { records, applyRecords, holds } = start(side);
      expect(records.map(({ type, data }) => [type, data])).toMatchObject([
        [
          'Started',
          { maker_coin_htlc_pubkey: `02${KEYS.maker}`, taker_coin_htlc_pubkey: `02${KEYS.taker}`, uuid: UUID },
        ],
      ]);
      expect(holds?.().amounts.size).toBe(0);
      const own = side === 'taker' ? 'MARTY' : 'DOC';
      expect(Number(holds?.(records).amounts.get(own))).toBeGreaterThan(side === 'taker' ? 3 : 1.5);
      applyRecords(records);
      expect(Number(holds?.().amounts.get(own))).toBeGreaterThan(side === 'taker' ? 3 : 1.5);
    }
  });

  it('accepts keys of the other side that its coins accept: points of secp256k1, or what the chain says', () => {
    const answerTo = (keyRule?: KeyRule) => {
      const { records, applyRecords, receive, decide } = start('taker', keyRule === undefined ? {} : { keyRule });
      applyRecords(records);
      const lock = (AT / 1000 + 2 * 7800) as UnixSeconds;
      const common = { started_at: (AT / 1000) as UnixSeconds, payment_locktime: lock, secret_hash: 'cc'.repeat(20) };
      const contracts = { maker_coin_swap_contract: null, taker_coin_swap_contract: null };
      const persistent_pubkey = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
      receive({ kind: 'negotiation', offer: { version: 2, persistent_pubkey, ...common, ...contracts } });
      return decide(AT);
    };
    expect(answerTo()).toMatchObject({ kind: 'append', events: [{ type: 'MessageReceived' }] });
    const refused = answerTo(() => 'not on this curve');
    expect(refused).toMatchObject({
      kind: 'append',
      events: [{ type: 'NegotiateFailed', data: { error: expect.stringContaining('not on this curve') } }],
    });
  });
});

describe('the coins of a swap', () => {
  const started = (data: unknown) =>
    record('Started', { ...(syntheticEvent('Started', AT).data as object), ...(data as object) });
  const coinsOf = (...records: NewRecord[]) => driven('taker', records).coins;
  const both = { maker_coin: 'DOC', taker_coin: 'MARTY' };

  it('are those of its request, of the head of an import, or of its start', () => {
    expect(coinsOf(request('taker', both))).toEqual({ maker: 'DOC', taker: 'MARTY' });
    expect(coinsOf(record('Imported', { head: both }))).toEqual({ maker: 'DOC', taker: 'MARTY' });
    expect(coinsOf(started(both))).toEqual({ maker: 'DOC', taker: 'MARTY' });
  });

  it('are those of the first record that names both', () => {
    const other = { maker_coin: 'KMD', taker_coin: 'LTC' };
    expect(coinsOf(record('Imported', { head: both }), started(other))).toEqual({ maker: 'DOC', taker: 'MARTY' });
    for (const head of [
      { maker_coin: 'DOC' },
      { ...both, taker_coin: '' },
      { ...both, maker_coin: 7 },
      null,
      undefined,
    ]) {
      expect(coinsOf(record('Imported', { head }), started(other))).toEqual({ maker: 'KMD', taker: 'LTC' });
    }
    expect(coinsOf(record('Imported', null), started(other))).toEqual({ maker: 'KMD', taker: 'LTC' });
    expect(coinsOf(record('Imported', both), started(other))).toEqual({ maker: 'KMD', taker: 'LTC' });
  });

  it('are unknown if no record names them, or only one that means something else', () => {
    const none = { maker: null, taker: null };
    expect(coinsOf()).toEqual(none);
    expect(coinsOf(record('OperatorActed', { action: 'pause', reason: null, ...both }))).toEqual(none);
    const { asked, missing, preview } = driven('taker', []);
    expect({ asked, missing }).toEqual({ asked: [], missing: [] });
    expect(Object.keys(preview([])).sort()).toEqual(['finished', 'outcome', 'state']);
  });
});

describe('coins without which a swap must not continue', () => {
  const missingOf = (side: Side, types: string, active: readonly string[]) =>
    driven(side, [request(side), ...events(types)], { active }).missing;

  it('are those that are inactive, until the own payment is out', () => {
    for (const side of ['taker', 'maker'] as const) {
      const types = side === 'taker' ? TAKER_VALID : 'Started Negotiated TakerFeeValidated';
      expect(missingOf(side, types, ['DOC', 'MARTY'])).toEqual([]);
      expect(missingOf(side, types, ['DOC'])).toEqual(['MARTY']);
      expect(missingOf(side, types, ['MARTY'])).toEqual(['DOC']);
      expect(missingOf(side, types, [])).toEqual(['DOC', 'MARTY']);
    }
  });

  it('are both or none once it may be out: one coin’s outage does not keep the other’s money', () => {
    for (const [side, types] of [
      ['taker', TAKER_PAID],
      ['taker', `${TAKER_VALID} TakerPaymentTransactionFailed`],
      ['maker', MAKER_PAID],
    ] as const) {
      const prepared = record('TransactionPrepared', {
        purpose: 'payment',
        tx: preparedOf().tx,
        target: null,
        urgency: 0,
      });
      const attempted = record('BroadcastAttempted', { purpose: 'payment', tx_hash: preparedOf().tx.tx_hash });
      const records = [request(side), prepared, attempted, ...events(types)];
      const missing = (active: readonly string[]) => driven(side, records, { active }).missing;
      expect(missing(['DOC'])).toEqual([]);
      expect(missing(['MARTY'])).toEqual([]);
      expect(missing([])).toEqual(['DOC', 'MARTY']);
    }
  });

  it('are those that are inactive after the end', () => {
    expect(missingOf('taker', TAKER_DONE, ['DOC'])).toEqual(['MARTY']);
    expect(missingOf('maker', MAKER_DONE, ['DOC'])).toEqual(['MARTY']);
  });
});

describe('the messages that a swap listens to', () => {
  const keys = { maker: 'AB'.repeat(32), taker: 'CD'.repeat(32) };
  const started = record('Started', { ...(syntheticEvent('Started', AT).data as object), ...keys });

  it('is the other side of the request, else that of the start, in small letters', () => {
    const topic = `swap/${UUID}`;
    expect(driven('taker', [request('taker', { counterparty: 'EF'.repeat(32) }), started]).listens()).toEqual({
      topic,
      from: 'ef'.repeat(32),
      kinds: new Set(['negotiation', 'negotiated', 'makerPayment']),
    });
    expect(driven('taker', [started]).listens()).toMatchObject({ topic, from: 'ab'.repeat(32) });
    expect(driven('maker', [started]).listens()).toEqual({
      topic,
      from: 'cd'.repeat(32),
      kinds: new Set(['negotiationReply', 'takerFee', 'takerPayment']),
    });
  });

  it('is null if the log names nobody', () => {
    for (const side of ['taker', 'maker'] as const) expect(driven(side, []).listens()).toBeNull();
    expect(
      driven('maker', [record('Started', { ...(syntheticEvent('Started', AT).data as object), maker: 'x' })]).listens(),
    ).toBeNull();
  });
});

describe('what is known of a swap', () => {
  it('is its role, its state, and on which chain its transactions are', () => {
    for (const side of ['taker', 'maker'] as const) {
      const view = driven(side, [request(side), ...events('Started')]).look();
      expect(view).toMatchObject({ role: side, state: 'negotiating', outcome: 'in-progress' });
      expect(view.next).toMatchObject({ action: 'negotiate', who: 'engine' });
      expect(view.journal.request).toEqual(requestOf(side));
      expect(view.funds?.takerPayment).toMatchObject({ status: 'none' });
      const purposes: readonly Purpose[] = ['fee', 'payment', 'refund', 'void', 'claim'];
      const other = side === 'taker' ? 'maker' : 'taker';
      expect(purposes.map((purpose) => view.legOf(purpose))).toEqual([side, side, side, side, other]);
    }
  });

  it('is in the labels of its stream', () => {
    expect(driven('taker', [request('taker'), ...events(TAKER_VALID)]).preview([])).toEqual({
      makerCoin: 'DOC',
      takerCoin: 'MARTY',
      outcome: 'in-progress',
      state: 'sendingTakerPayment',
      finished: false,
    });
  });
});

describe('a swap no longer needs a runner', () => {
  const settled = (payment: Side, how: string) =>
    record('PaymentSettled', { payment, how, by: 'self', tx_hash: null, confirmations: 3 });
  const reorged = (payment: Side) => record('PaymentReorged', { payment, tx_hash: 'aa', confirmations: 0, before: 3 });
  const ordered = record('OperatorActed', { action: 'recover', reason: null });
  const recovered = record('FundsRecovered', { action: 'SpentOtherPayment', coin: 'DOC', tx: null });
  const isOver = (side: Side, types: string, ...more: NewRecord[]) =>
    driven(side, [request(side), ...events(types), ...more]).preview([]).finished;

  it('once the end that it came to is final on its chain', () => {
    for (const [side, types, leg, how] of [
      ['taker', TAKER_DONE, 'maker', 'claimed'],
      ['maker', MAKER_DONE, 'taker', 'claimed'],
      ['taker', TAKER_BACK, 'taker', 'refunded'],
    ] as const) {
      const other = leg === 'maker' ? 'taker' : 'maker';
      expect(isOver(side, types)).toBe(false);
      expect(isOver(side, types, settled(leg, how))).toBe(true);
      expect(isOver(side, types, settled(other, 'voided'))).toBe(false);
      expect(isOver(side, types, settled(leg, how), reorged(leg))).toBe(false);
      expect(isOver(side, types, settled(leg, how), reorged(other))).toBe(false);
      expect(isOver(side, types, settled(leg, how), ordered)).toBe(false);
      expect(isOver(side, types, ordered, recovered)).toBe(true);
    }
  });

  it('at its end if it never paid, or if its log came from elsewhere', () => {
    expect(isOver('taker', 'StartFailed')).toBe(false);
    expect(isOver('taker', 'StartFailed Finished')).toBe(true);
    expect(isOver('maker', 'StartFailed Finished')).toBe(true);
    expect(driven('taker', events(TAKER_DONE)).preview([]).finished).toBe(true);
    expect(driven('taker', [...events(TAKER_DONE), ordered]).preview([]).finished).toBe(false);
  });

  it('but does if the other side refunded its payment and the own one is open', () => {
    expect(isOver('taker', 'StartFailed Finished', settled('maker', 'refunded'))).toBe(false);
    expect(isOver('taker', 'StartFailed Finished', settled('maker', 'refunded'), settled('taker', 'voided'))).toBe(
      true,
    );
    expect(isOver('maker', 'StartFailed Finished', settled('taker', 'refunded'))).toBe(false);
    expect(isOver('maker', 'StartFailed Finished', settled('maker', 'refunded'))).toBe(true);
  });
});
