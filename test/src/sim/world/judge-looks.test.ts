import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import {
  faultyNetwork,
  faultyNode,
  lyingNode,
  type ScenarioChange,
  scenario,
} from '../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';

// What a party acts on is what a recent look has shown: answers may be long on their way.

const account: ScenarioChange = ({ chains, ...rest }) => ({
  ...rest,
  chains: { ...chains, taker: { ...chains.taker, kind: 'account' } },
});

/** The taker's node calls its lock passed from a moment on; the maker's node needs so long for an answer. */
const returning = (from: number, seconds: number) =>
  scenario(
    account,
    { seed: 1, confirmations: { maker: 1, taker: 0 } },
    faultyNode('maker', { chain: 'taker', kind: 'slow', seconds, from: 10, until: 2000 }),
    // Else a block takes the refund without effect, and nothing is on its way back.
    faultyNetwork('taker', { kind: 'censor', purposes: ['refund'], from: 0, until: 3000 }),
    lyingNode('taker', { chain: 'taker', says: 'refundable', from, until: 3000 }),
  );

/** An engine that does not see that the taker's payment is on its way back. */
const blind: Behaviour = {
  ...SOUND,
  answer: (question, result) => {
    if (question.op !== 'payment' || !result.ok) return result;
    const view = result.value as PaymentView;
    return view.spend?.how === 'refund' ? { ok: true, value: { ...view, spend: null } } : result;
  },
};

const run = (planned: ReturnType<typeof returning>, maker: Behaviour) => {
  const { violations, timeline } = runScenario(planned, { behaviours: { maker } });
  const at = (party: string, text: string) =>
    timeline.find((line) => line.party === party && line.text === text)?.at ?? Number.NaN;
  return {
    refunded: at('taker', 'BroadcastAccepted (refund)'),
    claimed: at('maker', 'BroadcastAttempted (claim)'),
    told: violations.filter(({ rule }) => rule === 'R9').map(({ text }) => text),
  };
};

const RETURNS = 'the secret goes out although the taker payment is on its way back';

describe('a secret that goes out', () => {
  it('after a refund that no recent look can have shown is no mistake', () => {
    const { refunded, claimed, told } = run(returning(90, 14), SOUND);
    expect(claimed).toBeGreaterThan(refunded);
    expect(told).toEqual([]);
  });

  it.each([9, 14])('after a look that shows the refund is one, with answers that take %i s', (seconds) => {
    const planned = returning(64, seconds);
    expect(run(planned, SOUND).told).toEqual([]);
    const { refunded, claimed, told } = run(planned, blind);
    expect(claimed).toBeGreaterThan(refunded);
    expect(told).toEqual([RETURNS]);
  });
});
