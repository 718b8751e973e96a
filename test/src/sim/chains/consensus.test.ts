import { describe, expect, it } from 'vitest';
import type { PreparedTransaction } from '../../../../src/ports/chain.ts';
import type { DraftInput, Signer } from '../../../../src/sim/chains/utxo/codec.ts';
import { compactUtxoCodec } from '../../../../src/sim/chains/utxo/compact-codec.ts';
import type { UtxoTransaction } from '../../../../src/sim/chains/utxo/transaction.ts';
import { claim, fee, got, outcome, payment, refund, type Scene, scene, send, statusOf } from './scene.ts';
import { mineMany } from './support.ts';

const codec = compactUtxoCodec();

function signerOf(key: string): Signer {
  return { key, address: codec.addressOf(key) };
}

/** Whatever a wallet would never make: inputs by outpoint, and amounts as they come. */
function crafted(key: string, spends: readonly string[], amounts: readonly bigint[]): UtxoTransaction {
  const signer = signerOf(key);
  const inputs = spends.map((spend): DraftInput => {
    const [txid = '', vout] = spend.split(':');
    return { by: 'key', txid, vout: Number(vout), final: true, signer };
  });
  const outputs = amounts.map((value) => ({ kind: 'key', value, lock: signer.address }) as const);
  return codec.encode({ lockTime: 0, inputs, outputs });
}

/** Outpoints of the coins that the wallet has from the start, each of 25 000 000 base units. */
function coinsOf({ anna }: Scene): readonly string[] {
  const spends = [fee(anna), fee(anna), fee(anna), fee(anna)].flatMap((tx) => tx.spends);
  anna.restart();
  return spends;
}

const COIN = 25_000_000n;

describe('the rules of a simulated UTXO chain, by transactions that no wallet makes', () => {
  it('no transaction pays out more than it takes, or spends an output twice, or one that does not exist', () => {
    const world = scene('utxo');
    const { anna, chain } = world;
    const key = anna.htlcKey('x');
    const [first = '', second = ''] = coinsOf(world);
    const submit = (spends: readonly string[], amounts: readonly bigint[]) =>
      outcome(chain.submit(crafted(key, spends, amounts).hex));
    expect(submit([first], [COIN + 1n])).toBe('invalid');
    expect(submit([first, first], [2n * COIN - 10_000n])).toBe('invalid');
    expect(submit([`${first.slice(0, 64)}:9`], [1000n])).toBe('invalid');
    expect(submit([], [1000n])).toBe('invalid');
    expect(submit([first], [COIN])).toBe('feeTooLow');
    expect(submit([first, second], [2n * COIN - 10_000n])).toBe('sent');
  });

  it('a coin can be spent only with the key of its owner', () => {
    const world = scene('utxo');
    const [first = ''] = coinsOf(world);
    const stolen = crafted(world.bert.htlcKey('x'), [first], [COIN - 10_000n]);
    expect(outcome(world.chain.submit(stolen.hex))).toBe('invalid');
  });

  it('a replacement needs the higher rate, not only the higher fee, and cannot spend what it replaces', () => {
    const world = scene('utxo', { coins: 4 });
    const { anna, chain } = world;
    const key = anna.htlcKey('x');
    const [first = '', ...others] = coinsOf(world);
    const small = crafted(key, [first], [COIN - 10_000n]);
    expect(outcome(chain.submit(small.hex))).toBe('sent');
    const wide = crafted(key, [first, ...others], [4n * COIN - 25_000n]);
    expect(outcome(chain.submit(wide.hex))).toBe('feeTooLow');
    const child = crafted(key, [first, `${small.id}:0`], [2n * COIN - 100_000n]);
    expect(outcome(chain.submit(child.hex))).toBe('invalid');
    expect(outcome(chain.submit(crafted(key, [first, ...others], [4n * COIN - 40_000n]).hex))).toBe('sent');
    expect(statusOf(anna, { tx_hash: small.id } as PreparedTransaction)).toBe('unknown');
  });

  it('25 unconfirmed parents are too many, however independent they are', () => {
    const world = scene('utxo', { coins: 26, funds: '2.6' });
    const { anna, chain } = world;
    const key = anna.htlcKey('x');
    const each = 10_000_000n;
    const spends = Array.from({ length: 26 }, () => fee(anna)).flatMap((tx) => tx.spends);
    const parents = spends.map((spend) => crafted(key, [spend], [each - 10_000n]));
    for (const parent of parents) expect(outcome(chain.submit(parent.hex))).toBe('sent');
    const join = (count: number) => {
      const from = parents.slice(0, count).map(({ id }) => `${id}:0`);
      return outcome(chain.submit(crafted(key, from, [BigInt(count) * (each - 10_000n) - 100_000n]).hex));
    };
    expect(join(25)).toBe('tooManyAncestors');
    expect(join(24)).toBe('sent');
  });

  it('a refund needs a sequence that is not final, a lock time at or after the lock, and a clock after it', () => {
    const world = scene('utxo');
    const { anna, chain, clock, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    const script = codec.scriptOf(terms) ?? expect.fail('no script');
    const signer = signerOf(terms.sender);
    const refundOf = (lockTime: number, final: boolean) =>
      codec.encode({
        lockTime,
        inputs: [{ by: 'refund', txid: funding.tx_hash, vout: 0, final, signer, script }],
        outputs: [{ kind: 'key', value: 9_000_000n, lock: signer.address }],
      }).hex;
    expect(outcome(chain.submit(refundOf(terms.lock, true)))).toBe('invalid');
    expect(outcome(chain.submit(refundOf(terms.lock - 1, false)))).toBe('invalid');
    clock.seconds = terms.lock + 7200;
    // Six of eleven blocks at the lock put the median time past exactly on it.
    for (let count = 0; count < 6; count++) chain.mine({ time: (terms.lock + Math.max(0, count - 5)) as never });
    expect(chain.clock()).toBe(terms.lock);
    expect(got(anna.payment({ terms })).refundable).toBe(false);
    expect(outcome(chain.submit(refundOf(terms.lock, false)))).toBe('notFinal');
    chain.mine({ time: (terms.lock + 1) as never });
    chain.mine({ time: (terms.lock + 1) as never });
    while (chain.clock() <= terms.lock) chain.mine({ time: (terms.lock + 2) as never });
    expect(outcome(chain.submit(refundOf(terms.lock, true)))).toBe('invalid');
    expect(outcome(chain.submit(refundOf(terms.lock, false)))).toBe('sent');
  });

  it('no block of a new branch holds a refund before the lock of that branch', () => {
    const world = scene('utxo');
    const { anna, chain, terms } = world;
    const funding = send(anna, payment(anna, terms));
    while (chain.clock() <= terms.lock) mineMany(world, 1);
    const back = send(anna, refund(anna, { terms, funding }));
    mineMany(world, 1);
    const branch = chain.reorg({
      depth: 3,
      blocks: [{ time: (terms.lock - 30) as never }, { time: (terms.lock - 20) as never }],
    });
    expect(branch.flatMap(({ transactions }) => transactions)).toEqual([]);
    expect(statusOf(anna, back)).toBe('unknown');
  });

  it('a coin that somebody else may still replace is not spent again before it is confirmed', () => {
    const world = scene('utxo', { coins: 1, funds: '0.2' });
    const { anna, bert, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    const before = got(bert.quote()).spendable;
    send(bert, claim(bert, { terms, funding }));
    expect(got(bert.quote()).spendable).toBe(before);
    mineMany(world, 1);
    expect(Number(got(bert.quote()).spendable)).toBeGreaterThan(Number(before));
  });
});
