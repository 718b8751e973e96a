import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NetworkFault, NodeFault } from '../chains/types.ts';
import { pick, type Rng } from '../xorshift.ts';
import { changed, conductOf, crashAt, faultyNetwork, reorgAt, type ScenarioChange, storageFaultAt } from './build.ts';
import { paysWatchers } from './draw-rewards.ts';
import { LIE_TOPICS, type PartyPlan, type Scenario, soundWatcher } from './scenario.ts';
import { withScripts } from './script-amounts.ts';

type Party = 'maker' | 'taker';

type Change = (rng: Rng, scenario: Scenario) => ScenarioChange;

/**
 * A scenario that leads where drawn ones seldom get: a watcher at work, a contested claim, a lie at a late moment. It adds one trouble of any kind,
 * so that every trouble meets every event.
 */
export function focusedScenario(scenario: Scenario, rng: Rng): Scenario {
  const situation = pick(rng, SITUATIONS);
  const trouble = pick(rng, ALL_TROUBLES);
  return changed(scenario, [situation(rng, scenario), trouble(rng, scenario)]);
}

/** The same scenario with one more trouble of any kind. */
export function troubleOf(rng: Rng, scenario: Scenario, { adversaries }: { readonly adversaries: boolean }): Scenario {
  return changed(scenario, [pick(rng, adversaries ? ALL_TROUBLES : TROUBLES)(rng, scenario)]);
}

function partyOf(rng: Rng): Party {
  return rng.below(2) === 0 ? 'maker' : 'taker';
}

/** A stretch that begins while both sides are busy, or anywhere in the life of a swap. */
function during(rng: Rng, { lockDuration }: Scenario): { readonly from: UnixSeconds; readonly until: UnixSeconds } {
  const from = rng.below(2) === 0 ? rng.below(2000) : rng.below(2 * lockDuration);
  const until = from + 60 + rng.below(lockDuration);
  return { from: from as UnixSeconds, until: until as UnixSeconds };
}

/** The taker is offline from some moment after its payment; a watcher has what it needs. */
const watched: Change = (rng, { lockDuration }) => {
  const downFor: Seconds = lockDuration + rng.below(2 * lockDuration);
  return (scenario) => {
    const away = crashAt('taker', { at: 28 + rng.below(22), when: 'after', downFor });
    if (paysWatchers(scenario)) return away(scenario);
    const scripts = withScripts(withScripts(scenario, 'maker'), 'taker');
    return away({ ...scripts, useWatchers: true, watcher: soundWatcher() });
  };
};

/** The same, and the maker does not claim the payment. */
const watchedRefund: Change = (rng, scenario) => {
  const makerAway = conductOf('maker', { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null });
  const takerAway = watched(rng, scenario);
  return (given) => makerAway(takerAway(given));
};

/** The taker returns about when the maker may refund, and the maker is quick. */
const contested: Change = (rng, { lockDuration }) => {
  const downFor = 2 * lockDuration - 3000 + rng.below(6000);
  const away = crashAt('taker', { at: 28 + rng.below(22), when: 'after', downFor });
  const greedy = conductOf('maker', { kind: 'greedy' });
  const from = 2 * lockDuration - 4000;
  // A claim that waits while a refund is included.
  const censored = faultyNetwork('maker', { kind: 'censor', purposes: ['claim'], from, until: from + 9000 });
  const isCensored = rng.below(2) === 0;
  return (scenario) => greedy(away(isCensored ? censored(scenario) : scenario));
};

/** A party is offline until about the moment after which it must neither pay nor show its secret. */
const atTheDeadline: Change = (rng, { lockDuration }) => {
  const party = partyOf(rng);
  const deadline = Math.floor((lockDuration * (party === 'maker' ? 4 : 2)) / 5);
  return crashAt(party, { at: 12 + rng.below(20), when: 'after', downFor: deadline - 1500 + rng.below(2400) });
};

/** A message that lies at one step; everything else is true. */
const liar: Change = (rng) => conductOf(partyOf(rng), { kind: 'liar', about: pick(rng, LIE_TOPICS) });

const SITUATIONS: readonly Change[] = [watched, watchedRefund, contested, atTheDeadline, liar];

function withParty(name: Party, change: (plan: PartyPlan) => Partial<PartyPlan>): ScenarioChange {
  return ({ parties, ...scenario }) => ({
    ...scenario,
    parties: { ...parties, [name]: { ...parties[name], ...change(parties[name]) } },
  });
}

