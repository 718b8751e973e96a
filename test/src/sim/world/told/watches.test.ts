import { describe, expect, it } from 'vitest';
import type { Millis } from '../../../../../src/primitives/time.ts';
import type { Question } from '../../../../../src/runtime/command.ts';
import { runWorld } from '../../../../../src/sim/world/advance.ts';
import {
  conductOf,
  crashAt,
  faultyNetwork,
  outage,
  type ScenarioChange,
  scenario,
} from '../../../../../src/sim/world/build.ts';
import { agreementOf } from '../../../../../src/sim/world/judge/agreement.ts';
import { asksProblem, forgetAsks, noAsks, noteAsk } from '../../../../../src/sim/world/told/watch-asks.ts';
import { watchProblems } from '../../../../../src/sim/world/told/watches.ts';
import { createWorld, type World } from '../../../../../src/sim/world/world.ts';

type Records = { type: string; at: number; data: Record<string, unknown> | null }[];

const watching = {
  seed: 5,
  lockDuration: 7800,
  confirmations: { maker: 2, taker: 3 },
  useWatchers: true,
  watcher: { crashes: [], nodes: { maker: [], taker: [] } },
};
/** Its nodes are silent from its payment on, so that its watcher claims for it. */
const blind = outage('taker', { from: 300, until: 40_000 });
/** Nobody claims, so that its watcher takes its payment back. */
const refunded = [
  conductOf('maker', { kind: 'vanish', after: 'TakerPaymentReceived', backAfter: null }),
  blind,
] as const;

function watched(...changes: readonly ScenarioChange[]): World {
  const world = createWorld(scenario(watching, ...changes));
  runWorld(world);
  return world;
}

function watchOf(world: World) {
  const [watch] = [...(world.watcher?.watches.values() ?? [])];
  if (watch === undefined) throw new Error('nobody watched');
  return watch;
}

/** What is found once the watch's log is changed, or what its nodes told of their clocks before each record. */
function told(world: World, change: (records: Records, clocks: number[]) => void): readonly string[] {
  const agreement = agreementOf(world);
  if (agreement === null) throw new Error('nothing was agreed on');
  const { records, clocks } = watchOf(world);
  change(records as unknown as Records, clocks);
  return watchProblems(world, agreement);
}

const find = (records: Records, type: string) => records.find((record) => record.type === type) as Records[number];
const attempt = (records: Records, purpose: string) =>
  records.find(({ type, data }) => type === 'BroadcastAttempted' && data?.['purpose'] === purpose) as Records[number];

