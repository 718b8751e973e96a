import { journalTypes } from '../../events/journal.ts';
import { DEFAULT_RUNTIME_POLICY } from '../../runtime/runtime-policy.ts';
import {
  byKind,
  type Check,
  called,
  flag,
  given,
  listOf,
  numberOf,
  objectOf,
  oneOf,
  optionsOf,
  orNull,
  refuse,
  textOf,
} from '../shape-check.ts';
import {
  amount,
  checkHorizon,
  count,
  crashes,
  endsLater,
  eventType,
  feeRate,
  fromOne,
  kindOf,
  latency,
  networkFault,
  nodeFault,
  perMille,
  purposes,
  seconds,
  storageFaults,
} from '../world/plan-checks.ts';
import type { Market, MarketCoin } from './scenario.ts';

// A market is plain data, like a scenario: a name that nobody has would be a swap or a fault that never happens.

const clock = numberOf({ unit: 'seconds' });
const onBoth = (check: Check): Check => objectOf({ maker: check, taker: check });
const name = textOf('a name', (text) => text !== '');

/** An object with any names, whose members all have one form. */
const each =
  (check: Check): Check =>
  (value, at) => {
    given(value, at);
    for (const [key, member] of Object.entries(value as object)) check(member, `${at}.${key}`);
  };

const coinShape = {
  coin: name,
  kind: oneOf('utxo', 'account', 'autoRefund'),
  blockTime: fromOne,
  nominalBlockTime: fromOne,
  finality: fromOne,
  decimals: numberOf({ from: 0, to: 18, whole: true }),
  feeRate,
  notariseEvery: orNull(fromOne),
  faults: listOf(networkFault),
  blockClock: ((value, at) =>
    (typeof value === 'object' ? objectOf({ ahead: seconds }) : blockClock)(value, at)) as Check,
};
const coin = objectOf(coinShape, { rewards: flag }, paysRewards);
const blockClock = oneOf('true', 'least');

/** Only the swap contract has rewards. */
function paysRewards(value: object, at: string): void {
  const { rewards, kind } = value as MarketCoin;
  if (rewards === true && kind !== 'account')
    refuse(`${at}.rewards`, rewards, 'false on a chain of another kind than account');
}

const journalType = (value: unknown): boolean => journalTypes.some((type) => type === value);

const conduct = byKind({
  honest: objectOf(kindOf('honest')),
  oneSecret: objectOf(kindOf('oneSecret')),
  oneFee: objectOf(kindOf('oneFee')),
  nearly: objectOf({ ...kindOf('nearly'), member: oneOf('amount', 'lock'), by: fromOne }),
  replacer: objectOf({ ...kindOf('replacer'), after: seconds }),
  withholder: objectOf({ ...kindOf('withholder'), purposes, for: seconds }),
  lastSecond: objectOf({ ...kindOf('lastSecond'), margin: clock }),
  grabber: objectOf(kindOf('grabber')),
  rewriter: objectOf({ ...kindOf('rewriter'), depth: fromOne }),
  deserter: objectOf({
    ...kindOf('deserter'),
    after: (value, at) => (journalType(value) ? undefined : eventType(value, at)),
  }),
  gossip: objectOf(kindOf('gossip')),
  watchedTwice: objectOf(kindOf('watchedTwice')),
  repeater: objectOf({ ...kindOf('repeater'), after: seconds }),
  raker: objectOf(kindOf('raker')),
});

const policy = optionsOf(
  Object.fromEntries(
    Object.entries(DEFAULT_RUNTIME_POLICY).map(([key, value]) => [
      key,
      typeof value === 'number' ? numberOf({ from: 0 }) : given,
    ]),
  ),
);

const user = objectOf({
  looksEvery: orNull(fromOne),
  mistakes: listOf(
    objectOf({ at: seconds, swap: count, kind: oneOf('usedSecret', 'oneCoin', 'ownKey', 'confirmations') }),
  ),
  allowances: listOf(objectOf({ at: seconds, swap: count, leg: oneOf('maker', 'taker'), most: amount })),
});

const party = objectOf(
  {
    name,
    conduct,
    skew: clock,
    jumps: listOf(objectOf({ at: seconds, by: clock })),
    funds: each(objectOf({ amount, coins: fromOne })),
    keyPerSwap: flag,
    feeds: flag,
    watches: flag,
    nodes: each(listOf(nodeFault)),
    latency: each(latency),
    crashes,
    storage: storageFaults,
    orders: listOf(
      objectOf({ at: seconds, swap: count, action: oneOf('pause', 'resume', 'retry', 'recover', 'cancelRecovery') }),
    ),
    policy,
    user,
    promisedLog: flag,
  },
  { completeFeeds: flag, tellsElapsed: flag },
);

