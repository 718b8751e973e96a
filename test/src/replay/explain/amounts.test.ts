import { describe, expect, it } from 'vitest';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { auditedSwap } from '../../../../src/replay/audit/swap-view.ts';
import { amountOf, broughtBy } from '../../../../src/replay/explain/amounts.ts';
import { explainSwap } from '../../../../src/replay/explain.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { describeShared, manifest, readShared } from '../../../support/shared.ts';

const log = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'amounts' });
const view = auditedSwap(log);

describe('an amount', () => {
  it('has no more digits than the chain that holds it', () => {
    const { maker } = view.payments;
    expect(amountOf(decimalOf('2.4000000000000000001'), maker)).toBe('2.4');
    const value = maker.transaction?.utxo?.outputs[0]?.value;
    expect(value).toBe(240_000_000n);
  });

  it('has at most the digits of any chain if the payment does not say which chain it is on', () => {
    const none = { transaction: undefined };
    expect(amountOf(decimalOf(`0.${'3'.repeat(100)}`), none)).toBe(`0.${'3'.repeat(18)}`);
    expect(amountOf(decimalOf('0.02004833998671660000000000'), none)).toBe('0.0200483399867166');
    expect(amountOf(decimalOf('1e-30'), none)).toBe('1e-30');
    expect(amountOf(decimalOf('-1.5'), none)).toBe('-1.5');
  });
});

describe('what a claim brought', () => {
  it('is what its outputs pay: the locked amount less the fee', () => {
    const { net, feeInside } = broughtBy(view, { kind: 'claim', payer: 'maker' });
    const outputs = view.transactions.find(({ event }) => event === 'MakerPaymentSpent')?.utxo?.outputs ?? [];
    const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
    expect([net, feeInside]).toEqual([
      `${paid / 100_000_000n}.${String(paid % 100_000_000n)
        .padStart(8, '0')
        .replace(/0+$/, '')}`,
      true,
    ]);
    expect(explainSwap(log).advice[0]).toBe(`Nothing: the taker received ${net} DOC (2.4 DOC less the network fee).`);
  });

  it('is unknown if the log holds no such transaction', () => {
    expect(broughtBy(view, { kind: 'refund', payer: 'taker' })).toEqual({ net: null, feeInside: null });
  });
});

describeShared('amounts of real swaps', () => {
  it('are never shown with more digits than a chain has', () => {
    for (const { file } of manifest()) {
      const [swap] = decodeSwapsText(readShared(`swaps/${file}`));
      if (swap === undefined || !swap.ok) continue;
      const { headline, funds, advice } = explainSwap(swap.log);
      for (const text of [headline, ...funds, ...advice]) expect(text, file).not.toMatch(/\.\d{19,}/);
    }
  });
});
