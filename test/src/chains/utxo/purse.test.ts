import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import { feeAt, type UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { Purse, type Wanted } from '../../../../src/chains/utxo/purse.ts';
import { bareScript, ownScript } from '../../../../src/chains/utxo/sign-coins.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import {
  encodeTransaction,
  p2shScript,
  SIGHASH_ALL,
  SMART_CHAIN_FORM,
  sha256,
  transactionId,
  virtualSize,
} from '../../../../src/htlc/index.ts';
import { pushData } from '../../../../src/htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

const secretKey = sha256(new TextEncoder().encode('a purse'));
const signer = {
  key: secp256k1.getPublicKey(secretKey, true),
  sign: (hash: Uint8Array) => secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, format: 'der' }),
};

const COIN: UtxoCoin = {
  coin: 'DOC',
  decimals: 8,
  form: SMART_CHAIN_FORM,
  hashType: SIGHASH_ALL,
  address: 'p2pkh',
  scheme: 'p2sh',
  dust: 1000n,
  finality: 4,
  blockTime: 60,
  maturity: 7,
  medianBlocks: 11,
  fees: { rate: 2000n, floor: 1000n, ceiling: 100_000n },
};
const TIP = 100;
const OTHERS = p2shScript(new Uint8Array([0x51]));

type Given = {
  readonly value: bigint;
  readonly height?: number | null;
  readonly from?: string;
  readonly bare?: boolean;
};

/** A purse that was given coins, each by a transaction of its own. */
function purseWith(given: readonly Given[], coin: UtxoCoin = COIN) {
  const index = createChainIndex(() => TIP);
  const purse = new Purse({ index, signer, coin });
  for (const [place, { value, height = 50, from = 'ab'.repeat(32), bare = false }] of given.entries()) {
    const script = bare ? bareScript(signer.key) : ownScript(coin, signer.key);
    const input = { txid: from, vout: place, scriptSig: new Uint8Array(0), sequence: 0 };
    const tx = { format: 'legacy', version: 1, inputs: [input], outputs: [{ value, script }], lockTime: 0 } as const;
    const bytes = encodeTransaction(tx);
    index.put(transactionId(bytes, tx), { hex: bytesToHex(bytes), height });
  }
  return purse;
}

const wanted = (value: bigint, changes: Partial<Wanted> = {}): Wanted => ({
  outputs: [{ value, script: OTHERS }],
  rate: 2000n,
  replaced: null,
  maxFee: null,
  showsKey: false,
  ...changes,
});
const NO_TXID = '00'.repeat(32);

describe('the coins of a wallet', () => {
  it('are those of its address and of its bare key; immature rewards are separate', () => {
    const purse = purseWith([
      { value: 5n },
      { value: 7n, bare: true },
      { value: 11n, from: NO_TXID, height: TIP - COIN.maturity + 1 },
      { value: 13n, from: NO_TXID, height: TIP - COIN.maturity + 2 },
    ]);
    expect(purse.balances()).toEqual({ spendable: 23n, unspendable: 13n });
    expect(purse.spendable()).toBe(23n);
  });

  it('of an address with a witness are those of that address alone', () => {
    const purse = purseWith([{ value: 5n }, { value: 7n, bare: true }], {
      ...COIN,
      address: 'p2wpkh',
      form: { format: 'legacy', version: 2 },
    });
    expect(purse.balances()).toEqual({ spendable: 5n, unspendable: 0n });
  });

  it('that others may replace before they confirm are not inputs', () => {
    const purse = purseWith([{ value: 5n, height: null }]);
    expect([purse.balances().spendable, purse.spendable()]).toEqual([5n, 0n]);
  });
});

