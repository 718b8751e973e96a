import type { Side } from '../swap-pair.ts';
import { IRIS } from '../tendermint/adapter-chain.ts';
import type { Leg } from './leg.ts';
import { embeddedLeg, evmTokenLeg, litecoinLeg, qtumTokenLeg, tendermintLeg } from './legs.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** Our chain by its daemon, Litecoin Core, a QRC20 token, a coin of a Tendermint chain, and tokens of an EVM chain with 6 and with 18 digits. */
export type Letter = 'E' | 'L' | 'K' | 'C' | 'T' | 'U';

export const LEGS: Readonly<Record<Letter, (from: number) => Promise<Leg>>> = {
  E: embeddedLeg,
  L: litecoinLeg,
  K: qtumTokenLeg,
  C: tendermintLeg({ kind: IRIS, blockTime: 5, depth: 1 }),
  T: evmTokenLeg({ coin: 'USDX', decimals: 6, amount: '2.000007' }),
  U: evmTokenLeg({ coin: 'DAIX', decimals: 18, amount: '3.000000000000000011' }),
};

export type Pair = Readonly<Record<Side, Letter>>;
export type Cell = { readonly pair: Pair; readonly scenario: Scenario; readonly title: string };

const PAIRS = ['KL', 'LK', 'KC', 'CK', 'CL', 'LC', 'CT', 'TC', 'CU', 'UC', 'KE', 'EK', 'KT', 'UK'] as const;

function pairOf(name: string): Pair {
  const [maker, taker] = [...name] as [Letter, Letter];
  return { maker, taker };
}

export const ALL: readonly Cell[] = PAIRS.flatMap((name) =>
  SCENARIOS.map((scenario) => ({ pair: pairOf(name), scenario, title: `${name}: ${scenario.name}` })),
);

/** What no other suite plays of it, once. */
const SAMPLED: readonly string[] = [
  'LK: the taker is killed when it has paid, and resumes',
  'CT: both are started again after each event',
];

/** `all`, or those of whose titles each part of the text, divided by commas, is a part; without a text the sample. */
export function cellsOf(wanted: string | undefined): readonly Cell[] {
  if (wanted === 'all') return ALL;
  if (wanted !== undefined && wanted !== '')
    return ALL.filter(({ title }) =>
      wanted.split(',').every((part) => part.split('|').some((one) => title.includes(one))),
    );
  const found = ALL.filter(({ title }) => SAMPLED.includes(title));
  if (found.length !== SAMPLED.length) throw new Error('a cell of the sample is none');
  return found;
}
