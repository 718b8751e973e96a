import type { Seconds } from '../../primitives/time.ts';
import { pick, type Rng } from '../xorshift.ts';
import { changed, conductOf, faultyNetwork, lyingNode, type ScenarioChange } from './build.ts';
import type { ChainName, Scenario } from './scenario.ts';

type Situation = (rng: Rng, about: { readonly party: ChainName; readonly lockDuration: Seconds }) => ScenarioChange[];

const otherOf = (party: ChainName): ChainName => (party === 'maker' ? 'taker' : 'maker');

/** Nobody claims what the party has paid. */
function left(party: ChainName): ScenarioChange {
  const after = party === 'maker' ? 'MakerPaymentReceived' : 'TakerPaymentReceived';
  return conductOf(otherOf(party), { kind: 'vanish', after, backAfter: null });
}

/** Its node claims that the lock has passed, long before it has. */
const tooEarly: Situation = (rng, { party, lockDuration }) => {
  const from = 60 + rng.below(3000);
  const until = from + 300 + rng.below(2 * lockDuration);
  return [left(party), lyingNode(party, { chain: party, says: 'refundable', from, until })];
};

/** Its refunds run out of gas. */
const outOfGas: Situation = (rng, { party, lockDuration }) => {
  const until = lockOf(party, lockDuration) + rng.below(lockDuration);
  return [left(party), faultyNetwork(party, { kind: 'revert', purposes: ['refund'], from: 0, until })];
};

/** The payment to it waits for a block, and its node shows it in one. */
const notThere: Situation = (rng, { party, lockDuration }) => {
  const chain = otherOf(party);
  const until = 300 + rng.below(lockOf(chain, lockDuration));
  return [
    faultyNetwork(chain, { kind: 'censor', purposes: ['payment'], from: 0, until: until + 60 }),
    lyingNode(party, { chain, says: 'confirmed', from: 0, until }),
  ];
};

function lockOf(chain: ChainName, lockDuration: Seconds): Seconds {
  return chain === 'maker' ? 2 * lockDuration : lockDuration;
}

const SITUATIONS = [tooEarly, outOfGas, notThere] as const;

/** A scenario in which a party is led to sign repeatedly what blocks include without effect, mostly on a chain with accounts. */
export function misledScenario(scenario: Scenario, rng: Rng): Scenario {
  const { lockDuration } = scenario;
  const party = pick(rng, ['maker', 'taker'] as const);
  const situation = pick(rng, SITUATIONS);
  const name = situation === notThere ? otherOf(party) : party;
  const account: ScenarioChange = ({ chains, ...rest }) => ({
    ...rest,
    chains: { ...chains, [name]: { ...chains[name], kind: 'account' as const } },
  });
  // Only chains with accounts run out of gas.
  const kept = situation === tooEarly && rng.below(4) === 0;
  const changes = [conductOf(party, { kind: 'honest' }), ...situation(rng, { party, lockDuration })];
  return changed(scenario, kept ? changes : [account, ...changes]);
}
