import { describe, expect, it } from 'vitest';
import type { SeenTransaction, SimChainKind } from '../../src/sim/chains/types.ts';
import { abandoned } from '../../src/sim/incidents/endings.ts';
import { during, momentOf, swapWith, withNodeFaults } from '../../src/sim/incidents/moments.ts';
import { type Behaviour, SOUND } from '../../src/sim/world/node.ts';
import { runOnce } from '../../src/sim/world/run-scenario.ts';
import { type ChainName, EPOCH, type Scenario, type Timing } from '../../src/sim/world/scenario.ts';
import { oneIn } from '../support/draws.ts';
import { findBug, plantedFeeBugs } from './planted-bugs.ts';

// A block takes what comes too early, or claims what is not there, for its fee. What a node that is wrong costs is bounded.

type Told = {
  readonly violations: readonly string[];
  readonly money: string | undefined;
  readonly reverted: number;
  /** Different transactions that nodes got, taken or not. */
  readonly variants: number;
  /** What they cost together, and what the one cost that had its effect, in prices of the day. */
  readonly burnt: number;
  readonly paid: number;
  /** When that one went out, in seconds from the start of the world. */
  readonly at: number;
};

function told(scenario: Scenario, party: ChainName, purpose: 'refund' | 'claim', behaviour = SOUND): Told {
  const { result, world } = runOnce(scenario, { behaviours: { [party]: behaviour } });
  const { violations, endings } = result;
  const { prepared } = world.nodes[party].runner.journal;
  const given = prepared[purpose].flatMap(({ attemptedAt, tx }) => (attemptedAt === null ? [] : [tx.tx_hash]));
  const leg = purpose === 'refund' ? party : otherOf(party);
  const { ledger } = world.chains[leg];
  const sent = ledger.transactions(party).filter((one) => one.purpose === purpose);
  const price = ({ fee, hash }: SeenTransaction) => Number(fee) / Number(ledger.dayFee(hash));
  const reverted = sent.filter(({ status }) => status === 'reverted');
  const done = sent.filter(({ status }) => status === 'confirmed');
  return {
    violations: violations.map(({ rule, text }) => `${rule}: ${text}`),
    money: endings.find((ending) => ending.party === party)?.money,
    reverted: reverted.length,
    variants: new Set(given).size,
    burnt: reverted.reduce((sum, one) => sum + price(one), 0),
    paid: done.reduce((sum, one) => sum + price(one), 0),
    at: Math.min(...done.map(({ firstSeen }) => firstSeen - EPOCH)),
  };
}

const otherOf = (party: ChainName) => (party === 'maker' ? 'taker' : 'maker');

const SELDOM: Timing = {
  confirmationPoll: 200,
  spendPoll: 120,
  refundPoll: 900,
  freshness: 30,
  bumpAfter: 300,
  dropAfter: 30,
};

/** Nobody tells a party with such timings of a block: it looks by itself. */
function withParty(scenario: Scenario, party: ChainName, { pushes }: { readonly pushes: boolean }): Scenario {
  const plan = {
    ...scenario.parties[party],
    pushes: { maker: pushes, taker: pushes },
    timing: pushes ? null : SELDOM,
  };
  return { ...scenario, parties: { ...scenario.parties, [party]: plan } };
}

/** The other side has left, and what the party paid stands on a chain of this kind. */
function left(party: ChainName, { kind, pushes }: { readonly kind: SimChainKind; readonly pushes: boolean }): Scenario {
  return withParty(abandoned(swapWith(7, { [party]: { kind, blockTime: 61 } }), party), party, { pushes });
}

const PARTIES = ['maker', 'taker'] as const;
const KINDS = ['account', 'utxo'] as const;
const CASES = oneIn(
  2,
  PARTIES.flatMap((party) => KINDS.flatMap((kind) => [true, false].map((pushes) => [party, kind, pushes] as const))),
);
const SECONDS = [1200, 5000, 40_000];
const LOCKS = { maker: 15_600, taker: 7800 };

describe('a node that says hours too early that the lock has passed', () => {
  it.each(CASES)('costs the %s on a chain of kind %s little, and no time: pushes %s', (party, kind, pushes) => {
    const scenario = left(party, { kind, pushes });
    const record = party === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent';
    const from = momentOf(scenario, { party, record }).at + 300;
    for (const seconds of SECONDS) {
      const lie = during({ kind: 'lie', says: 'refundable' } as const, from, from + seconds);
      const run = told(withNodeFaults(scenario, { party, chain: party }, [lie]), party, 'refund');
      expect(run, `for ${seconds} s`).toMatchObject({ violations: [], money: 'refunded' });
      expect(run.reverted).toBeLessThanOrEqual(kind === 'utxo' ? 0 : 9);
      expect(run.burnt).toBeLessThan(5);
      // The price of the day, rounded up to what nodes relay.
      expect(run.paid).toBeLessThan(1.5);
      expect(run.at - LOCKS[party]).toBeLessThan(1200);
    }
  });
});