describe('what a watcher does and reports (R17)', () => {
  it('finds nothing in the shipped watcher', () => {
    expect(told(watched(blind), () => {})).toEqual([]);
    expect(told(watched(...refunded), () => {})).toEqual([]);
  });

  it('finds an idle watcher that cannot know what the real node leaves out, and nothing in the shipped one', () => {
    const plain: ScenarioChange = (given) => ({
      ...given,
      fidelity: 'real',
      watcher: { ...watching.watcher, plain: true },
    });
    for (const [changes, purpose] of [
      [[blind], 'claim'],
      [refunded, 'refund'],
    ] as const) {
      const world = watched(...changes, plain);
      expect(told(world, () => {})).toEqual([]);
      const { records } = watchOf(world);
      const [first] = records as unknown as Records;
      expect(first?.data).toMatchObject({ watch: { maker_amount: null, taker_amount: null } });
      expect(attempt(records as unknown as Records, purpose)).toBeDefined();
    }
  });

  it('finds a watch that looks for the amount of the other payment', () => {
    const world = watched(blind);
    const { asks } = watchOf(world);
    expect([...asks.amounts.taker].length).toBe(1);
    for (const amount of asks.amounts.taker) asks.amounts.maker.add(amount);
    const found = told(world, () => {});
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^a watch looks for a maker payment of \S+ instead of \S+$/);
  });

  it('finds a wrong fee that is checked too soon, and too often, but not by a new process', () => {
    const agreement = agreementOf(watched(blind));
    if (agreement === null) throw new Error('nothing was agreed on');
    const problem = (pauses: readonly (number | 'restart')[], value: string | null = 'no fee') => {
      const asks = noAsks();
      let now = 1_700_000_000_000;
      for (const pause of pauses) {
        if (pause === 'restart') forgetAsks(asks);
        else now += pause;
        const question = { op: 'checkFee' } as unknown as Question;
        const command = { kind: 'ask', leg: 'taker', key: 'checkFee', question } as const;
        if (pause !== 'restart') noteAsk(asks, { command, result: { ok: true, value }, now: now as Millis });
      }
      return asksProblem(asks, agreement);
    };
    expect(problem([0, 10_000, 10_000])).toBeNull();
    expect(problem([0, 10_000, 9999])).toBe('a watch looks at a wrong fee again after 9.999 s');
    expect(problem([0, 10], null)).toBeNull();
    expect(problem([0, 'restart', 10])).toBeNull();
    expect(problem([0, ...Array<number>(6).fill(10_000)])).toBeNull();
    expect(problem([0, ...Array<number>(7).fill(10_000)])).toBe('a watch looks 8 times at a wrong fee');
  });

  it('finds a payment that is checked too soon, and a claim and a refund before their time', () => {
    const early = told(watched(blind), (records) => {
      find(records, 'TakerPaymentValidated').at = find(records, 'TakerFeeValidated').at + 59_000;
    });
    expect(early).toEqual(['a watch looks at the taker payment 59 s after the fee']);
    const claimed = told(watched(blind), (records) => {
      attempt(records, 'claim').at = 1_700_007_790_000;
    });
    expect(claimed.join()).toMatch(/^a watch claims \d+ s too early$/);
    const back = told(watched(...refunded), (records) => {
      attempt(records, 'refund').at = 1_700_011_600_000;
    });
    expect(back.join()).toMatch(/^a watch refunds \d+ s too early$/);
  });

  it('finds a missed moment that is reported as another one, and a first try that is reported as a bump', () => {
    const shifted = told(watched(...refunded), (records) => {
      const late = find(records, 'DeadlineReached');
      late.data = { ...late.data, deadline: 1_700_009_000_000 };
    });
    expect(shifted).toEqual(['a watch tells that watcherRefund ended at 1700009000000']);
    const bumped = told(watched(...refunded), (records) => {
      const first = find(records, 'TransactionPrepared');
      first.data = { ...first.data, urgency: 1 };
    });
    expect(bumped).toEqual(['the first refund of a watch is told as bump 1']);
  });

  it('finds an end that the chains do not show, and a claim that was never tried', () => {
    const ended = told(watched(blind), (records) => {
      find(records, 'Stopped').data = { reason: 'TakerPaymentRefunded', error: null };
    });
    expect(ended).toEqual(['a watch ends with TakerPaymentRefunded, which the chains do not show']);
    const refused = told(watched(blind), (records) => {
      find(records, 'Stopped').data = { reason: 'InvalidTakerFee', error: 'no fee' };
    });
    expect(refused).toEqual(['a watch ends with InvalidTakerFee, which the chains do not show']);
  });

  describe('if miners write times that are ahead', () => {
    const START = 1_700_000_000;
    /** Blocks of the taker chain are hours ahead where its watcher's time comes. */
    const ahead = faultyNetwork('taker', { kind: 'warp', seconds: 6000, from: 4000, until: 30_000 });
    const at = (world: World, purpose: string) =>
      attempt(watchOf(world).records as unknown as Records, purpose).at / 1000 - START;

    it('lets it act by the latest clock, and still finds what comes before that', () => {
      const back = watched(...refunded, ahead);
      expect(at(back, 'refund')).toBeLessThan(7800 * 1.5);
      expect(told(back, () => {})).toEqual([]);
      const sooner = told(back, (_, clocks) => clocks.fill(START + 11_700));
      expect(sooner.join()).toBe('a watch refunds 0 s too early');
      const unmet = told(back, (_, clocks) => clocks.fill(START + 11_699));
      expect(unmet).toEqual(['a watch tells 1 s too early that watcherRefund ended', 'a watch refunds 1 s too early']);
    });

    it('holds a claim to the same clock', () => {
      const claimed = watched(blind);
      const soon = (clock: number) =>
        told(claimed, (records, clocks) => {
          attempt(records, 'claim').at = (START + 7000) * 1000;
          clocks.fill(START + clock);
        });
      expect(soon(7800)).toEqual([]);
      expect(soon(7799)).toEqual(['a watch claims 1 s too early']);
    });
  });

  it('finds nothing if a taker that was away past its lock finds a watcher only then', () => {
    const late = watched(
      conductOf('maker', { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null }),
      crashAt('taker', { at: 28, when: 'before', downFor: 7750 }),
    );
    const { records } = watchOf(late);
    expect((records[0]?.at ?? 0) / 1000).toBeGreaterThan(1_700_000_000 + 7800);
    expect(records[1]?.type).toBe('TakerFeeValidated');
    expect(told(late, () => {})).toEqual([]);
  });
});
