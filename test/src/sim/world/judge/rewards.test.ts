import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { Seconds } from '../../../../../src/primitives/time.ts';
import type { Command } from '../../../../../src/runtime/command.ts';
import type { SeenTransaction, SimLedger } from '../../../../../src/sim/chains/types.ts';
import { runWorld } from '../../../../../src/sim/world/advance.ts';
import { conductOf, type ScenarioChange, scenario } from '../../../../../src/sim/world/build.ts';
import { hasReward, rewardsOn } from '../../../../../src/sim/world/judge/rewards.ts';
import { createJudge, type Violation } from '../../../../../src/sim/world/judge.ts';
import { type Behaviour, SOUND } from '../../../../../src/sim/world/node.ts';
import {
  type ChainPlan,
  calmScenario,
  type Scenario,
  soundWatcher,
  type WatcherPlan,
} from '../../../../../src/sim/world/scenario.ts';
import { createWorld, type World, type WorldOptions } from '../../../../../src/sim/world/world.ts';

const ACCOUNTS = { kind: 'account', rewards: true } as const;
const plan = (changes: Partial<ChainPlan>): ChainPlan => ({ ...calmScenario().chains.maker, ...changes });
const ETHER = plan({ ...ACCOUNTS, coin: 'ETH', decimals: 18, feeRate: 7e9 });
const SMALL = plan({ ...ACCOUNTS, coin: 'BNB', decimals: 8, feeRate: 3, blockTime: 75, finality: 2 });
const OUTPUTS = plan({ coin: 'DOC', blockTime: 90, finality: 4, feeRate: 2 });

const PAIRS = {
  'accounts for accounts': { maker: ETHER, taker: SMALL },
  'accounts for outputs': { maker: SMALL, taker: OUTPUTS },
  'outputs for accounts': { maker: OUTPUTS, taker: ETHER },
};
type Pair = keyof typeof PAIRS;

/** For 70,000 gas. */
const REWARD = { ETH: 490_000_000_000_000n, BNB: 210_000n };

const away = (party: 'maker' | 'taker', after: string, backAfter: Seconds | null): ScenarioChange =>
  conductOf(party, { kind: 'vanish', after, backAfter });

/** Longer than a run. */
const VERY_LONG: Seconds = 60_000;

const WAYS = {
  calm: [],
  'the claim is left': [away('taker', 'TakerPaymentSpent', VERY_LONG)],
  'the refund is left': [
    away('maker', 'TakerPaymentReceived', 20_000),
    away('taker', 'TakerPaymentWaitForSpendFailed', 40_000),
  ],
} as const;

const WATCHERS: Readonly<Record<string, WatcherPlan>> = {
  'in time': soundWatcher(),
  late: { ...soundWatcher(), late: 2000 },
  absent: { ...soundWatcher(), absent: true },
  raced: { ...soundWatcher(), greedy: true },
};

function play(given: Scenario, options: WorldOptions = {}) {
  const judge = createJudge();
  const world = createWorld(given, { ...options, observer: judge.observer });
  runWorld(world);
  return { world, judge: (seen: World = world) => judge.conclude(seen) };
}

function planned(pair: Pair, watcher: WatcherPlan | null, ...changes: readonly (ScenarioChange | Partial<Scenario>)[]) {
  return scenario({ chains: PAIRS[pair], useWatchers: true, watcher }, ...changes);
}

const bookOf = ({ chains }: World): readonly string[] =>
  (['maker', 'taker'] as const).flatMap((leg) =>
    rewardsOn(chains[leg].ledger).map(({ promise, end, has }) => {
      const to = `${promise.target}${promise.onClaim ? '+' : ''}`;
      return `${leg} ${to} ${promise.amount}: ${end?.how} by ${end?.caller} pays ${has}`;
    }),
  );

