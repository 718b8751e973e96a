import { describe, expect, it } from 'vitest';
import { type DecimalText, decimalOf, toBigNumber } from '../../../../../src/primitives/decimal.ts';
import type { SwapRunner } from '../../../../../src/runtime/swap/runner.ts';
import { conductOf } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';
import { calmScenario, soundWatcher } from '../../../../../src/sim/world/scenario.ts';
import { keptForRefund } from '../../../../../src/sim/world/told/kept-for-refund.ts';

type Locks = SwapRunner['kind']['locks'];

/** An engine that does all as it should, and tells something else of what it keeps. */
function keeping(change: (amount: ReturnType<typeof toBigNumber>) => ReturnType<typeof toBigNumber>): Behaviour {
  const changed = new WeakSet<object>();
  return {
    ...SOUND,
    decide(runner, now, node) {
      if (!changed.has(runner.kind)) {
        const { kind } = runner;
        const locks: Locks = (...given) => {
          const hold = kind.locks(...given);
          const amounts = new Map<string, DecimalText>();
          for (const [coin, amount] of hold.amounts)
            amounts.set(coin, decimalOf(change(toBigNumber(amount)).toFixed()));
          return { ...hold, amounts };
        };
        (runner as { kind: SwapRunner['kind'] }).kind = { ...kind, locks };
        changed.add(runner.kind);
      }
      return SOUND.decide(runner, now, node);
    },
  };
}

const account = { ...calmScenario().chains.maker, kind: 'account', feeRate: 3 } as const;
const COINS = { maker: { ...account, coin: 'ETH' }, taker: { ...account, coin: 'BNB', decimals: 18, feeRate: 7e9 } };
const gone = conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: 30_000 });

/** What a taker is told wrongly, without the figures. */
function toldBy(behaviour: Behaviour): readonly string[] {
  const { violations } = runScenario(gone(calmScenario({ chains: COINS })), { behaviours: { taker: behaviour } });
  return [...new Set(violations.map(({ rule, party, text }) => `${rule} ${party} ${text.replace(/[\d.]+/g, '#')}`))];
}

const FOUND = 'R14 taker # BNB are told to be kept for its refund, which takes # to #';

describe('what a party should keep for its refund (R14)', () => {
  it('is what its account will pay for it, until its payment has ended', () => {
    expect(toldBy(SOUND)).toEqual([]);
    const watched = {
      chains: { maker: { ...COINS.maker, rewards: true }, taker: { ...COINS.taker, rewards: true } },
      useWatchers: true,
      watcher: { ...soundWatcher(), greedy: true },
    };
    expect(runScenario(gone(calmScenario(watched))).violations).toEqual([]);
    expect(runScenario(calmScenario(watched)).violations).toEqual([]);
  });

  it.each([
    ['nothing', () => toBigNumber('0' as DecimalText)],
    ['the price of the payment instead', (amount: ReturnType<typeof toBigNumber>) => amount.times(65).div(100)],
    ['a base unit less', (amount: ReturnType<typeof toBigNumber>) => amount.minus('0.000000000000000001')],
    ['a base unit more', (amount: ReturnType<typeof toBigNumber>) => amount.plus('0.000000000000000001')],
  ])('is noticed to be %s', (_, change) => {
    expect(toldBy(keeping(change))).toContain(FOUND);
  });

  it('is nothing before the payment is signed, and may be nothing once it has ended', () => {
    const payment = { type: 'TransactionPrepared', data: { purpose: 'payment', tx: { fee: '0.00065' } } };
    expect(keptForRefund('maker', [{ type: 'Started', data: {} }])).toEqual({ least: '0', most: '0' });
    expect(keptForRefund('maker', [payment])).toEqual({ least: '0.001', most: '0.001' });
    expect(keptForRefund('maker', [payment, { type: 'TakerPaymentSpent', data: {} }]).least).toBe('0.001');
    expect(keptForRefund('taker', [payment, { type: 'TakerPaymentSpent', data: {} }]).least).toBe('0');
    for (const type of ['TransactionReverted', 'Finished'])
      expect(keptForRefund('maker', [payment, { type, data: {} }])).toEqual({ least: '0', most: '0.001' });
    const settled = (leg: string) => ({ type: 'PaymentSettled', data: { payment: leg } });
    expect(keptForRefund('maker', [payment, settled('maker')])).toEqual({ least: '0', most: '0' });
    expect(keptForRefund('maker', [payment, settled('taker')]).most).toBe('0.001');
    const reorged = { type: 'PaymentReorged', data: { payment: 'maker' } };
    expect(keptForRefund('maker', [payment, settled('maker'), reorged]).most).toBe('0.001');
  });
});