const swap = objectOf({
  maker: name,
  taker: name,
  makerCoin: name,
  takerCoin: name,
  makerAmount: amount,
  takerAmount: amount,
  confirmations: onBoth(count),
  requiresNota: onBoth(flag),
  lockDuration: fromOne,
  useWatchers: flag,
  at: seconds,
  takerLater: seconds,
});

const onChain = { at: seconds, coin: name };

const marketCheck = objectOf({
  seed: count,
  coins: listOf(coin),
  parties: listOf(party),
  swaps: listOf(swap),
  network: objectOf({ latency, lossPerMille: perMille, duplicatePerMille: perMille }),
  partitions: listOf(objectOf({ from: seconds, until: seconds, group: listOf(name) }, {}, endsLater)),
  chainEvents: listOf(
    byKind({
      reorg: objectOf({ ...kindOf('reorg'), ...onChain, depth: fromOne, drop: flag }),
      dropMempool: objectOf({ ...kindOf('dropMempool'), ...onChain }),
    }),
  ),
  horizon: fromOne,
});

/**
 * Returns a value that is a complete market, without unknown members, whose swaps name its own coins and parties.
 *
 * @throws MemberTypeError for a member that is unknown, missing, or of the wrong type; MemberValueError for a value out of bounds, and for the name
 * of a coin or a party that the market does not have. Each names the member, what it is, and what is allowed.
 *
 * @example
 * ```ts
 * import { calmCoin, calmMarket, checkMarket } from 'swapfold/testing';
 *
 * const market = calmMarket();
 * checkMarket(JSON.parse(JSON.stringify(market))); // → market
 * checkMarket(calmMarket({ coins: [calmCoin('DOC')] })); // throws MemberValueError
 * checkMarket(calmMarket({ horizon: -1 })); // throws MemberValueError
 * ```
 */
export function checkMarket(value: unknown): Market {
  marketCheck(value, 'market');
  const market = value as Market;
  const coins = namesOf(
    market.coins.map((plan) => plan.coin),
    'market.coins',
  );
  const parties = namesOf(
    market.parties.map((plan) => plan.name),
    'market.parties',
  );
  const coinName = oneOf(...coins);
  const partyName = oneOf(...parties);
  for (const [index, plan] of market.swaps.entries()) {
    const at = `market.swaps[${index}]`;
    coinName(plan.makerCoin, `${at}.makerCoin`);
    coinName(plan.takerCoin, `${at}.takerCoin`);
    partyName(plan.maker, `${at}.maker`);
    oneOf(...parties.filter((other) => other !== plan.maker))(plan.taker, `${at}.taker`);
  }
  for (const [index, plan] of market.parties.entries()) checkParty(plan, `market.parties[${index}]`, market);
  for (const [index, event] of market.chainEvents.entries()) coinName(event.coin, `market.chainEvents[${index}].coin`);
  for (const [index, { group }] of market.partitions.entries())
    for (const [place, one] of group.entries()) partyName(one, `market.partitions[${index}].group[${place}]`);
  for (const plan of market.coins)
    checkHorizon(market.horizon, { at: 'market.horizon', chain: plan.coin, blockTime: plan.blockTime });
  return market;
}

function checkParty(plan: Market['parties'][number], at: string, { coins, swaps }: Market): void {
  const coinName = oneOf(...coins.map((one) => one.coin));
  for (const member of ['funds', 'nodes', 'latency'] as const)
    for (const ticker of Object.keys(plan[member])) coinName(ticker, `the name of a member of ${at}.${member}`);
  const { orders, user: asks } = plan;
  const place = numberOf({ from: 0, to: swaps.length - 1, whole: true });
  const named = { orders, 'user.mistakes': asks.mistakes, 'user.allowances': asks.allowances };
  for (const [member, list] of Object.entries(named))
    for (const [index, one] of list.entries()) place(one.swap, `${at}.${member}[${index}].swap`);
}

function namesOf(names: readonly string[], at: string): readonly string[] {
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) refuse(at, names, `each name once; ${twice} is there twice`);
  return names;
}

const optionsCheck = optionsOf({ tamper: called });
const generateShape = { adversaries: flag, trouble: flag };
const generateCheck = optionsOf(generateShape);
const simulateCheck = objectOf({ seed: count, runs: count }, { generate: generateCheck, onProgress: called });

/** @throws MemberTypeError, MemberValueError for an unknown option, or one that makes no sense. */
export function checkMarketOptions(options: object): void {
  optionsCheck(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkMarketOptions}. */
export function checkMarketDrawing(seed: number, options: object): void {
  count(seed, 'seed');
  generateCheck(options, 'options');
}

/** @throws MemberTypeError, MemberValueError as {@link checkMarketOptions}. */
export function checkMarketSimulation(options: object): void {
  simulateCheck(options, 'options');
}