describe('rewards in a simulated world', () => {
  // By the table of the swap contract.
  it.each([
    [0, false, 'nobody', 'payer'],
    [0, true, 'caller', 'payer'],
    [1, false, 'nobody', 'caller'],
    [1, true, 'caller', 'caller'],
    [2, false, 'payer', 'caller'],
    [3, false, 'caller', 'caller'],
  ])('target %d, sent on a claim %s: a claim pays %s and a refund %s', (target, onClaim, onClaims, onRefunds) => {
    const who = (how: 'claim' | 'refund') =>
      hasReward({ target, onClaim }, { payer: 'payer', end: { how, caller: 'caller' } }) ?? 'nobody';
    expect([who('claim'), who('refund')]).toEqual([onClaims, onRefunds]);
    expect(hasReward({ target, onClaim }, { payer: 'payer', end: null })).toBeNull();
  });

  const cells = (Object.keys(PAIRS) as Pair[]).flatMap((pair) =>
    (Object.keys(WAYS) as (keyof typeof WAYS)[]).flatMap((way) =>
      Object.keys(WATCHERS).map((watcher) => [pair, way, watcher] as const),
    ),
  );

  it.each(cells)('R18: %s, %s, watcher %s', (pair, way, watcher) => {
    const { world, judge } = play(planned(pair, WATCHERS[watcher] ?? null, ...WAYS[way]));
    expect(judge().violations).toEqual([]);
    const { maker, taker } = PAIRS[pair];
    const caller = watcher === 'raced' ? 'grabber' : watcher === 'absent' ? 'taker' : 'watcher';
    const claimed = way === 'calm' ? (watcher === 'raced' ? 'grabber' : 'taker') : caller;
    const ofMaker = REWARD[maker.coin as keyof typeof REWARD];
    const ofTaker = REWARD[taker.coin as keyof typeof REWARD];
    const spender = taker.rewards === true ? '0+' : '3';
    const target = maker.rewards === true ? 1 : 2;
    const isLeft = way === 'the claim is left' && watcher === 'absent';
    const claim = isLeft ? 'undefined by undefined pays null' : `claim by ${claimed} pays ${claimed}`;
    const back = spender === '3' && watcher === 'raced' ? 'grabber' : 'maker';
    const books =
      way === 'the refund is left'
        ? [`refund by ${back} pays ${back}`, `refund by ${caller} pays ${caller}`]
        : [claim, `claim by maker pays ${target === 2 ? 'taker' : null}`];
    const expected = [
      ...(maker.rewards === true ? [`maker ${spender} ${ofMaker}: ${books[0]}`] : []),
      ...(taker.rewards === true ? [`taker ${target} ${ofTaker}: ${books[1]}`] : []),
    ];
    expect(bookOf(world)).toEqual(expected);
  });

  it('is promised by nobody if nobody wants watchers', () => {
    const { world, judge } = play(planned('accounts for accounts', null, { useWatchers: false }));
    expect([judge().violations, bookOf(world)]).toEqual([[], []]);
  });
});

/** The sound engine, but for what it asks of its wallet when it pays. */
function paying(change: (reward: DecimalText | null | undefined) => DecimalText | null | undefined): Behaviour {
  return deciding((command) => {
    if (command.kind !== 'ask' || command.question.op !== 'prepare') return command;
    const { request } = command.question;
    if (request.purpose !== 'payment') return command;
    const { reward: before, ...rest } = request;
    const reward = change(before);
    const asked = reward === undefined ? rest : { ...rest, reward };
    return { ...command, question: { op: 'prepare', request: asked } };
  });
}

function deciding(change: (command: Command) => Command): Behaviour {
  return { ...SOUND, decide: (runner, now, node) => change(SOUND.decide(runner, now, node)) };
}

/** Asks the maker for another reward. */
const asking = (asked: DecimalText): Behaviour =>
  deciding((command) =>
    command.kind === 'send' && command.message.kind === 'takerFee'
      ? { ...command, message: { ...command.message, instructions: { WatcherReward: asked } } }
      : command,
  );

const told = (violations: readonly Violation[]) =>
  violations.map(({ rule, party, text }) => `${rule} ${party}: ${text.replace(/payment [0-9a-f]{12} /, 'payment … ')}`);

