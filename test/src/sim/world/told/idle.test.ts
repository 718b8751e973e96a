import { describe, expect, it } from 'vitest';
import { decideSwap } from '../../../../../src/runtime/swap/decide.ts';
import type { SwapRunner } from '../../../../../src/runtime/swap/runner.ts';
import { conductOf, faultyNode, type ScenarioChange, scenario } from '../../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../../src/sim/world/run-scenario.ts';
import type { CompleteFeedPlan, Timing } from '../../../../../src/sim/world/scenario.ts';

/** Polls so often that a feed has something to spare. */
const timing: Timing = {
  confirmationPoll: 60,
  spendPoll: 120,
  refundPoll: 300,
  freshness: 7,
  bumpAfter: 450,
  dropAfter: 60,
};

const fed =
  (feed: CompleteFeedPlan): ScenarioChange =>
  ({ parties, ...rest }) => ({
    ...rest,
    parties: { ...parties, taker: { ...parties.taker, timing, completeFeeds: { maker: feed, taker: feed } } },
  });

/** The maker leaves both payments where they are, and nothing happens for hours. */
const left = conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: null });
const quiet = { seed: 11, confirmations: { maker: 2, taker: 1 } };
/** Blocks come seldom. */
const slow: ScenarioChange = ({ chains, ...rest }) => ({
  ...rest,
  chains: { maker: { ...chains.maker, blockTime: 700 }, taker: { ...chains.taker, blockTime: 900 } },
});

function asked(behaviour: Partial<Behaviour>, ...changes: readonly ScenarioChange[]) {
  let questions = 0;
  const { violations } = runScenario(scenario(quiet, slow, left, ...changes), {
    behaviours: { taker: { ...SOUND, ...behaviour } },
    watch: {
      answered(_, { name }) {
        if (name === 'taker') questions += 1;
      },
    },
  });
  return { questions, rules: [...new Set(violations.map(({ rule }) => rule))], violations };
}

/** An engine that does not know what its feeds promise. */
const forgetful: Behaviour['decide'] = (runner, now) => {
  const facts = { ...runner.facts, told: { maker: false, taker: false } };
  return decideSwap({ ...runner, facts } as SwapRunner, now);
};

describe('a party whose feeds promise to report everything (R16)', () => {
  it('asks nothing between two notifications except for safety looks, and is caught if it does', () => {
    const sound = asked({}, fed({ losesPerMille: 0 }));
    expect(sound.rules).toEqual([]);
    const plain = asked({}, fed(null));
    expect(plain.rules).toEqual([]);
    expect(sound.questions).toBeLessThan(plain.questions / 2);
    const polling = asked({ decide: forgetful }, fed({ losesPerMille: 0 }));
    expect(polling.rules).toEqual(['R16']);
    expect(polling.violations[0]?.text).toMatch(
      /^the \w+ chain is asked again after \d+(\.\d+)? s, though it would have told/,
    );
  });

  it('still looks if every notification is lost, and is caught if it waits for one', () => {
    const sound = asked({}, fed({ losesPerMille: 1000 }));
    expect(sound.rules).toEqual([]);
    const trusting: Behaviour['decide'] = (runner, now) => {
      const command = decideSwap(runner, now);
      return command.kind === 'wait' ? { ...command, until: (now + 4 * 3600_000) as never } : command;
    };
    const hanging = asked({ decide: trusting }, fed({ losesPerMille: 1000 }));
    expect(hanging.violations[0]?.text).toMatch(/^it waits for \d+(\.\d+)? s after its last look/);
  });

  it('needs no look at a payment that it can no longer claim', () => {
    const away: ScenarioChange = ({ parties, ...rest }) => {
      const completeFeeds = { maker: { losesPerMille: 1000 }, taker: { losesPerMille: 0 } };
      const crashes = [{ at: 15, when: 'after', downFor: 25_227 }] as const;
      return {
        ...rest,
        lockDuration: 31_200,
        horizon: 200_000,
        parties: { ...parties, maker: { ...parties.maker, timing, completeFeeds, crashes } },
      };
    };
    const vanished = conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: null });
    const { violations, endings } = runScenario(scenario(quiet, slow, away, vanished));
    expect(violations).toEqual([]);
    expect(endings[0]?.money).toBe('refunded');
  });

  it('is promised nothing by a node that has faults of its own', () => {
    const lagging = faultyNode('taker', { chain: 'taker', kind: 'lag', blocks: 2, from: 100, until: 5000 });
    const { rules } = asked({ decide: forgetful }, fed({ losesPerMille: 0 }), lagging, ({ parties, ...rest }) => ({
      ...rest,
      parties: { ...parties, taker: { ...parties.taker, pushes: { maker: false, taker: true } } },
    }));
    expect(rules).toEqual([]);
  });
});
