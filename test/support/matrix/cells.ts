import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { ACCOUNT_BACKENDS, type Backend, OUTPUT_BACKENDS, type Pair } from './world.ts';

export type Cell = { readonly title: string; readonly pair: Pair; readonly scenario: Scenario };

const pairsOf = (makers: readonly Backend[], takers: readonly Backend[]): readonly Pair[] =>
  makers.flatMap((maker) => takers.map((taker) => ({ maker, taker })));
const OTHERS: readonly Backend[] = ['E', 'L'];
const USUAL_ACCOUNTS: readonly Backend[] = ['A', 'T'];
const TOKENS: readonly Backend[] = ['T', 'U', 'S'];
const PAIRS: readonly Pair[] = [
  ...pairsOf(OUTPUT_BACKENDS, OUTPUT_BACKENDS),
  ...pairsOf(USUAL_ACCOUNTS, [...OTHERS, ...USUAL_ACCOUNTS]),
  ...pairsOf(OTHERS, USUAL_ACCOUNTS),
  // Tokens of other manners, in each role once beside a chain of outputs, ether, and other tokens.
  { maker: 'U', taker: 'E' },
  { maker: 'L', taker: 'U' },
  { maker: 'A', taker: 'U' },
  { maker: 'U', taker: 'T' },
  // Both coins of one chain, with one account for both.
  { maker: 'A', taker: 'S' },
  { maker: 'S', taker: 'A' },
];

/** Whether either coin is on a chain with accounts. */
export function hasAccounts({ maker, taker }: Pair): boolean {
  return ACCOUNT_BACKENDS.includes(maker) || ACCOUNT_BACKENDS.includes(taker);
}

/** Pairs with accounts on which somebody acts for a party, and is paid for it: of ether, usual tokens, and outputs. */
function paysWatchers({ maker, taker }: Pair): boolean {
  return [maker, taker].every((backend) => USUAL_ACCOUNTS.includes(backend) || OTHERS.includes(backend));
}

/**
 * Every node of them replaces, none tells a floor of relay, and none is one of two servers. What is dear for one coin
 * of a chain is so for the other one, and the first claim of all waits for another day.
 */
function suits(pair: Pair, { watched, replaces = true, steps, needs, minutes = 0 }: Scenario): boolean {
  if (needs !== undefined && !(needs.token ? TOKENS : ACCOUNT_BACKENDS).includes(pair[needs.leg])) return false;
  if (!hasAccounts(pair)) return true;
  const isOne = pair.maker === 'S' || pair.taker === 'S';
  const isForeign = steps.some(({ deeds }) =>
    deeds.some(
      (deed) =>
        deed.do === 'floor' ||
        deed.do === 'halve' ||
        (deed.do === 'dear' && isOne && deed.minutes > minutes && minutes > 0),
    ),
  );
  return (watched !== true || paysWatchers(pair)) && replaces && !isForeign;
}

/** On every pair on which each of them means something. */
export function cellsWith(scenarios: readonly Scenario[]): readonly Cell[] {
  return scenarios.flatMap((scenario) =>
    PAIRS.filter((pair) => suits(pair, scenario)).map((pair) => ({
      title: `${pair.maker}${pair.taker}: ${scenario.name}`,
      pair,
      scenario,
    })),
  );
}

export const ALL: readonly Cell[] = cellsWith(SCENARIOS);

/**
 * Which cells are played: `all`, or those of which each part of the text, divided by commas, names a pair (`EQ`), or is in the name of the scenario,
 * its path, or how it may end (`maker claimed`); alternatives are divided by `|`. Without a text the sample.
 */
export function cellsOf(wanted: string | undefined): readonly Cell[] {
  if (wanted === undefined || wanted === '') return SAMPLE;
  if (wanted === 'all') return ALL;
  const parts = wanted.split(',');
  return ALL.filter(({ pair, scenario }) => {
    const ends = scenario.ends.map(({ maker }) => `maker ${maker}`);
    const texts = [`${pair.maker}${pair.taker}`, scenario.name, scenario.path, ...ends];
    return parts.every((part) => part.split('|').some((one) => texts.some((text) => text.includes(one))));
  });
}

/** Each backend in each role, and each path once that no other suite plays on real adapters. */
const SAMPLED: readonly (readonly [pair: string, scenario: string])[] = [
  ['EQ', 'both sides swap'],
  ['LE', 'the taker sends a fee that is too low'],
  ['QE', 'the maker cheats with the lock of its payment'],
  ['EE', 'the maker uses a secret for a second swap'],
  ['EL', 'two swaps of the same wallets'],
  ['LL', 'the maker vanishes when it is paid, and is back in time'],
  ['LE', 'the maker vanishes when it is paid, and is back late'],
  ['EL', 'the taker vanishes when the secret is out, and is back in time'],
  ['LE', 'a reorganisation of depth 1 at makerPaymentMined'],
  ['EQ', 'a reorganisation of depth 3 at takerPaymentMined'],
  ['EL', 'a reorganisation of depth 2 at takerPaymentTakenMined'],
  ['QE', 'a reorganisation of depth 3 at makerPaymentTakenMined'],
  ['LE', 'no miner takes a cheap claim, replacement on'],
  ['LE', 'no miner takes a cheap claim, and its node forgets it with its children, replacement off'],
  ['EL', 'no node takes a cheap payment of the taker, or a cheap claim of it'],
  ['EL', 'the node of the taker coin is out of reach for 20 minutes'],
  ['QL', 'the node of the maker coin starts again and has forgotten a payment'],
  ['LE', 'the node of the maker coin answers in two seconds'],
  ['EE', 'the clock of the taker coin stands still for an hour'],
  ['QQ', 'the host clock of the taker is set back by a day'],
  ['AE', 'both sides swap'],
  ['ET', 'the maker vanishes when it is paid, and is back late'],
  ['TA', 'a reorganisation of depth 2 at takerPaymentTakenMined'],
  ['AT', 'the node of the maker coin starts again and has forgotten a payment'],
  ['AT', 'a watcher claims for a taker that is gone'],
  ['EA', 'a watcher refunds for a taker that is gone'],
];

const SAMPLE: readonly Cell[] = SAMPLED.map(([pair, name]) => {
  const cell = ALL.find(({ title }) => title === `${pair}: ${name}`);
  if (cell === undefined) throw new Error(`no cell ${pair}: ${name}`);
  return cell;
});