describe('a node that hides what blocks have taken', () => {
  it.each(PARTIES)('and calls the lock passed costs the %s a few refunds, each after a longer pause', (party) => {
    const scenario = left(party, { kind: 'account', pushes: false });
    const record = party === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent';
    const from = momentOf(scenario, { party, record }).at + 300;
    const end = from + 40_000;
    const lie = during({ kind: 'lie', says: 'refundable' } as const, from, end);
    const lag = during({ kind: 'lag', blocks: 40 } as const, from + 900, end);
    const run = told(withNodeFaults(scenario, { party, chain: party }, [lie, lag]), party, 'refund');
    expect(run.violations).toEqual([]);
    expect(run.variants).toBeLessThanOrEqual(20);
    expect(run.burnt).toBeLessThan(60);
  });

  it.each(PARTIES)(
    'does not make the %s sign a dearer one if blocks included what it was meant to replace',
    (party) => {
      const scenario = left(party, { kind: 'account', pushes: false });
      const { at } = momentOf(scenario, { party, broadcast: 'refund' });
      const hidden = during({ kind: 'lie', says: 'spendHidden' } as const, at, at + 12_000);
      const run = told(withNodeFaults(scenario, { party, chain: party }, [hidden]), party, 'refund');
      expect(run).toMatchObject({ violations: [], money: 'refunded' });
      expect(run.variants).toBeLessThanOrEqual(20);
      expect(run.burnt).toBeLessThan(40);
    },
  );
});

describe('a node that calls the lock passed while prices are high', () => {
  it.each(PARTIES)('makes the %s begin each refund where the last one was included', (party) => {
    const scenario = left(party, { kind: 'account', pushes: true });
    const record = party === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent';
    const from = momentOf(scenario, { party, record }).at + 300;
    const spike = during({ kind: 'feeSpike', factor: 7 } as const, from - 60, from + 2400);
    const chains = { ...scenario.chains, [party]: { ...scenario.chains[party], faults: [spike] } };
    const lie = during({ kind: 'lie', says: 'refundable' } as const, from, LOCKS[party]);
    const run = told(withNodeFaults({ ...scenario, chains }, { party, chain: party }, [lie]), party, 'refund');
    expect(run).toMatchObject({ violations: [], money: 'refunded' });
    expect(run.variants).toBeLessThanOrEqual(17);
  });
});

describe('a refund that a block has taken', () => {
  it.each(CASES)(
    'is not followed by a dearer one of the %s on a chain of kind %s: pushes %s',
    (party, kind, pushes) => {
      const run = told(left(party, { kind, pushes }), party, 'refund');
      expect(run).toMatchObject({ violations: [], money: 'refunded', reverted: 0 });
      expect(run.paid).toBeLessThan(1.5);
    },
  );
});

describe('refunds that run out of gas', () => {
  it.each(PARTIES)('are repeated by a %s with pauses, and soon once they do not', (party) => {
    const scenario = left(party, { kind: 'account', pushes: true });
    const { at } = momentOf(scenario, { party, broadcast: 'refund' });
    for (const seconds of [600, 2400]) {
      const fails = during({ kind: 'revert', purposes: ['refund'] } as const, 0, at + seconds);
      const chains = { ...scenario.chains, [party]: { ...scenario.chains[party], faults: [fails] } };
      const run = told({ ...scenario, chains }, party, 'refund');
      expect(run).toMatchObject({ violations: [], money: 'refunded' });
      expect(run.reverted).toBeLessThanOrEqual(6);
      expect(run.burnt).toBeLessThan(30);
      expect(run.at - at).toBeLessThan(2 * seconds);
    }
  });
});

