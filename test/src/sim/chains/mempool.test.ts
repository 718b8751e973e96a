import { describe, expect, it } from 'vitest';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { NetworkFault } from '../../../../src/sim/chains/types.ts';
import { claim, fee, got, outcome, payment, prepared, scene, send, statusOf } from './scene.ts';
import { mineMany, units } from './support.ts';

function spike(world: ReturnType<typeof scene>, factor: number): NetworkFault {
  const now = world.clock.now();
  return { kind: 'feeSpike', from: now, until: addSeconds(now, 1000), factor };
}

describe('the mempool of a simulated UTXO chain', () => {
  it('a dearer transaction replaces its rival and what depends on it; a cheaper one is refused', () => {
    const world = scene('utxo', { coins: 1 });
    const { anna } = world;
    const first = send(anna, fee(anna));
    const child = send(anna, payment(anna, world.terms));
    const cheap = fee(anna, { urgency: 1, replaces: first });
    expect(outcome(anna.broadcast(cheap))).toBe('feeTooLow');
    const dear = fee(anna, { urgency: 5, replaces: first });
    expect(outcome(anna.broadcast(dear))).toBe('sent');
    expect([statusOf(anna, first), statusOf(anna, child)]).toEqual(['unknown', 'unknown']);
    mineMany(world, 1);
    expect([statusOf(anna, first), statusOf(anna, child)]).toEqual(['conflicted', 'conflicted']);
    expect(outcome(anna.broadcast(first))).toBe('inputsSpent');
    expect(outcome(anna.broadcast(child))).toBe('inputsSpent');
  });

  it('a network without replacement keeps what waits, and says so without a word about the chain', () => {
    const world = scene('utxo', { coins: 1 });
    const { anna, chain, clock } = world;
    const first = send(anna, fee(anna));
    chain.setFaults([{ kind: 'noReplacement', from: clock.now(), until: addSeconds(clock.now(), 1000) }]);
    const dear = fee(anna, { urgency: 5, replaces: first });
    expect(outcome(anna.broadcast(dear))).toBe('noReplacement');
    expect([outcome(anna.broadcast(first)), statusOf(anna, first)]).toEqual(['known', 'mempool']);
    clock.seconds += 1000;
    expect(outcome(anna.broadcast(dear))).toBe('sent');
  });

  it('a replacement pays for what it replaces and for its own relay', () => {
    const world = scene('utxo');
    const { anna, bert, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    const first = send(bert, claim(bert, { terms, funding }));
    const same = claim(bert, { terms: { ...terms }, funding });
    expect(outcome(bert.broadcast(same))).toBe('known');
    const dearer = claim(bert, { terms, funding, urgency: 0, replaces: first });
    expect(Number(dearer.fee)).toBeGreaterThanOrEqual(Number(first.fee) + 496e-8);
    expect(outcome(bert.broadcast(dearer))).toBe('sent');
    expect(outcome(bert.broadcast(first))).toBe('feeTooLow');
  });

  it('no more than 25 unconfirmed transactions depend on one another', () => {
    const world = scene('utxo', { coins: 1 });
    const { anna } = world;
    for (let count = 0; count < 25; count++) send(anna, fee(anna));
    const next = fee(anna);
    expect(outcome(anna.broadcast(next))).toBe('tooManyAncestors');
    mineMany(world, 1);
    expect(outcome(anna.broadcast(next))).toBe('sent');
  });

  it('what spends an unknown transaction is neither accepted nor rejected', () => {
    const { anna, bert, terms } = scene('utxo');
    const funding = payment(anna, terms);
    const early = claim(bert, { terms, funding });
    expect(outcome(bert.broadcast(early))).toBe('parentsUnknown');
    send(anna, funding);
    expect(outcome(bert.broadcast(early))).toBe('sent');
  });

  it('a fee spike refuses, and keeps out of blocks, what does not pay for it; urgency does', () => {
    const world = scene('utxo');
    const { anna, chain } = world;
    const early = send(anna, fee(anna));
    chain.setFaults([spike(world, 10)]);
    mineMany(world, 2);
    expect(statusOf(anna, early)).toBe('mempool');
    expect(outcome(anna.broadcast(fee(anna)))).toBe('feeTooLow');
    const urgent = send(anna, fee(anna, { urgency: 6 }));
    mineMany(world, 1);
    expect([statusOf(anna, early), statusOf(anna, urgent)]).toEqual(['mempool', 'confirmed']);
    mineMany(world, 20);
    expect(statusOf(anna, early)).toBe('confirmed');
  });

  it('miners leave out what they censor', () => {
    const world = scene('utxo');
    const { anna, bert, terms, chain, clock } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    chain.setFaults([{ kind: 'censor', purposes: ['claim'], from: clock.now(), until: addSeconds(clock.now(), 300) }]);
    const taken = send(bert, claim(bert, { terms, funding }));
    const other = send(anna, fee(anna));
    mineMany(world, 4);
    expect([statusOf(bert, taken), statusOf(anna, other)]).toEqual(['mempool', 'confirmed']);
    mineMany(world, 1);
    expect(statusOf(bert, taken)).toBe('confirmed');
  });

  it('old transactions expire with what depends on them, and may be sent again', () => {
    const world = scene('utxo', { coins: 1 });
    const { anna, chain, clock } = world;
    const first = send(anna, fee(anna));
    clock.seconds += 100;
    const second = send(anna, fee(anna));
    expect(chain.expire(clock.now())).toEqual([first.tx_hash, second.tx_hash]);
    expect([statusOf(anna, first), statusOf(anna, second)]).toEqual(['unknown', 'unknown']);
    expect(outcome(anna.broadcast(first))).toBe('sent');
    expect(chain.drop(first.tx_hash)).toBe(true);
    expect(chain.drop(first.tx_hash)).toBe(false);
  });

  it('coins that only a hopeless transaction would spend are free again once that is final', () => {
    const world = scene('utxo', { coins: 3, funds: '0.3' });
    const { anna, terms } = world;
    const wide = payment(anna, { ...terms, amount: units('0.25') });
    expect(wide.spends).toHaveLength(3);
    expect(outcome(anna.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null }))).toBe(
      'coinsPromised',
    );
    // Another process of the same wallet spends one of the three coins.
    const other = world.chain.wallet({ party: 'anna' });
    send(other, fee(other));
    mineMany(world, 1);
    const free = () => Number(got(anna.quote()).spendable);
    const whole = () => Number(got(other.quote()).spendable);
    expect(free()).toBeLessThan(whole());
    mineMany(world, anna.traits.finality - 1);
    expect(free()).toBe(whole());
  });

  it('a void cancels a waiting payment', () => {
    const world = scene('utxo');
    const { anna, bert, terms } = world;
    const target = send(anna, payment(anna, terms));
    const back = send(anna, prepared(anna, { purpose: 'void', target, urgency: 1 }));
    mineMany(world, 1);
    expect([statusOf(anna, target), statusOf(anna, back)]).toEqual(['conflicted', 'confirmed']);
    expect(got(bert.payment({ terms })).funding).toBeNull();
    expect(world.chain.ledger.payment(terms).fundings).toEqual([]);
    expect(world.chain.ledger.transactions('anna').map(({ purpose, everMined }) => [purpose, everMined])).toEqual([
      ['payment', false],
      ['void', true],
    ]);
  });
});
