import { describe, expect, it } from 'vitest';
import { toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { addSeconds } from '../../../../src/primitives/time.ts';
import { compactContractCodec } from '../../../../src/sim/chains/account/compact-codec.ts';
import { type Call, transferTo } from '../../../../src/sim/chains/account/transaction.ts';
import type { SimWallet } from '../../../../src/sim/chains/types.ts';
import { fee, got, outcome, payment, SECRET, scene, send, statusOf } from './scene.ts';
import { mineMany } from './support.ts';

const codec = compactContractCodec('DOC');

/** A transaction that no wallet would make. */
function crafted(
  wallet: SimWallet,
  nonce: number,
  { call, value = 0n, gas = 100_000 }: { readonly call: Call; readonly value?: bigint; readonly gas?: number },
) {
  const key = wallet.htlcKey('x');
  const signer = { key, address: codec.addressOf(key) };
  return codec.encode({ signer, nonce, price: 10, gas, value, call });
}

const NOTHING = { swap: '', party: '', amount: 0n, secret: null, hash: '', lockTime: 0, lockBlocks: 0 };

/** A chain on which Anna has paid Bert, with what the contract calls that payment. */
function paid() {
  const world = scene('account');
  const { anna, terms } = world;
  const funding = send(anna, payment(anna, terms));
  mineMany(world, 1);
  const amount = toBaseUnits(terms.amount);
  const named = codec.argumentsOf(terms, amount) ?? expect.fail('no arguments');
  return { ...world, funding, amount, named };
}

describe('the swap contract of a simulated chain, by calls that no wallet makes', () => {
  it('a secret alone claims nothing: the caller must be the receiver, and all arguments must be right', () => {
    const world = paid();
    const { bert, cleo, chain, named, amount } = world;
    const right: Call = { ...NOTHING, kind: 'claim', swap: named.id, party: named.sender, amount, secret: SECRET };
    const tried = [
      crafted(cleo, 0, { call: right }),
      crafted(bert, 0, { call: { ...right, amount: amount + 1n } }),
      crafted(bert, 1, { call: { ...right, party: named.receiver } }),
      crafted(bert, 2, { call: { ...right, secret: 'ab'.repeat(32) } }),
      crafted(bert, 3, { call: { ...right, swap: '00'.repeat(8) } }),
      crafted(bert, 4, { call: right, value: 1n }),
      crafted(bert, 5, { call: right }),
    ];
    for (const { hex } of tried) expect(outcome(chain.submit(hex))).toBe('sent');
    mineMany(world, 1);
    const statuses = tried.map(({ id }) => got(cleo.transaction(id)).status);
    expect(statuses).toEqual(['reverted', 'reverted', 'reverted', 'reverted', 'reverted', 'reverted', 'confirmed']);
    expect(chain.ledger.imbalance()).toBeNull();
  });

  it('a refund needs the sender, the right arguments and an open payment', () => {
    const world = paid();
    const { anna, bert, cleo, chain, named, amount, terms } = world;
    while (chain.clock() < terms.lock) mineMany(world, 5);
    const right: Call = { ...NOTHING, kind: 'refund', swap: named.id, party: named.receiver, amount, hash: named.hash };
    const tried = [
      crafted(cleo, 0, { call: right }),
      crafted(bert, 0, { call: right }),
      crafted(anna, 1, { call: { ...right, hash: 'ab'.repeat(20) } }),
      crafted(anna, 2, { call: { ...right, amount: amount - 1n } }),
      crafted(anna, 3, { call: { ...right, party: named.sender } }),
      crafted(anna, 4, { call: right }),
      crafted(anna, 5, { call: right }),
    ];
    for (const { hex } of tried) expect(outcome(chain.submit(hex))).toBe('sent');
    mineMany(world, 1);
    const statuses = tried.map(({ id }) => got(cleo.transaction(id)).status);
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'reverted'), 'confirmed', 'reverted']);
    const claim: Call = { ...NOTHING, kind: 'claim', swap: named.id, party: named.sender, amount, secret: SECRET };
    const late = crafted(bert, 1, { call: claim });
    chain.submit(late.hex);
    mineMany(world, 1);
    expect(got(bert.transaction(late.id)).status).toBe('reverted');
  });

  it('a payment of nothing is refused', () => {
    const world = paid();
    const { bert, chain, named } = world;
    const call: Call = {
      ...NOTHING,
      kind: 'payment',
      swap: '12'.repeat(8),
      party: named.sender,
      hash: named.hash,
      lockTime: 9,
    };
    const { id, hex } = crafted(bert, 0, { call });
    chain.submit(hex);
    mineMany(world, 1);
    expect(got(bert.transaction(id)).status).toBe('reverted');
  });

  it('a call that may use too little gas runs out of it and pays for all of it', () => {
    const world = paid();
    const { bert, chain, named, amount } = world;
    const call: Call = { ...NOTHING, kind: 'claim', swap: named.id, party: named.sender, amount, secret: SECRET };
    const { id, hex } = crafted(bert, 0, { call, gas: 28_001 });
    chain.submit(hex);
    mineMany(world, 1);
    expect(got(bert.transaction(id)).status).toBe('reverted');
    expect(chain.ledger.feesPaid('bert')).toBe(280_010n);
  });

  it('what may use less gas than it costs to be in a block at all is taken by no node and no miner', () => {
    const world = paid();
    const { bert, chain, named, amount } = world;
    const claim: Call = { ...NOTHING, kind: 'claim', swap: named.id, party: named.sender, amount, secret: SECRET };
    for (const given of [
      { call: transferTo('ab'.repeat(8)), value: 5n, gas: 20_999 },
      { call: claim, gas: 21_000 },
    ]) {
      const { id, hex } = crafted(bert, 0, given);
      expect(outcome(chain.submit(hex))).toBe('invalid');
      expect(() => chain.mine({ extra: [hex] })).toThrow('intrinsic gas too low');
      expect(got(bert.transaction(id)).status).toBe('unknown');
    }
  });

  it('a payment to the zero address is refused', () => {
    const world = paid();
    const { anna, bert, chain, named } = world;
    const call: Call = {
      ...NOTHING,
      kind: 'payment',
      swap: 'cd'.repeat(8),
      party: '00'.repeat(8),
      hash: named.hash,
      lockTime: 9,
    };
    const { id, hex } = crafted(bert, 0, { call, value: 5n });
    chain.submit(hex);
    mineMany(world, 1);
    expect(got(anna.transaction(id)).status).toBe('reverted');
  });

  it('an account cannot send more than it has, and what it can no longer pay waits', () => {
    const world = scene('account');
    const { bert, cleo, chain } = world;
    const address = codec.addressOf(bert.htlcKey('x'));
    const gift = crafted(cleo, 0, { call: transferTo(address), value: 50_000_000n });
    const spending = crafted(bert, 0, { call: transferTo('ab'.repeat(8)), value: 120_000_000n });
    expect(outcome(chain.submit(spending.hex))).toBe('insufficientFunds');
    chain.submit(gift.hex);
    mineMany(world, 1);
    expect(outcome(chain.submit(spending.hex))).toBe('sent');
    chain.reorg({ depth: 1, drop: [gift.id], blocks: [{}, {}] });
    expect(got(bert.transaction(spending.id)).status).toBe('mempool');
    expect(chain.ledger.imbalance()).toBeNull();
    chain.submit(gift.hex);
    mineMany(world, 1);
    expect(got(bert.transaction(spending.id)).status).toBe('confirmed');
  });

  it('a payment that reverted is no payment, and naming it is a problem', () => {
    const world = scene('account');
    const { anna, bert, chain, clock, terms } = world;
    chain.setFaults([{ kind: 'revert', purposes: ['payment'], from: clock.now(), until: addSeconds(clock.now(), 61) }]);
    const failed = send(anna, payment(anna, terms));
    mineMany(world, 1);
    expect(statusOf(anna, failed)).toBe('reverted');
    expect(got(bert.payment({ terms }))).toMatchObject({ funding: null, problem: null, spend: null });
    expect(got(bert.payment({ terms, claimed: failed.tx_hex })).problem).toContain('reverted');
    const second = send(anna, payment(anna, terms, { replaces: failed, urgency: 1 }));
    mineMany(world, 1);
    expect(got(bert.payment({ terms, claimed: failed.tx_hex })).funding?.tx.tx_hash).toBe(second.tx_hash);
  });

  it('terms of another contract are no terms here', () => {
    const { anna, bert, terms } = scene('account');
    const foreign = { ...terms, contract: 'ab'.repeat(20) };
    expect(outcome(anna.prepare({ purpose: 'payment', terms: foreign, urgency: 0, replaces: null }))).toBe('invalid');
    expect(got(bert.payment({ terms: foreign }))).toMatchObject({ funding: null, problem: null });
    expect(got(bert.payment({ terms: foreign, claimed: fee(anna).tx_hex })).problem).not.toBeNull();
  });

  it('no party signs for another account', () => {
    const { bert, cleo, chain } = scene('account');
    const own = crafted(bert, 0, { call: transferTo(codec.addressOf(cleo.htlcKey('x'))), value: 1000n });
    const stolen = codec.encode({
      signer: { key: cleo.htlcKey('x'), address: codec.addressOf(cleo.htlcKey('x')) },
      nonce: 0,
      price: 10,
      gas: 21_000,
      value: 1000n,
      call: transferTo(codec.addressOf(cleo.htlcKey('x'))),
    });
    const forged = stolen.hex.replaceAll(codec.addressOf(cleo.htlcKey('x')), codec.addressOf(bert.htlcKey('x')));
    expect(outcome(chain.submit(forged))).toBe('invalid');
    expect(outcome(chain.submit(own.hex))).toBe('sent');
  });
});
