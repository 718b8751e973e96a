import type { Side } from '../swap-pair.ts';
import { LEGS, type Letter, type Pair } from './cells.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

export type KillCell = {
  readonly pair: Pair;
  readonly scenario: Scenario;
  readonly victim: Side;
  readonly title: string;
  /** Every so manyth of what the victim comes by is a moment, from this one on; one alone is the last of its name. */
  readonly moments: { readonly part: number; readonly parts: number } | { readonly named: string };
};

/** With the embedded chain on the other side, and of both families with each other. */
const PAIRS = ['CE', 'EC', 'KE', 'EK', 'CK', 'KC'] as const;
const SUCCESS = 'both swap';
/** Who is there to be killed on which path. */
const PATHS: Readonly<Record<string, readonly Side[]>> = {
  [SUCCESS]: ['maker', 'taker'],
  'the maker vanishes when both paid': ['taker'],
  'the taker vanishes before it pays': ['maker'],
};

const CELLS: readonly Omit<KillCell, 'moments'>[] = PAIRS.flatMap((name) =>
  SCENARIOS.flatMap((scenario) =>
    (PATHS[scenario.name] ?? []).map((victim) => ({
      ...{ scenario, victim, pair: pairOf(name) },
      title: `${name}: ${scenario.name}, killed: ${victim}`,
    })),
  ),
);

/** Where money is on its way, and the log does not say so yet, or says so alone. */
const SAMPLED: readonly (readonly [title: string, named: string])[] = [
  ['EC: both swap, killed: taker', 'broadcast of NYAN, after'],
  ['KE: both swap, killed: maker', 'broadcast of QTOK, after'],
];

const SHARE = /^(\d+)\/(\d+)$/;

/**
 * `all`, or those of whose titles each part of the text, divided by commas, is a part; alternatives are divided by `|`. A part such as `2/3` plays every third
 * moment, from the second on. Without a text the sample.
 */
export function crossKillCells(wanted: string | undefined): readonly KillCell[] {
  if (wanted === undefined || wanted === '')
    return SAMPLED.map(([title, named]) => {
      const cell = CELLS.find((each) => each.title === title);
      if (cell === undefined) throw new Error(`no cell ${title}`);
      return { ...cell, moments: { named } };
    });
  const texts = wanted.split(',');
  const [, part = '1', parts = '1'] = texts.map((text) => SHARE.exec(text)).find((found) => found !== null) ?? [];
  const names = texts.filter((text) => !SHARE.test(text) && text !== 'all');
  return CELLS.filter(({ title }) => names.every((text) => text.split('|').some((one) => title.includes(one)))).map(
    (cell) => ({ ...cell, moments: { part: Number(part), parts: Number(parts) } }),
  );
}

/** The places, from 1, of those that a run without a kill came by. */
export function momentsOf({ moments }: KillCell, passed: readonly string[]): readonly number[] {
  if ('named' in moments) {
    const place = passed.lastIndexOf(moments.named);
    if (place < 0) throw new Error(`no ${moments.named} among ${passed.join('; ')}`);
    return [place + 1];
  }
  return passed.flatMap((_, place) => (place % moments.parts === moments.part - 1 ? [place + 1] : []));
}

function pairOf(name: string): Pair {
  const [maker, taker] = [...name] as [Letter, Letter];
  if (LEGS[maker] === undefined || LEGS[taker] === undefined) throw new Error(`no pair ${name}`);
  return { maker, taker };
}
