import { describe, expect, it } from 'vitest';
import { addSeconds } from '../../../../src/primitives/time.ts';
import { createAccountChain } from '../../../../src/sim/chains/account/chain.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { claim, fee, got, outcome, payment, prepared, refund, scene, send, statusOf } from './scene.ts';
import { mineMany, testClock, units } from './support.ts';

describe('nonces of a simulated chain with accounts', () => {
  it('a later nonce waits for the earlier one, and is included with it', () => {
    const world = scene('account');
    const { anna } = world;
    const [first, second, third] = [fee(anna), fee(anna), fee(anna)];
    expect(outcome(anna.broadcast(third))).toBe('nonceGap');
    expect(outcome(anna.broadcast(second))).toBe('nonceGap');
    expect(outcome(anna.broadcast(second))).toBe('known');
    mineMany(world, 3);
    expect([statusOf(anna, second), statusOf(anna, third)]).toEqual(['mempool', 'mempool']);
    send(anna, first);
    mineMany(world, 1);
    expect([first, second, third].map((tx) => statusOf(anna, tx))).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  it('nodes may forget a nonce that is ahead', () => {
    const { now } = testClock();
    const chain = createAccountChain({ coin: 'ETH', now, rng: xorshift32(1), gaps: 'refuse' });
    const anna = chain.wallet({ party: 'anna', funds: units('1') });
    fee(anna);
    const ahead = fee(anna);
    expect(outcome(anna.broadcast(ahead))).toBe('nonceGap');
    expect(statusOf(anna, ahead)).toBe('unknown');
  });

  it('a nonce that was promised to a prepared transaction is left alone, also after a restart', () => {
    const { anna, chain } = scene('account');
    const first = fee(anna);
    const fresh = chain.wallet({ party: 'anna' });
    expect(fee(fresh).spends).toEqual(first.spends);
    fresh.restart();
    fresh.reserve([first]);
    expect(fee(fresh).spends).toEqual(first.spends.map((spend) => spend.replace(/0$/, '1')));
  });

  it('a replacement must offer a tenth more for its gas', () => {
    const world = scene('account', { feeRate: 100 });
    const { anna, chain } = world;
    const first = send(anna, fee(anna));
    // Another process, which knows nothing of the first one, sends from the same nonce for the same price.
    chain.drop(first.tx_hash);
    const other = chain.wallet({ party: 'anna' });
    const rival = send(
      other,
      prepared(other, { purpose: 'fee', feeSat: 6000n, burnSat: 0n, urgency: 0, replaces: null }),
    );
    expect(rival.spends).toEqual(first.spends);
    expect(outcome(anna.broadcast(first))).toBe('feeTooLow');
    const dearer = fee(anna, { replaces: first });
    expect(Number(dearer.fee)).toBeCloseTo(Number(first.fee) * 1.1, 10);
    expect(outcome(anna.broadcast(dearer))).toBe('sent');
    mineMany(world, 1);
    expect([statusOf(anna, dearer), statusOf(anna, first), statusOf(other, rival)]).toEqual([
      'confirmed',
      'conflicted',
      'conflicted',
    ]);
    expect(outcome(anna.broadcast(first))).toBe('nonceUsed');
  });

  it('a claim that reverts costs its gas and its nonce; a new one uses the next nonce', () => {
    const world = scene('account');
    const { anna, bert, terms, chain, clock } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    chain.setFaults([{ kind: 'revert', purposes: ['claim'], from: clock.now(), until: addSeconds(clock.now(), 61) }]);
    const first = send(bert, claim(bert, { terms, funding }));
    mineMany(world, 1);
    expect(statusOf(bert, first)).toBe('reverted');
    expect(outcome(bert.broadcast(first))).toBe('confirmed');
    expect(got(bert.payment({ terms })).spend).toBeNull();
    expect(chain.ledger.feesPaid('bert')).toBe(65_000n);
    const second = claim(bert, { terms, funding, urgency: 1, replaces: first });
    expect(second.spends).not.toEqual(first.spends);
    send(bert, second);
    mineMany(world, 1);
    expect(statusOf(bert, second)).toBe('confirmed');
    expect(chain.ledger.balance('bert').confirmed).toBe(110_000_000n - chain.ledger.feesPaid('bert'));
  });

  it('a payment under a used id, an early refund and a second claim are included without effect', () => {
    const world = scene('account');
    const { anna, bert, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    const twice = send(anna, payment(anna, terms));
    const early = send(anna, refund(anna, { terms, funding }));
    mineMany(world, 1);
    expect([statusOf(anna, twice), statusOf(anna, early)]).toEqual(['reverted', 'reverted']);
    send(bert, claim(bert, { terms, funding }));
    const again = send(bert, claim(bert, { terms, funding }));
    mineMany(world, 1);
    expect(statusOf(bert, again)).toBe('reverted');
    expect(got(anna.payment({ terms })).spend?.how).toBe('secret');
    expect(world.chain.ledger.imbalance()).toBeNull();
  });

  it('an account cannot promise more than it has', () => {
    const world = scene('account', { funds: '0.25' });
    const { anna, terms } = world;
    send(anna, payment(anna, terms));
    const second = { ...terms, lock: addSeconds(terms.lock, 1) };
    send(anna, payment(anna, second));
    const third = { ...terms, lock: addSeconds(terms.lock, 2) };
    expect(outcome(anna.prepare({ purpose: 'payment', terms: third, urgency: 0, replaces: null }))).toBe(
      'insufficientFunds',
    );
  });

  it('a chain that keeps nonces in order refuses a gap and any replacement', () => {
    const world = scene('autoRefund');
    const { anna } = world;
    const [first, second] = [fee(anna), fee(anna)];
    expect(outcome(anna.broadcast(second))).toBe('nonceGap');
    expect(statusOf(anna, second)).toBe('unknown');
    send(anna, first);
    expect(outcome(anna.broadcast(fee(anna, { urgency: 5, replaces: first })))).toBe('noReplacement');
    send(anna, second);
    mineMany(world, 1);
    expect([statusOf(anna, first), statusOf(anna, second)]).toEqual(['confirmed', 'confirmed']);
  });
});
