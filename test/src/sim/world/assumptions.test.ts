import { describe, expect, it } from 'vitest';
import type { Millis } from '../../../../src/primitives/time.ts';
import {
  conductOf,
  crashAt,
  faultyNetwork,
  reorgAt,
  type ScenarioChange,
  scenario,
} from '../../../../src/sim/world/build.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { calmScenario } from '../../../../src/sim/world/scenario.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';
import { draws } from '../../../support/draws.ts';

describe('the depth that a party waited for', () => {
  const STEP = draws({ sample: 3, change: 1 });
  const minutes = Array.from({ length: 60 / STEP }, (_, minute) => minute * STEP * 60);
  const given = (depth: number, kind: 'utxo' | 'account' | 'autoRefund' = 'utxo') => {
    const { chains } = calmScenario();
    const plan = { chains: { ...chains, maker: { ...chains.maker, kind } } };
    return minutes.map((at) => {
      const { endings, faults } = runScenario(scenario(plan, reorgAt('maker', { at, depth })));
      return { reorged: faults.has('reorg'), broken: endings.map(({ broken }) => broken.includes('depth')) };
    });
  };

  it('is lost if a reorg takes a transaction out of a block, for both, and not if the blocks were empty', () => {
    const runs = given(1);
    // A reorg counts as met where it took something out of a block.
    for (const { reorged, broken } of runs) expect(broken).toEqual([reorged, reorged]);
    const met = runs.filter(({ reorged }) => reorged).length;
    expect(met).toBeGreaterThan(0);
    expect(runs.length - met).toBeGreaterThan(met);
  });

  it('is lost more often in a deeper reorg', () => {
    const count = (depth: number) => given(depth).filter(({ broken }) => broken.includes(true)).length;
    expect(count(5)).toBeGreaterThan(count(1));
  });

  it('is always given up on a chain that may have refunded a payment automatically', () => {
    const runs = given(1, 'autoRefund').filter(({ reorged }) => reorged);
    // The very first block of a chain cannot be replaced.
    expect(runs.filter(({ broken }) => !broken.includes(true)).length).toBeLessThan(5);
  });
});

it('a party that dies twice at one command was away as long as the plan that killed it says', () => {
  const away = (...downFor: readonly [before: number, after: number]) =>
    runScenario(
      scenario(
        crashAt('taker', { at: 36, when: 'after', downFor: downFor[1] }),
        crashAt('taker', { at: 36, when: 'before', downFor: downFor[0] }),
      ),
    ).endings[1]?.broken;
  expect(away(20_000, 60)).toContain('online');
  expect(away(60, 60)).toEqual([]);
});

describe('a chain on which nothing that waits can be replaced', () => {
  const locksByBlocks = (leg: 'maker' | 'taker'): ScenarioChange => {
    const finality = leg === 'maker' ? 2 : 1;
    return ({ chains, ...rest }) => ({
      ...rest,
      chains: { ...chains, [leg]: { ...chains[leg], kind: 'autoRefund', finality, decimals: 6, feeRate: 1 } },
    });
  };
  const CLAIMS = [
    // The payments are back with their senders some 7800 and 15,600 s after the start.
    { party: 'maker', leg: 'taker', over: 8000 },
    { party: 'taker', leg: 'maker', over: 15_800 },
  ] as const;
  const given = ({ leg }: (typeof CLAIMS)[number], from: number, until: number) =>
    runScenario(
      scenario(
        locksByBlocks(leg),
        { confirmations: { maker: 1, taker: 2 } },
        faultyNetwork(leg, { kind: 'feeSpike', factor: 7, from, until }),
        faultyNetwork(leg, { kind: 'censor', purposes: ['refund'], from: 20, until: 60 }),
      ),
    );
  const claimedAt = ({ timeline }: ReturnType<typeof given>, party: string): number =>
    timeline.find((line) => line.party === party && line.text === 'BroadcastAccepted (claim)')?.at ?? Number.NaN;

  it.each(CLAIMS)('keeps a claim of the $party out while a price lasts that rose behind it', (claim) => {
    const sent = claimedAt(given(claim, 90_000, 90_001), claim.party);
    const { violations, excused, endings } = given(claim, sent + 1, claim.over);
    expect(violations).toEqual([]);
    expect(excused).toEqual([
      { rule: 'R7', party: claim.party, text: expect.stringContaining('taken'), because: ['inclusion'] },
    ]);
    expect(endings.find(({ party }) => party !== claim.party)?.broken).toEqual([]);
  });

  it.each(CLAIMS)('keeps none of the $party out by a price that was there before it, or ends in time', (claim) => {
    const sent = claimedAt(given(claim, 90_000, 90_001), claim.party);
    for (const [from, until] of [
      [sent, claim.over],
      [sent + 1, claim.over - 1500],
    ] as const) {
      const { violations, excused, endings } = given(claim, from, until);
      expect({ violations, excused, money: endings.map(({ money }) => money) }).toEqual({
        violations: [],
        excused: [],
        money: ['swapped', 'swapped'],
      });
    }
  });

  it('excuses no party whose claim never went out', () => {
    const idle: Behaviour = {
      ...SOUND,
      decide: (runner, now, node) => {
        const command = SOUND.decide(runner, now, node);
        const claims = command.kind === 'ask' && command.question.op === 'prepare' && command.leg === 'maker';
        return claims ? { kind: 'wait', until: (now + 600_000) as Millis } : command;
      },
    };
    const planned = scenario(
      locksByBlocks('maker'),
      conductOf('maker', { kind: 'greedy' }),
      faultyNetwork('maker', { kind: 'feeSpike', factor: 7, from: 90, until: 15_800 }),
    );
    const { violations } = runScenario(planned, { behaviours: { taker: idle } });
    expect(violations.map(({ rule, text }) => `${rule} ${text}`)).toEqual([
      'R7 the own payment was taken and the other one is gone',
    ]);
  });
});