describe('a node that shows a payment in blocks which waits for one', () => {
  it.each(PARTIES.flatMap((party) => [true, false].map((pushes) => [party, pushes] as const)))(
    'costs the %s a few claims: pushes %s',
    (party, pushes) => {
      const leg = otherOf(party);
      const calm = withParty(swapWith(7, { [leg]: { kind: 'account', blockTime: 61 } }), party, { pushes });
      const { at } = momentOf(calm, { party: leg, record: leg === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent' });
      for (const [seconds, most] of [
        [1200, 6],
        [4000, 8],
        [40_000, 20],
      ] as const) {
        const kept = during({ kind: 'censor', purposes: ['payment'] } as const, at, at + seconds + 100);
        const chains = { ...calm.chains, [leg]: { ...calm.chains[leg], faults: [kept] } };
        const lie = during({ kind: 'lie', says: 'confirmed' } as const, 0, at + seconds);
        const run = told(withNodeFaults({ ...calm, chains }, { party, chain: leg }, [lie]), party, 'claim');
        expect(run.violations).toEqual([]);
        expect(run.reverted, `for ${seconds} s`).toBeLessThanOrEqual(most);
        if (seconds < 7800) expect(run.money).toBe('swapped');
      }
    },
  );
});

describe('a node that shows for most of a long lock a payment that waits', () => {
  const slow = { blockTime: 599 } as const;
  it.each(PARTIES)('leaves the %s variants for when it is there: blocks slow, bumps soon', (party) => {
    const leg = otherOf(party);
    const longer = { ...swapWith(7, { [leg]: { kind: 'account', ...slow } }), lockDuration: 31_200 };
    const calm = withParty(longer, party, { pushes: false });
    const { at } = momentOf(calm, { party: leg, record: leg === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent' });
    const lock = leg === 'maker' ? 62_400 : 31_200;
    const seconds = lock - at - 4000;
    const kept = during({ kind: 'censor', purposes: ['payment'] } as const, at, at + seconds + 100);
    const chains = { ...calm.chains, [leg]: { ...calm.chains[leg], faults: [kept] } };
    const lie = during({ kind: 'lie', says: 'confirmed' } as const, 0, at + seconds);
    const run = told(withNodeFaults({ ...calm, chains }, { party, chain: leg }, [lie]), party, 'claim');
    expect(run.violations).toEqual([]);
    expect(run.variants).toBeLessThanOrEqual(20);
  });
});

describe('more than twenty transactions for one purpose', () => {
  const scenario = left('maker', { kind: 'account', pushes: true });
  const fails = during({ kind: 'revert', purposes: ['refund'] } as const, 0, 500_000);
  const chains = { ...scenario.chains, maker: { ...scenario.chains.maker, faults: [fails] } };
  const ordered = (count: number): Scenario => {
    const orders = Array.from({ length: count }, (_, index) => ({
      at: 20_000 + 900 * index,
      action: 'retry' as const,
    }));
    const maker = { ...scenario.parties.maker, orders };
    return { ...scenario, chains, parties: { ...scenario.parties, maker } };
  };

  it('are not signed, except one for each order of an operator', () => {
    const few = told(ordered(2), 'maker', 'refund');
    expect(few.violations).toEqual([]);
    expect(few.variants).toBeLessThanOrEqual(20);
    const many = told(ordered(24), 'maker', 'refund');
    expect(many.violations).toEqual([]);
    expect(many.variants).toBeGreaterThan(24);
  });

  it('are found by the judge in an engine that forgets what it has signed', () => {
    const forgetful: Behaviour = {
      ...SOUND,
      decide: (runner, now, node) => {
        const { prepared } = runner.journal;
        const journal = { ...runner.journal, prepared: { ...prepared, refund: prepared.refund.slice(-4) } };
        return SOUND.decide({ ...runner, journal }, now, node);
      },
    };
    const { violations, variants } = told(ordered(0), 'maker', 'refund', forgetful);
    expect(variants).toBeGreaterThan(20);
    expect(violations).toContainEqual('R12: 21 different transactions for one refund');
  });
});

describe('claims that run out of gas', () => {
  it.each(PARTIES)('are repeated by a %s with pauses that leave time for the last ones', (party) => {
    const leg = otherOf(party);
    const calm = withParty(swapWith(7, { [leg]: { kind: 'account', blockTime: 61 } }), party, { pushes: true });
    const { at } = momentOf(calm, { party, broadcast: 'claim' });
    // The longest one ends with three quarters of the margin left.
    for (const until of [at + 1200, LOCKS[leg] - 3600, LOCKS[leg] - 1170]) {
      const fails = during({ kind: 'revert', purposes: ['claim'] } as const, 0, until);
      const chains = { ...calm.chains, [leg]: { ...calm.chains[leg], faults: [fails] } };
      const run = told({ ...calm, chains }, party, 'claim');
      expect(run, `until ${until} s`).toMatchObject({ violations: [], money: 'swapped' });
      expect(run.reverted).toBeLessThanOrEqual(15);
    }
  });
});

it.each(Object.entries(plantedFeeBugs))('the judge finds an engine with the fault %s', (_, bug) => {
  // A seed shortly before one that shows it.
  const found = findBug(bug, 575);
  expect(found).toMatchObject({ seed: 581, rule: 'R12', text: expect.stringContaining('that had no effect') });
});