describe('a plan', () => {
  it('pays the amount and its fee by size, and returns the rest as change', async () => {
    const purse = purseWith([{ value: 40_000n }, { value: 60_000n }]);
    const plan = purse.plan(wanted(70_000n));
    if (typeof plan === 'string') throw new Error(plan);
    const made = await purse.sign(plan);
    const size = virtualSize(made.tx);
    expect(plan.coins).toHaveLength(2);
    expect(plan.outputs.map(({ value }) => value)).toEqual([70_000n, 30_000n - plan.fee]);
    expect(plan.fee).toBeGreaterThanOrEqual(feeAt(2000n, size));
    expect(plan.fee).toBeLessThanOrEqual(feeAt(2000n, size + 4));
  });

  it('leaves to the miner what is too small for an output, but never beyond the bound', () => {
    const fee = (maxFee: bigint | null, coins: readonly Given[]) => {
      const plan = purseWith(coins).plan(wanted(50_000n, { maxFee }));
      return typeof plan === 'string' ? plan : plan.fee;
    };
    const least = fee(null, [{ value: 60_000n }]) as bigint;
    const tight = [{ value: 50_000n + least + 999n }];
    expect(fee(null, tight)).toBe(least + 999n);
    expect(fee(least + 999n, tight)).toBe(least + 999n);
    expect(fee(least + 998n, tight)).toBe('tooFew');
    expect(fee(least + 998n, [...tight, { value: 9000n }])).toBeLessThanOrEqual(least + 998n);
  });

  it('takes no coin that costs more than it brings, and few: anyone can send a wallet thousands', () => {
    // An input of 148 bytes costs 296.
    const dust = Array.from({ length: 3000 }, () => ({ value: 296n }));
    const little = Array.from({ length: 3000 }, () => ({ value: 400n }));
    const purse = purseWith([...dust, ...little, { value: 50_000n }, ...dust, { value: 90_000n }]);
    const plan = purse.plan(wanted(60_000n));
    if (typeof plan === 'string') throw new Error(plan);
    expect(plan.coins.map(({ value }) => value)).toEqual([90_000n]);
    const both = purse.plan(wanted(130_000n));
    expect(typeof both === 'string' ? both : both.coins.map(({ value }) => value)).toEqual([90_000n, 50_000n]);
    // More inputs than nodes relay in one transaction.
    expect(purse.plan(wanted(600_000n))).toBe('tooFew');
  });

  it('takes the smallest coin that is enough alone, confirmed ones first', () => {
    const purse = purseWith([{ value: 90_000n }, { value: 40_000n }, { value: 50_000n }, { value: 30_000n }]);
    const plan = purse.plan(wanted(38_000n));
    expect(typeof plan === 'string' ? plan : plan.coins.map(({ value }) => value)).toEqual([40_000n]);
    const more = purse.plan(wanted(150_000n));
    expect(typeof more === 'string' ? more : more.coins.map(({ value }) => value)).toEqual([90_000n, 50_000n, 40_000n]);
  });

  it('has at least one output: a transaction without any is invalid', () => {
    const purse = purseWith([]);
    const coins = [{ txid: 'aa'.repeat(32), vout: 0, value: 1400n, bare: false }];
    expect(purse.planWith(coins, { ...wanted(0n), outputs: [] })).toBeNull();
  });

  it('shows the key of all inputs if others must see who pays', () => {
    const purse = purseWith([{ value: 90_000n, bare: true }, { value: 20_000n }]);
    expect(purse.plan(wanted(50_000n, { showsKey: true }))).toBe('tooFew');
    expect(purse.plan(wanted(50_000n))).not.toBe('tooFew');
  });

  it('spends what another prepared transaction spends only once that one can never confirm', async () => {
    const purse = purseWith([{ value: 60_000n }]);
    const plan = purse.plan(wanted(20_000n));
    if (typeof plan === 'string') throw new Error(plan);
    const made = await purse.sign(plan);
    purse.take(made);
    expect(purse.plan(wanted(20_000n))).toBe('tooFew');
    expect(purse.coming()).toBe(40_000n - plan.fee);
    purse.giveBack(made);
    expect(purse.plan(wanted(20_000n))).not.toBe('tooFew');
  });

  it('never makes coins, and never offers less than nodes relay', () => {
    const values = fc.array(fc.bigInt({ min: 1n, max: 200_000n }), { minLength: 1, maxLength: 6 });
    const bounds = fc.option(fc.bigInt({ min: 0n, max: 20_000n }), { nil: null });
    fc.assert(
      fc.property(values, fc.bigInt({ min: 1000n, max: 300_000n }), bounds, (coins, value, maxFee) => {
        const purse = purseWith(coins.map((each) => ({ value: each })));
        const plan = purse.plan(wanted(value, { maxFee }));
        if (typeof plan === 'string') return;
        const sum = (list: readonly { readonly value: bigint }[]) =>
          list.reduce((total, each) => total + each.value, 0n);
        expect(sum(plan.coins)).toBe(sum(plan.outputs) + plan.fee);
        expect(new Set(plan.coins.map(({ txid, vout }) => `${txid}:${vout}`)).size).toBe(plan.coins.length);
        expect(plan.outputs.every((output) => output.value >= COIN.dust)).toBe(true);
        if (maxFee !== null) expect(plan.fee).toBeLessThanOrEqual(maxFee);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a replacement', () => {
  it('pays for what it replaces and for its own bytes, with its coins and no further unconfirmed ones', async () => {
    const purse = purseWith([{ value: 60_000n }, { value: 30_000n, height: null }]);
    const first = purse.plan(wanted(50_000n));
    if (typeof first === 'string') throw new Error(first);
    const made = await purse.sign(first);
    purse.take(made);
    const replaced = purse.replacedOf(made);
    const dearer = purse.plan(wanted(50_000n, { replaced }));
    if (typeof dearer === 'string') throw new Error(dearer);
    const size = virtualSize((await purse.sign(dearer)).tx);
    expect(dearer.coins).toEqual(first.coins);
    expect(dearer.fee).toBeGreaterThanOrEqual(first.fee + feeAt(COIN.fees.floor, size));
    expect(purse.plan(wanted(59_500n, { replaced }))).toBe('tooFew');
  });

  it('of a foreign transaction is refused', async () => {
    const made = await (async () => {
      const purse = purseWith([{ value: 60_000n }]);
      const plan = purse.plan(wanted(20_000n));
      if (typeof plan === 'string') throw new Error(plan);
      return purse.sign(plan);
    })();
    expect(purseWith([]).replacedOf(made)).toBeNull();
    expect(purseWith([]).replacedOf(null)).toBeNull();
  });
});

describe('a purse on a chain with tokens', () => {
  it('neither counts nor spends an output that holds tokens', () => {
    const message = concatBytes([
      Uint8Array.of(0x6a),
      ...['534c5000', '01', '53454e44', '07'.repeat(32), '0000000000000005'].map((hex) => pushData(hexToBytes(hex))),
    ]);
    const of = (coin: UtxoCoin) => {
      const index = createChainIndex(() => TIP);
      const purse = new Purse({ index, signer, coin });
      const script = ownScript(coin, signer.key);
      const input = { txid: 'ab'.repeat(32), vout: 0, scriptSig: new Uint8Array(0), sequence: 0 };
      const outputs = [
        { value: 0n, script: message },
        { value: 1546n, script },
        { value: 70_003n, script },
      ];
      const tx = { format: 'legacy', version: 1, inputs: [input], outputs, lockTime: 0 } as const;
      const bytes = encodeTransaction(tx);
      index.put(transactionId(bytes, tx), { hex: bytesToHex(bytes), height: 50 });
      return [purse.spendable(), purse.balances().spendable, purse.free().map(({ vout }) => vout)];
    };
    expect(of({ ...COIN, tokens: 'slp' })).toEqual([70_003n, 70_003n, [2]]);
    expect(of(COIN)).toEqual([71_549n, 71_549n, [1, 2]]);
  });
});
