import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/events/decode-event.ts';
import { isJournalType, type JournalRecord } from '../../src/events/journal.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { millisOf, toUnixSeconds } from '../../src/primitives/time.ts';
import { type Explanation, explainSwap } from '../../src/replay/explain.ts';
import type { PaymentState } from '../../src/sim/chains/types.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { agreementOf } from '../../src/sim/world/judge/agreement.ts';
import { oldestLook, otherLeg, secondsOf, truthOf, wasMisled } from '../../src/sim/world/judge/truth.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { runOnce } from '../../src/sim/world/run-scenario.ts';
import type { ChainName } from '../../src/sim/world/scenario.ts';
import type { Stored } from '../../src/sim/world/told/story.ts';
import type { World } from '../../src/sim/world/world.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { draws } from '../support/draws.ts';

// Sentences over logs of simulated swaps, held against the ledgers of their chains at that moment. No engine and no verdict is asked.

/** Which swaps are told: the first forty (ten in `npm test`), or as many as `SWAPFOLD_PROSE` says (`100000`), or a part of them (`50001-100000`). */
const [, FIRST = '1', LAST = ''] =
  /^(?:(\d+)-)?(\d+)$/.exec(process.env['SWAPFOLD_PROSE'] ?? `${draws({ sample: 10, change: 40 })}`) ?? [];

/** Some 20 ms of one core each; a machine that does other work takes longer. */
const TIME_EACH = 1000;

type Truth = { readonly own: PaymentState; readonly other: PaymentState };

/** What a sentence states about the chains, and whether they deny it. */
type Rule = { readonly says: RegExp; readonly denied: (truth: Truth, role: ChainName) => boolean };

const isBack = ({ spend, fundings }: PaymentState): boolean => spend?.how === 'refund' || fundings.length === 0;

const RULES: readonly Rule[] = [
  { says: /^Nothing: the \w+ received /, denied: ({ other }) => other.spend?.how !== 'secret' },
  { says: /^Nothing: the \w+ got back /, denied: ({ own }) => !isBack(own) },
  { says: /: it is completed\.$/, denied: ({ other }) => other.spend?.how !== 'secret' },
  { says: /: the payment came back\.$/, denied: ({ own }) => !isBack(own) },
  {
    says: /: it failed before its own side had locked anything\.$/,
    denied: ({ own }) => own.fundings.length > 0 && own.spend === null,
  },
  {
    says: /^Nothing: no coins of the \w+ are locked/,
    denied: ({ own }) => own.fundings.length > 0 && own.spend === null,
  },
  {
    says: / Nothing of its own is locked/,
    denied: ({ own }) => own.fundings.length > 0 && own.spend === null,
  },
  {
    says: /^The maker spent the taker payment .* and has it\.$/,
    denied: (t, role) => paid(t, role, 'taker').spend?.how !== 'secret',
  },
  {
    says: /^The taker spent the maker payment .* and has it\.$/,
    denied: (t, role) => paid(t, role, 'maker').spend?.how !== 'secret',
  },
  { says: /^The refund of the taker payment .* is final\.$/, denied: (t, role) => !isBack(paid(t, role, 'taker')) },
  { says: /^The refund of the maker payment .* is final\.$/, denied: (t, role) => !isBack(paid(t, role, 'maker')) },
  {
    says: /^This log knows of no payment of the taker/,
    denied: (t, role) =>
      role === 'taker' && paid(t, role, 'taker').fundings.length > 0 && paid(t, role, 'taker').spend === null,
  },
  {
    says: /^This log knows of no payment of the maker/,
    denied: (t, role) =>
      role === 'maker' && paid(t, role, 'maker').fundings.length > 0 && paid(t, role, 'maker').spend === null,
  },
];

function paid({ own, other }: Truth, role: ChainName, leg: ChainName): PaymentState {
  return leg === role ? own : other;
}

const built = (role: ChainName): SwapLog => buildSwap({ role, path: ['Started'], seed: 'prose' });
const FRAMES = { maker: built('maker'), taker: built('taker') };

/** The log of a party so far, as a reader gets it. */
function logOf(node: SimNode, records: readonly Stored[]): SwapLog {
  const events: StoredEvent[] = [];
  const journal: JournalRecord[] = [];
  for (const { type, at, data } of records) {
    if (isJournalType(type)) journal.push({ before: events.length, at, type, data });
    else events.push({ type, at, data, known: true } as StoredEvent);
  }
  return { ...FRAMES[node.name], events, journal: { importedAt: null, records: journal } };
}

function sentencesOf({ headline, funds, advice, next }: Explanation): readonly string[] {
  return [headline, ...funds, ...advice, ...next];
}

type Told = { readonly said: ReadonlyMap<RegExp, number>; readonly problems: readonly string[] };

/** Tells a swap after each append of each party, and gives back what the chains deny. */
function toldRun(seed: number): Told {
  const records = new Map<SimNode['name'], Stored[]>();
  const said = new Map<RegExp, number>();
  const problems: string[] = [];
  const scenario = generateScenario(seed);
  const appended = (world: World, node: SimNode, added: readonly Stored[]): void => {
    const all = records.get(node.name) ?? [];
    all.push(...added);
    records.set(node.name, all);
    const agreement = agreementOf(world);
    if (agreement === null) return;
    const scene = { world, node, agreement };
    const since = secondsOf(world) - oldestLook(node);
    if (wasMisled(scene, 'maker', since) || wasMisled(scene, 'taker', since)) return;
    const truth = { own: truthOf(scene, node.name), other: truthOf(scene, otherLeg(node.name)) };
    const explained = explainSwap(logOf(node, all), { now: toUnixSeconds(millisOf(world.now)) });
    for (const sentence of sentencesOf(explained)) {
      for (const { says, denied } of RULES) {
        if (!says.test(sentence)) continue;
        said.set(says, (said.get(says) ?? 0) + 1);
        if (denied(truth, node.name)) problems.push(`seed ${seed}, ${node.name}, ${all.length} records: ${sentence}`);
      }
    }
  };
  const { result } = runOnce(scenario, { watch: { appended } });
  // Where the run gave up what a party may assume, as by blocks replaced beyond finality, its log may be deceived.
  return { said, problems: result.excused.length > 0 ? [] : problems };
}

describe('what is said of a simulated swap', () => {
  // Only the records of the engine hold the own payment yet.
  it.each([
    ["a taker's payment that was handed out", 7780],
    ["a maker's payment that was handed out", 12_767],
  ])('is not denied by its chains of %s', (_, seed) => {
    expect(toldRun(seed).problems).toEqual([]);
  });

  it(
    'is never denied by its chains at that moment',
    () => {
      const said = new Map<RegExp, number>();
      const problems: string[] = [];
      for (let seed = Number(FIRST); seed <= Number(LAST); seed += 1) {
        const told = toldRun(seed);
        for (const [says, count] of told.said) said.set(says, (said.get(says) ?? 0) + count);
        problems.push(...told.problems);
      }
      expect(problems).toEqual([]);
      // Fewer say less.
      if (Number(LAST) - Number(FIRST) < 39) return;
      const unsaid = RULES.filter(({ says }) => !said.has(says)).map(({ says }) => String(says));
      expect(unsaid).toEqual([]);
    },
    180_000 + TIME_EACH * (Number(LAST) - Number(FIRST)),
  );
});
