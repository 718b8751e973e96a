import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MakerStarted, TakerStarted } from '../../../src/events/payloads.ts';
import { dexFee } from '../../../src/htlc/dex-fee.ts';
import { dexFeeTotal, lockedBySwap, lockedBySwaps, type RunningSwap } from '../../../src/htlc/locked-amount.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../src/primitives/decimal.ts';
import { swapLog } from '../../../src/testing/drawn/logs.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

const amount = (text: string) => text as DecimalText;
const fee = (coin: string, text: string, paid_from_trading_vol = false) => ({
  coin,
  amount: amount(text),
  paid_from_trading_vol,
});

const taker: Extract<RunningSwap, { role: 'taker' }> = {
  role: 'taker',
  uuid: 'a',
  events: [],
  dexFee: amount('0.003'),
  started: {
    maker_coin: 'DOC',
    taker_coin: 'MARTY',
    taker_amount: amount('2.4'),
    fee_to_send_taker_fee: fee('MARTY', '0.00001'),
    taker_payment_trade_fee: fee('MARTY', '0.00002'),
    maker_payment_spend_trade_fee: fee('DOC', '0.00004'),
  },
};

const maker: Extract<RunningSwap, { role: 'maker' }> = {
  role: 'maker',
  uuid: 'b',
  events: [],
  started: {
    maker_coin: 'MARTY',
    taker_coin: 'USDT',
    maker_amount: amount('1'),
    maker_payment_trade_fee: fee('MARTY', '0.5'),
    taker_payment_spend_trade_fee: fee('ETH', '0.01'),
  },
};

const after = (swap: RunningSwap, ...events: string[]) => Object.fromEntries(lockedBySwap({ ...swap, events }));

describe('a taker', () => {
  it('locks less with every payment that is out', () => {
    expect(after(taker, 'Started', 'Negotiated')).toEqual({ MARTY: '2.40303', DOC: '0.00004' });
    expect(after(taker, 'Started', 'TakerFeeSent')).toEqual({ MARTY: '2.40002', DOC: '0.00004' });
    expect(after(taker, 'TakerFeeSent', 'TakerPaymentSent', 'TakerPaymentSpent')).toEqual({ DOC: '0.00004' });
    expect(after(taker, 'TakerFeeSent', 'TakerPaymentSent', 'MakerPaymentSpent')).toEqual({});
    expect(after(taker, 'TakerFeeSent', 'TakerPaymentSent', 'MakerPaymentSpentByWatcher')).toEqual({});
  });
});

describe('a maker', () => {
  it('locks its amount until it is paid, and the fee of its claim in the coin that pays fees', () => {
    expect(after(maker, 'Started', 'TakerFeeValidated')).toEqual({ MARTY: '1.5', ETH: '0.01' });
    expect(after(maker, 'TakerFeeValidated', 'MakerPaymentSent')).toEqual({ ETH: '0.01' });
    expect(after(maker, 'MakerPaymentSent', 'TakerPaymentSpent')).toEqual({});
  });

  it('locks no fee that comes out of the volume, or that is unknown', () => {
    const started = { ...maker.started, maker_payment_trade_fee: null };
    const fromVolume = { ...started, taker_payment_spend_trade_fee: fee('ETH', '0.01', true) };
    expect(after({ ...maker, started: fromVolume })).toEqual({ MARTY: '1' });
  });
});

describe('all swaps together', () => {
  it('lock the sum of what each locks, without the one in question', () => {
    expect(Object.fromEntries(lockedBySwaps([taker, maker]))).toEqual({
      MARTY: '3.90303',
      DOC: '0.00004',
      ETH: '0.01',
    });
    expect(lockedBySwaps([taker, maker], { except: 'a' })).toEqual(lockedBySwap(maker));
    expect(lockedBySwaps([], { except: 'a' })).toEqual(new Map());
  });

  it('lock nothing in a finished swap, and never more after an event than before', () => {
    const runs = fc.oneof(swapLog('taker', { consistent: false }), swapLog('maker', { consistent: false }));
    fc.assert(
      fc.property(runs, (log) => {
        fc.pre(log.events[0]?.type === 'Started');
        const started = log.events[0]?.data as TakerStarted & MakerStarted;
        const swap = { role: log.role, uuid: log.uuid, started, dexFee: amount('0.1') } as unknown as RunningSwap;
        let before = new Map<string, bigint>();
        log.events.forEach((_, index) => {
          const events = log.events.slice(0, index + 1).map(({ type }) => type);
          const now = new Map(
            [...lockedBySwap({ ...swap, events })].map(([coin, text]) => [coin, toBaseUnits(text, 18)]),
          );
          if (index > 0) for (const [coin, units] of now) expect(units).toBeLessThanOrEqual(before.get(coin) ?? -1n);
          if (events.at(-1) === 'Finished') expect(now.size).toBe(0);
          before = now;
        });
      }),
    );
  });

  it('are exact for any number of digits', () => {
    const units = fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(units, (parts) => {
        const swaps = parts.map((part, index): RunningSwap => {
          const started = { ...maker.started, maker_amount: fromBaseUnits(part, 18), maker_payment_trade_fee: null };
          return { ...maker, uuid: String(index), started };
        });
        const total = parts.reduce((sum, part) => sum + part, 0n);
        expect(lockedBySwaps(swaps).get('MARTY')).toBe(fromBaseUnits(total, 18));
      }),
    );
  });
});

describe('the fee of a taker', () => {
  it('counts with its burned part', () => {
    const parameters = { takerCoin: 'KMD', makerCoin: 'DOC', takerAmount: amount('777') };
    const total = dexFeeTotal(dexFee(parameters));
    expect(total).toBe('0.9');
    expect(dexFeeTotal({ kind: 'none', feeSat: 0n, burnSat: 0n })).toBe('0');
    expect(dexFeeTotal({ kind: 'standard', feeSat: 5n, burnSat: 0n }, 2)).toBe('0.05');
  });

  it('is all that is left of a payload that a log stores', () => {
    const { events } = buildSwap({ role: 'taker', path: successPath('taker') });
    const started = events[0]?.data as TakerStarted;
    const swap: RunningSwap = {
      role: 'taker',
      uuid: started.uuid,
      started,
      events: ['Started'],
      dexFee: amount('0.1'),
    };
    expect(lockedBySwap(swap).get(started.taker_coin)).toBe('2.50002');
  });
});
