import type { Assumption } from './assumptions.ts';
import type { PartyPlan, Scenario } from './scenario.ts';

type Party = 'maker' | 'taker';
type Chain = Scenario['chains']['maker'];

/** The same run without the faults that gave up an assumption for a party. */
const WITHOUT: Readonly<Record<Assumption, (scenario: Scenario, party: Party) => Scenario>> = {
  online: (scenario, party) => withParty(scenario, party, { crashes: [] }),
  ownNode: (scenario, party) => {
    const sound = { nodes: { maker: [], taker: [] }, completeFeeds: { maker: null, taker: null } };
    return withParty(scenario, party, sound);
  },
  clock: (scenario, party) => withParty(scenario, party, { skew: 0, jumps: [] }),
  fees: (scenario, party) => withParty(scenario, party, { funds: { maker: null, taker: null } }),
  inclusion: (scenario) => {
    const { maker, taker } = scenario.chains;
    const priced = ({ faults }: Chain) => faults.filter(({ kind }) => kind === 'feeSpike');
    // A price alone keeps a transaction out only if nothing that waits can be replaced; so this first removes
    // everything else.
    const isPrice = [maker, taker].every((chain) => priced(chain).length === chain.faults.length);
    const left = (chain: Chain) => (isPrice && chain.kind === 'autoRefund' ? [] : priced(chain));
    const chains = { maker: { ...maker, faults: left(maker) }, taker: { ...taker, faults: left(taker) } };
    return { ...scenario, chains };
  },
  depth: (scenario) => {
    const tame = (plan: PartyPlan): PartyPlan =>
      plan.conduct.kind === 'rewrite' ? { ...plan, conduct: { kind: 'replace', after: 0 } } : plan;
    const parties = { maker: tame(scenario.parties.maker), taker: tame(scenario.parties.taker) };
    return { ...scenario, parties, chainEvents: scenario.chainEvents.filter(({ kind }) => kind !== 'reorg') };
  },
};

function withParty(scenario: Scenario, party: Party, change: Partial<PartyPlan>): Scenario {
  const { parties } = scenario;
  return { ...scenario, parties: { ...parties, [party]: { ...parties[party], ...change } } };
}

/** A scenario without the faults by which it gave up these assumptions for a party. */
export function sparedScenario(
  scenario: Scenario,
  { party, because }: { readonly party: Party; readonly because: readonly Assumption[] },
): Scenario {
  return because.reduce((spared, assumption) => WITHOUT[assumption](spared, party), scenario);
}