function nodeFault(make: (rng: Rng) => Omit<NodeFault, 'from' | 'until'>): Change {
  return (rng, scenario) => {
    const fault = { ...make(rng), ...during(rng, scenario) } as NodeFault;
    const chain = partyOf(rng);
    return withParty(partyOf(rng), ({ nodes }) => ({ nodes: { ...nodes, [chain]: [...nodes[chain], fault] } }));
  };
}

function networkFault(make: (rng: Rng) => Omit<NetworkFault, 'from' | 'until'>): Change {
  return (rng, scenario) => {
    const fault = { ...make(rng), ...during(rng, scenario) } as NetworkFault;
    const name = partyOf(rng);
    return ({ chains, ...rest }) => {
      const plan = chains[name];
      // Only a chain with accounts includes what has no effect.
      const kind = fault.kind === 'revert' ? 'account' : plan.kind;
      return { ...rest, chains: { ...chains, [name]: { ...plan, kind, faults: [...plan.faults, fault] } } };
    };
  };
}

const PURPOSES = ['fee', 'payment', 'claim', 'refund'] as const;
const SAYS = ['absent', 'present', 'confirmed', 'spendHidden', 'refundable'] as const;

/** Events after which a party that vanishes leaves something behind. */
const LATE = {
  maker: ['MakerPaymentSent', 'TakerPaymentReceived', 'TakerPaymentSpent'],
  taker: ['TakerPaymentSent', 'TakerPaymentSpent', 'MakerPaymentSpent'],
} as const;

const TROUBLES: readonly Change[] = [
  (rng) =>
    crashAt(partyOf(rng), { at: 1 + rng.below(60), when: pick(rng, ['before', 'after']), downFor: rng.below(3000) }),
  (rng) => storageFaultAt(partyOf(rng), { at: 1 + rng.below(60), how: pick(rng, ['lost', 'unanswered']) }),
  (rng) => {
    const skew = rng.below(59) - 29;
    return withParty(partyOf(rng), () => ({ skew }));
  },
  (rng) => {
    const lossPerMille = rng.below(500);
    const duplicatePerMille = rng.below(500);
    return ({ network, ...scenario }) => ({
      ...scenario,
      network: { ...network, latency: [0, 10], lossPerMille, duplicatePerMille },
    });
  },
  nodeFault(() => ({ kind: 'outage' })),
  nodeFault((rng) => ({ kind: 'flaky', oneIn: 2 + rng.below(4) })),
  nodeFault((rng) => ({ kind: 'lag', blocks: 1 + rng.below(5) })),
  nodeFault((rng) => ({ kind: 'contradiction', blocks: 1 + rng.below(4) })),
  nodeFault((rng) => ({ kind: 'lie', says: pick(rng, SAYS) })),
  nodeFault((rng) => ({ kind: 'broadcast', effect: pick(rng, ['lost', 'unanswered', 'refused']), oneIn: 2 })),
  networkFault((rng) => ({ kind: 'feeSpike', factor: 2 + rng.below(6) })),
  networkFault((rng) => ({ kind: 'censor', purposes: [pick(rng, PURPOSES)] })),
  networkFault((rng) => ({ kind: 'revert', purposes: [pick(rng, PURPOSES)], oneIn: 2 })),
  (rng, { lockDuration }) =>
    reorgAt(partyOf(rng), { at: rng.below(3 * lockDuration), depth: 1 + rng.below(4), drop: rng.below(2) === 0 }),
  (rng, { lockDuration }) => {
    const event = { kind: 'dropMempool', chain: partyOf(rng), at: rng.below(3 * lockDuration) } as const;
    return (scenario) => ({ ...scenario, chainEvents: [...scenario.chainEvents, event] });
  },
];

/** The same by a party that breaks the protocol. */
const ROGUES: readonly Change[] = [
  (rng, { lockDuration }) => {
    const backAfter = rng.below(2) === 0 ? null : rng.below(2 * lockDuration);
    const party = partyOf(rng);
    return conductOf(party, { kind: 'vanish', after: pick(rng, LATE[party]), backAfter });
  },
  (rng) => conductOf(partyOf(rng), { kind: 'underpay' }),
  (rng) => conductOf(partyOf(rng), { kind: 'greedy' }),
  liar,
  (rng) => conductOf('maker', { kind: 'shortLock', seconds: 1 + rng.below(12_000), admit: rng.below(2) === 0 }),
];

const ALL_TROUBLES: readonly Change[] = [...TROUBLES, ...ROGUES];
