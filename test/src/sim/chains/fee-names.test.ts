import { describe, expect, it } from 'vitest';
import { feeOfAnotherSender } from '../../../../src/htlc/error-texts.ts';
import type { FeeCheck } from '../../../../src/ports/chain.ts';
import { createSimChain } from '../../../../src/sim/chains/create.ts';
import type { Fidelity } from '../../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { got, send } from './scene.ts';
import { testClock, units } from './support.ts';

const ONE = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' };
const TWO = { swap: '8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4e' };
const FEE = { purpose: 'fee', feeSat: 7500n, burnSat: 2500n, urgency: 0, replaces: null } as const;

function wallets(fidelity: Fidelity) {
  const clock = testClock();
  const chain = createSimChain('utxo', { coin: 'DOC', now: clock.now, rng: xorshift32(1), fidelity });
  const made = (party: string, keyPerSwap: boolean) => chain.wallet({ party, funds: units('1'), keyPerSwap });
  const otherKey = chain.wallet({ party: 'bert', keyPerSwap: true }).htlcKey(ONE.swap);
  return { many: made('anna', true), single: made('bert', false), maker: made('cleo', false), otherKey };
}

type Paid = { readonly tx_hex: string; readonly tx_hash: string };

const checkOf = ({ tx_hex, tx_hash }: Paid, payer: string): FeeCheck => {
  return { tx: tx_hex, hash: tx_hash, payer, feeSat: FEE.feeSat, burnSat: FEE.burnSat, minHeight: 0 };
};

describe.each(['compact', 'real'] as const)('the payer of a fee, by its bytes alone: %s', (fidelity) => {
  it('is proven by its swap if the wallet has a key for each swap', () => {
    const { many, maker } = wallets(fidelity);
    const paid = send(many, got(many.prepare(FEE, ONE)));
    expect(many.htlcKey(ONE.swap)).not.toBe(many.htlcKey(TWO.swap));
    expect(maker.checkFee(checkOf(paid, many.htlcKey(ONE.swap)), ONE)).toEqual({ ok: true, value: null });
    expect(maker.checkFee({ ...checkOf(paid, many.htlcKey(ONE.swap)), tx: null, feeSat: null }, ONE)).toEqual({
      ok: true,
      value: null,
    });
  });

  it('is unknown for another swap, whoever signed it', () => {
    const { many, maker } = wallets(fidelity);
    const paid = send(many, got(many.prepare(FEE, ONE)));
    const text = `Provided dex fee tx ${paid.tx_hash} names another swap than this one`;
    for (const payer of [many.htlcKey(TWO.swap), many.htlcKey(ONE.swap), maker.htlcKey(TWO.swap)]) {
      expect(maker.checkFee(checkOf(paid, payer), TWO)).toEqual({ ok: true, value: text });
    }
  });

  it('is proven by the key that signed if there is one key, and another key of the same wallet proves nothing', () => {
    const { many, single, maker, otherKey } = wallets(fidelity);
    const paid = send(single, got(single.prepare(FEE, ONE)));
    for (const forSwap of [ONE, TWO]) {
      expect(maker.checkFee(checkOf(paid, single.htlcKey(forSwap.swap)), forSwap)).toEqual({ ok: true, value: null });
      for (const payer of [otherKey, many.htlcKey(ONE.swap)]) {
        expect(maker.checkFee(checkOf(paid, payer), forSwap)).toEqual({ ok: true, value: feeOfAnotherSender() });
      }
    }
  });

  it('names its swap again in a dearer variant, and costs no more for it', () => {
    const { many, single, maker } = wallets(fidelity);
    const first = got(many.prepare(FEE, ONE));
    const dearer = got(many.prepare({ ...FEE, urgency: 2, replaces: first }, ONE));
    send(many, dearer);
    expect(maker.checkFee(checkOf(dearer, many.htlcKey(ONE.swap)), ONE)).toEqual({ ok: true, value: null });
    expect(first.fee).toBe(got(single.prepare(FEE, ONE)).fee);
  });
});
