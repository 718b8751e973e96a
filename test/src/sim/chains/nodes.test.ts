import { describe, expect, it } from 'vitest';
import { addSeconds } from '../../../../src/primitives/time.ts';
import type { NodeFault } from '../../../../src/sim/chains/types.ts';
import { claim, fee, got, outcome, payment, refund, type Scene, scene, send, statusOf } from './scene.ts';
import { KINDS, mineMany } from './support.ts';

/** The fault from now on for a thousand seconds. */
function lasting<Fault extends object>({ clock }: Scene, fault: Fault): Fault & { from: never; until: never } {
  return { ...fault, from: clock.now() as never, until: addSeconds(clock.now(), 1000) as never };
}

describe.each(KINDS)('faults of the node of one wallet: %s', (kind) => {
  it('an outage answers nothing, prepares nothing and reports nothing, and ends when it should', () => {
    const world = scene(kind);
    const { anna, bert, terms, clock } = world;
    const funding = payment(anna, terms);
    let calls = 0;
    bert.subscribe(() => {
      calls++;
    });
    bert.setFaults([lasting(world, { kind: 'outage' })]);
    send(anna, funding);
    const asked = [
      bert.quote(),
      bert.payment({ terms }),
      bert.transaction(funding.tx_hash),
      bert.checkFee({ tx: null, hash: funding.tx_hash, payer: terms.sender, feeSat: null, burnSat: 0n, minHeight: 0 }),
      bert.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null }),
      bert.broadcast(funding),
    ];
    expect(asked.map(outcome)).toEqual(asked.map(() => 'unavailable'));
    expect(calls).toBe(0);
    clock.seconds += 1000;
    expect(got(bert.payment({ terms })).funding?.confirmations).toBe(0);
    mineMany(world, 1);
    expect(calls).toBe(1);
  });

  it('a flaky node misses about one call in the given number', () => {
    const world = scene(kind);
    world.anna.setFaults([lasting(world, { kind: 'flaky', oneIn: 4 })]);
    let missed = 0;
    for (let call = 0; call < 400; call++) if (!world.anna.quote().ok) missed++;
    expect(missed).toBeGreaterThan(60);
    expect(missed).toBeLessThan(140);
  });

  it('a lagging node sees the past: neither later blocks nor what came to the mempool after them', () => {
    const world = scene(kind);
    const { anna, bert, terms, chain } = world;
    mineMany(world, 3);
    const funding = send(anna, payment(anna, terms));
    bert.setFaults([lasting(world, { kind: 'lag', blocks: 2 })]);
    expect(got(bert.payment({ terms }))).toMatchObject({ funding: null, height: chain.height() - 2 });
    expect(statusOf(bert, funding)).toBe('unknown');
    mineMany(world, 2);
    expect(statusOf(bert, funding)).toBe('mempool');
    mineMany(world, 1);
    expect(got(bert.payment({ terms })).funding?.confirmations).toBe(1);
    expect(got(anna.payment({ terms })).funding?.confirmations).toBe(3);
    bert.setFaults([lasting(world, { kind: 'lag', seconds: 61 })]);
    expect(got(bert.payment({ terms })).funding?.confirmations).toBe(1);
    bert.setFaults([]);
    expect(got(bert.payment({ terms })).funding?.confirmations).toBe(3);
  });

  it('two nodes that contradict one another give no answer; if they agree they do', () => {
    const world = scene(kind);
    const { anna, bert, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    bert.setFaults([lasting(world, { kind: 'contradiction', blocks: 1 })]);
    expect(outcome(bert.payment({ terms }))).toBe('disagreement');
    expect(outcome(bert.transaction(funding.tx_hash))).toBe('disagreement');
    expect(got(bert.transaction('00'.repeat(32))).status).toBe('unknown');
    const first = fee(bert);
    expect(fee(bert).spends).not.toEqual(first.spends);
  });

  it('a broadcast can be lost, unanswered or refused; only the unanswered one reaches the network', () => {
    const world = scene(kind);
    const { anna } = world;
    for (const [effect, answer, status] of [
      ['lost', 'sent', 'unknown'],
      ['refused', 'unavailable', 'unknown'],
      ['unanswered', 'unavailable', 'mempool'],
    ] as const) {
      anna.setFaults([lasting(world, { kind: 'broadcast', effect, purposes: ['fee'] as const })]);
      const tx = fee(anna);
      expect([outcome(anna.broadcast(tx)), statusOf(anna, tx)]).toEqual([answer, status]);
      anna.setFaults([lasting(world, { kind: 'broadcast', effect, purposes: ['claim'] as const })]);
      expect(outcome(anna.broadcast(tx))).toBe(status === 'mempool' ? 'known' : 'sent');
      expect(statusOf(anna, tx)).toBe('mempool');
    }
    const known = fee(anna);
    send(anna, known);
    anna.setFaults([lasting(world, { kind: 'broadcast', effect: 'lost' })]);
    expect(outcome(anna.broadcast(known))).toBe('known');
  });

  it('a liar hides payments and spends, makes them up, and says that the lock has passed', () => {
    const world = scene(kind);
    const { anna, bert, cleo, terms } = world;
    const lie = (says: string, sender?: string) =>
      cleo.setFaults([lasting(world, { kind: 'lie', says, ...(sender === undefined ? {} : { sender }) }) as NodeFault]);
    const seen = () => got(cleo.payment({ terms }));
    lie('present');
    expect(seen().funding?.confirmations).toBe(0);
    expect(seen().funding?.tx.tx_hex).not.toBe('');
    lie('confirmed');
    expect(seen().funding?.confirmations).toBeGreaterThan(50);
    const funding = send(anna, payment(anna, terms));
    expect(seen().funding?.tx.tx_hash).toBe(funding.tx_hash);
    expect(got(cleo.transaction(funding.tx_hash)).status).toBe('confirmed');
    mineMany(world, 1);
    lie('absent');
    expect([seen().funding, statusOf(cleo, funding)]).toEqual([null, 'unknown']);
    lie('absent', bert.htlcKey('swap'));
    expect([seen().funding?.confirmations, statusOf(cleo, funding)]).toEqual([1, 'confirmed']);
    lie('absent', anna.htlcKey('swap'));
    expect([seen().funding, statusOf(cleo, funding)]).toEqual([null, 'unknown']);
    lie('refundable');
    expect(seen()).toMatchObject({ refundable: true, clock: terms.lock + 1, spend: null });
    const taken = send(bert, claim(bert, { terms, funding }));
    mineMany(world, 1);
    lie('spendHidden');
    expect([seen().spend, seen().funding?.confirmations, statusOf(cleo, taken)]).toEqual([null, 2, 'unknown']);
    cleo.setFaults([]);
    expect([seen().spend?.how, seen().refundable, statusOf(cleo, taken)]).toEqual(['secret', false, 'confirmed']);
  });
});

describe('what a lie does not change', () => {
  it('the network refuses a refund that a liar calls possible', () => {
    const world = scene('utxo');
    const { anna, terms } = world;
    const funding = send(anna, payment(anna, terms));
    mineMany(world, 1);
    anna.setFaults([lasting(world, { kind: 'lie', says: 'refundable' }) as NodeFault]);
    expect(got(anna.payment({ terms })).refundable).toBe(true);
    expect(outcome(anna.broadcast(refund(anna, { terms, funding })))).toBe('notFinal');
  });
});
