import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fidelity, SimChainKind } from '../../../../src/sim/chains/types.ts';
import { claim, got, outcome, payment, prepared, refund, SECRET, scene, send, statusOf } from './scene.ts';
import { FIDELITIES, KINDS, mineMany } from './support.ts';

/** A scene in which Anna has paid Bert. */
function paid(kind: SimChainKind, fidelity: Fidelity = 'compact') {
  const world = scene(kind, { fidelity });
  const funding = send(world.anna, payment(world.anna, world.terms));
  mineMany(world, 1);
  return { ...world, funding };
}

describe('hash time locks of a simulated UTXO chain', () => {
  it('a refund is final exactly when the median time past is above the lock, whatever times the miners write', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), fc.integer({ min: -300, max: 600 })), { maxLength: 60 }), (list) => {
        const { anna, chain, clock, terms, funding } = paid('utxo');
        const early = refund(anna, { terms, funding });
        for (const [passed, skew] of list) {
          clock.seconds += passed;
          const time = Math.max(clock.seconds + skew, chain.clock() + 1);
          chain.mine({ time: time as never });
          const { refundable, clock: median } = got(anna.payment({ terms }));
          expect([refundable, median]).toEqual([chain.clock() > terms.lock, chain.clock()]);
          if (chain.clock() <= terms.lock) expect(outcome(anna.broadcast(early))).toBe('notFinal');
          else {
            expect(['sent', 'known', 'confirmed']).toContain(outcome(anna.broadcast(early)));
            return;
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a refund whose block was disconnected waits, and leaves when the clock went back before the lock', () => {
    const { anna, chain, terms, funding, ...world } = paid('utxo');
    while (chain.clock() <= terms.lock) mineMany({ ...world, chain }, 1);
    const back = send(anna, refund(anna, { terms, funding }));
    mineMany({ ...world, chain }, 1);
    expect(statusOf(anna, back)).toBe('confirmed');
    chain.reorg({ depth: 3, blocks: [{ time: (terms.lock - 30) as never, include: 'none' }] });
    expect(chain.clock()).toBeLessThanOrEqual(terms.lock);
    expect(statusOf(anna, back)).toBe('unknown');
    expect(outcome(anna.broadcast(back))).toBe('notFinal');
  });

  it('a claim and a refund race for one output; the mempool keeps the dearer, the chain the mined one', () => {
    const world = paid('utxo');
    const { anna, bert, chain, terms, funding } = world;
    while (chain.clock() <= terms.lock) mineMany(world, 1);
    const back = send(anna, refund(anna, { terms, funding }));
    const taken = claim(bert, { terms, funding, urgency: 3 });
    expect(outcome(bert.broadcast(taken))).toBe('sent');
    expect(got(anna.payment({ terms })).spend?.how).toBe('secret');
    chain.mine({ extra: [back.tx_hex] });
    expect([statusOf(anna, back), statusOf(bert, taken)]).toEqual(['confirmed', 'conflicted']);
    expect(chain.ledger.payment(terms).spend).toMatchObject({ how: 'refund', submittedBy: 'anna', confirmations: 1 });
  });
});

describe.each(FIDELITIES)('nobody claims a payment without the right: %s', (fidelity) => {
  it.each(KINDS)('%s: no changed digit of a claim is accepted', (kind) => {
    const world = paid(kind, fidelity);
    const { bert, chain, terms, funding } = world;
    const { tx_hex } = claim(bert, { terms, funding });
    const tried =
      fidelity === 'real' ? [...tx_hex].map((_, at) => at).filter((at) => at % 5 === 0) : [...tx_hex].keys();
    for (const at of tried) {
      const digit = (Number.parseInt(tx_hex[at] as string, 16) ^ (1 + (at % 15))).toString(16);
      const changed = tx_hex.slice(0, at) + digit + tx_hex.slice(at + 1);
      expect(chain.submit(changed).ok, `digit ${at}`).toBe(false);
    }
    expect(outcome(chain.submit(tx_hex))).toBe('sent');
    chain.mine();
    expect(got(bert.payment({ terms })).spend?.secret).toBe(SECRET);
  });

  it('a watcher cannot turn the claim of the receiver to itself', () => {
    const { anna, bert, cleo, chain, terms, funding } = paid('utxo', fidelity);
    const preimage = prepared(bert, { purpose: 'claimPreimage', terms, funding });
    const whole = prepared(cleo, { purpose: 'completePreimage', preimage: preimage.tx_hex, secret: SECRET });
    const forged = prepared(cleo, { purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null });
    expect(chain.submit(whole.tx_hex.slice(0, 40) + forged.tx_hex.slice(40)).ok).toBe(false);
    send(cleo, whole);
    chain.mine();
    expect(chain.ledger.payment(terms).spend).toMatchObject({ how: 'secret', submittedBy: 'cleo' });
    expect(chain.ledger.balance('cleo').confirmed).toBe(100_000_000n);
    expect(got(anna.payment({ terms })).spend?.tx?.tx_hash).toBe(whole.tx_hash);
  });
});

describe('locks of simulated chains with accounts', () => {
  it('the contract refunds from the block whose time is the lock, and not one second before', () => {
    for (const early of [1, 0]) {
      const world = paid('account');
      const { anna, chain, clock, terms, funding } = world;
      clock.seconds = terms.lock;
      const back = send(anna, refund(anna, { terms, funding }));
      chain.mine({ time: (terms.lock - early) as never });
      expect(statusOf(anna, back)).toBe(early === 1 ? 'reverted' : 'confirmed');
      expect(got(anna.payment({ terms })).refundable).toBe(early === 0);
    }
  });

  it('in the contract the id of a payment is its lock and hash, so that somebody else can use it first', () => {
    const world = scene('account');
    const { anna, cleo, bert, chain, terms } = world;
    const squatting = payment(cleo, { ...terms, sender: cleo.htlcKey('swap') });
    send(cleo, squatting);
    mineMany(world, 1);
    const late = send(anna, payment(anna, terms));
    mineMany(world, 1);
    expect(statusOf(anna, late)).toBe('reverted');
    const { funding, problem } = got(bert.payment({ terms }));
    expect(funding?.tx.tx_hash).toBe(squatting.tx_hash);
    expect(problem).toContain('wrong address');
    expect(chain.ledger.payment(terms).fundings).toEqual([]);
  });

  it('a module that counts blocks refunds automatically at the height, unless the claim came before', () => {
    const world = paid('autoRefund');
    const { anna, bert, chain, terms, funding } = world;
    const blocks = 60;
    const before = chain.ledger.balance('anna').confirmed;
    mineMany(world, blocks - 1);
    expect(got(anna.payment({ terms }))).toMatchObject({ spend: null, refundable: false });
    mineMany(world, 1);
    expect(got(anna.payment({ terms }))).toMatchObject({
      spend: { how: 'refund', tx: null, confirmations: 1, secret: null },
      refundable: true,
    });
    expect(chain.ledger.balance('anna').confirmed).toBe(before + 10_000_000n);
    const late = send(bert, claim(bert, { terms, funding }));
    mineMany(world, 1);
    expect(statusOf(bert, late)).toBe('reverted');
    chain.reorg({ depth: 3, blocks: [{ extra: [late.tx_hex] }, {}, {}, {}] });
    expect(got(anna.payment({ terms })).spend).toMatchObject({ how: 'secret', confirmations: 4 });
    expect(chain.ledger.imbalance()).toBeNull();
  });
});