describe('a judge of rewards', () => {
  const AA = planned('accounts for accounts', soundWatcher());

  it.each([
    [
      'a maker that promises twice what it was asked for',
      { maker: paying((reward) => (reward == null ? reward : ('0.00098' as DecimalText))) },
      'R18 maker: the payment … promises 980000000000000 where 490000000000000 are due',
    ],
    [
      'a maker that promises nothing where it was asked to',
      { maker: paying(() => undefined) },
      'R18 maker: the payment … promises nothing where 490000000000000 were asked for',
    ],
    [
      'a taker that promises nothing where watchers can claim for it',
      { taker: paying(() => undefined) },
      'R18 taker: the payment … promises nothing though watchers can claim for its payer',
    ],
    [
      'a taker that promises half of what a reward is',
      { taker: paying(() => '0.000001' as DecimalText) },
      'R18 taker: the payment … promises 105000 where 210000 are due',
    ],
    [
      'a taker that asks for a base unit more',
      { taker: asking('0.000490000000000001' as DecimalText) },
      'R18 taker: a reward of 490000000000001 is asked for where 490000000000000 is usual',
    ],
  ])('R18: notices %s', (_, behaviours, text) => {
    expect(told(play(AA, { behaviours }).judge().violations)).toContain(text);
  });

  it('R18: notices a reward that nobody asked for, and one beside a plain payment of the maker', () => {
    const unwatched = { ...AA, useWatchers: false, watcher: null };
    const free = { maker: paying(() => null) };
    expect(told(play(unwatched, { behaviours: free }).judge().violations)).toContain(
      'R18 maker: the payment … promises a reward though nobody wants watchers',
    );
    const beside = { maker: paying(() => undefined), taker: paying(() => null) };
    expect(told(play(AA, { behaviours: beside }).judge().violations)).toContain(
      'R18 taker: the payment … promises a reward though nobody can claim for its payer',
    );
  });

  it('R18: finds no promise of a taker beside a plain payment of the maker, and nothing else wrong there', () => {
    const { world, judge } = play(AA, { behaviours: { maker: paying(() => undefined) } });
    expect(told(judge().violations).filter((text) => !text.startsWith('R18 maker:'))).toEqual([]);
    expect(bookOf(world)).toEqual([]);
    expect(world.chains.taker.ledger.transactions('taker').some(({ purpose }) => purpose === 'payment')).toBe(true);
  });

  /** What the judge says of the same run where one chain's ledger tells something else. */
  function retold(leg: 'maker' | 'taker', change: (ledger: SimLedger) => Partial<SimLedger>) {
    const { world, judge } = play(planned('accounts for accounts', soundWatcher(), ...WAYS['the claim is left']));
    const chain = world.chains[leg];
    const changed = { ...chain, ledger: { ...chain.ledger, ...change(chain.ledger) } };
    return told(judge({ ...world, chains: { ...world.chains, [leg]: changed } }).violations);
  }

  const moved =
    (name: string, units: bigint) =>
    (ledger: SimLedger): Partial<SimLedger> => ({
      balance: (party) => {
        const { confirmed, pending } = ledger.balance(party);
        return { confirmed: confirmed + (party === name ? units : 0n), pending };
      },
    });
  const calls = (
    ledger: SimLedger,
    change: (seen: readonly SeenTransaction[]) => readonly SeenTransaction[],
  ): Partial<SimLedger> => ({
    transactions: (party) => change(ledger.transactions(party)),
  });

  it.each([
    ['a watcher that has one base unit more than it was promised', moved('watcher', 1n), /^R18 maker: the watcher has/],
    ['a watcher that was not paid', moved('watcher', -REWARD.ETH), /^R18 maker: the watcher has/],
    ['a maker that paid a base unit more than its promise', moved('maker', -1n), /^R7 maker: the wallet holds/],
  ])('R18: notices %s', (_, change, text) => {
    expect(retold('maker', change)).toContainEqual(expect.stringMatching(text));
    expect(retold('maker', () => ({}))).toEqual([]);
  });

  it('R18: notices a taker that claims for itself and has no reward for it', () => {
    const { world, judge } = play(AA);
    const { maker } = world.chains;
    const ledger = { ...maker.ledger, ...moved('taker', -REWARD.ETH)(maker.ledger) };
    expect(judge().violations).toEqual([]);
    expect(
      told(judge({ ...world, chains: { ...world.chains, maker: { ...maker, ledger } } }).violations),
    ).toContainEqual(expect.stringMatching(/^R7 taker: the wallet holds/));
  });

  it('R18: notices a payment that ends twice', () => {
    const twice = (ledger: SimLedger) =>
      calls(ledger, (seen) => seen.flatMap((one) => (one.purpose === 'claim' ? [one, one] : [one])));
    expect(retold('maker', twice)).toContainEqual(expect.stringMatching(/^R18 maker: 2 calls ended the payment/));
  });
});
