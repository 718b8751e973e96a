import { describe, expect, it } from 'vitest';
import { toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { createSimChain } from '../../../../src/sim/chains/create.ts';
import type { SimChainOptions } from '../../../../src/sim/chains/types.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { claim, fee, payment, prepared, scene, send } from './scene.ts';
import { KINDS, mineMany, testClock, units } from './support.ts';

describe.each(KINDS)('the ledger of a simulated chain: %s', (kind) => {
  it('reports what a party has, was given and paid, before and after blocks', () => {
    const world = scene(kind);
    const { anna, bert, chain, terms } = world;
    const { ledger } = chain;
    expect(ledger.funded('anna')).toBe(100_000_000n);
    expect(ledger.balance('anna')).toEqual({ confirmed: 100_000_000n, pending: 100_000_000n });
    expect(ledger.balance('nobody')).toEqual({ confirmed: 0n, pending: 0n });
    const funding = send(anna, payment(anna, terms));
    const cost = toBaseUnits(terms.amount) + toBaseUnits(funding.fee);
    expect(ledger.balance('anna')).toEqual({ confirmed: 100_000_000n, pending: 100_000_000n - cost });
    expect(ledger.feesPaid('anna')).toBe(0n);
    mineMany(world, 1);
    const { confirmed } = ledger.balance('anna');
    expect(confirmed).toBe(100_000_000n - 10_000_000n - ledger.feesPaid('anna'));
    expect(ledger.feesPaid('anna') > 0n).toBe(true);
    const taken = send(bert, claim(bert, { terms, funding }));
    expect(ledger.balance('bert').pending).toBe(110_000_000n - toBaseUnits(taken.fee));
    mineMany(world, 1);
    expect(ledger.balance('bert').confirmed).toBe(110_000_000n - ledger.feesPaid('bert'));
  });

  it('lists everything that was seen, by purpose, with its owner and outcome', () => {
    const world = scene(kind);
    const { anna, bert, chain, terms, clock } = world;
    const { ledger } = chain;
    const funding = send(anna, payment(anna, terms));
    const gone = send(anna, fee(anna));
    chain.drop(gone.tx_hash);
    expect(ledger.payment(terms)).toMatchObject({
      fundings: [{ hash: funding.tx_hash, confirmations: 0 }],
      spend: null,
    });
    mineMany(world, 2);
    const taken = send(bert, claim(bert, { terms, funding }));
    const { lock } = ledger.payment(terms);
    const common = { submittedBy: 'anna', party: 'anna', firstSeen: clock.seconds - 120 };
    expect(ledger.transactions('anna')).toMatchObject([
      {
        ...common,
        hash: funding.tx_hash,
        hex: funding.tx_hex,
        purpose: 'payment',
        lock,
        status: 'confirmed',
        confirmations: 2,
      },
      { ...common, purpose: 'fee', lock: null, status: 'gone', everMined: false, confirmations: 0 },
    ]);
    expect(ledger.transactions('bert')).toMatchObject([
      { purpose: 'claim', lock, status: 'mempool', everMined: false },
    ]);
    expect(ledger.transactions()).toHaveLength(3);
    mineMany(world, 1);
    expect(ledger.payment(terms)).toEqual({
      lock,
      fundings: [{ hash: funding.tx_hash, confirmations: 3 }],
      spend: { how: 'secret', hash: taken.tx_hash, submittedBy: 'bert', confirmations: 1 },
      returnedAt: null,
      expiry: kind === 'autoRefund' ? expect.any(Number) : null,
    });
  });

  it('a second funding of the same terms shows as a double payment, if the chain allows one', () => {
    const world = scene(kind);
    const { anna, chain, terms } = world;
    send(anna, payment(anna, terms));
    send(anna, payment(anna, terms));
    expect(chain.ledger.payment(terms).fundings).toHaveLength(2);
    mineMany(world, 1);
    const standing = kind === 'utxo' ? ['confirmed', 'confirmed'] : ['confirmed', 'reverted'];
    expect(chain.ledger.transactions('anna').map(({ status }) => status)).toEqual(standing);
    expect(chain.ledger.payment(terms).fundings).toHaveLength(kind === 'utxo' ? 2 : 1);
  });

  it('options out of bounds are refused', () => {
    const { now } = testClock();
    const create = (options: Partial<SimChainOptions>) => () =>
      createSimChain(kind, { coin: 'X', now, rng: xorshift32(1), ...options });
    for (const options of [
      { startHeight: 5 },
      { blockTime: 0 },
      { decimals: 19 },
      { feeRate: 0 },
      { feeRate: Number.NaN },
    ]) {
      expect(create(options)).toThrow(RangeError);
    }
    expect(create({ startHeight: 11, blockTime: 1, decimals: 0, feeRate: 0.5 })).not.toThrow();
  });
});

describe('keys of a wallet on a simulated UTXO chain', () => {
  it('may differ for each swap; payments and claims work with them all the same', () => {
    const clock = testClock();
    const chain = createSimChain('utxo', { coin: 'DOC', now: clock.now, rng: xorshift32(1) });
    const [anna, bert] = ['anna', 'bert'].map((party) => chain.wallet({ party, funds: units('1'), keyPerSwap: true }));
    if (anna === undefined || bert === undefined) throw new Error('two wallets are made');
    expect(anna.htlcKey('one')).not.toBe(anna.htlcKey('two'));
    expect(chain.wallet({ party: 'anna', keyPerSwap: true }).htlcKey('one')).toBe(anna.htlcKey('one'));
    const { terms } = scene('utxo');
    const own = { ...terms, sender: anna.htlcKey('one'), receiver: bert.htlcKey('one') };
    const funding = send(anna, payment(anna, own));
    mineMany({ chain, clock }, 1);
    send(bert, claim(bert, { terms: own, funding }));
    mineMany({ chain, clock }, 1);
    expect(chain.ledger.payment(own).spend?.how).toBe('secret');
    expect(chain.ledger.balance('bert').confirmed).toBe(110_000_000n - chain.ledger.feesPaid('bert'));
  });

  it('a fee with a burn has both outputs, and the burn is gone', () => {
    const world = scene('utxo');
    const { anna, bert, chain } = world;
    const paid = send(
      anna,
      prepared(anna, { purpose: 'fee', feeSat: 7500n, burnSat: 2500n, urgency: 0, replaces: null }),
    );
    mineMany(world, 1);
    const check = { tx: paid.tx_hex, hash: paid.tx_hash, payer: anna.htlcKey('x'), feeSat: 7500n, minHeight: 0 };
    expect(bert.checkFee({ ...check, burnSat: 2500n })).toEqual({ ok: true, value: null });
    expect(bert.checkFee({ ...check, burnSat: 2501n })).not.toEqual({ ok: true, value: null });
    expect(chain.ledger.imbalance()).toBeNull();
    expect(chain.ledger.balance('anna').confirmed).toBe(100_000_000n - 10_000n - chain.ledger.feesPaid('anna'));
  });
});
