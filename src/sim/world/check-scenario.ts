import { type DecimalText, fromBaseUnits, isDecimalText } from '../../primitives/decimal.ts';
import { byKind, type Check, flag, listOf, numberOf, objectOf, oneOf, orNull, refuse, textOf } from '../shape-check.ts';
import { unitsOf } from './depths.ts';
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
  seconds,
  storageFaults,
} from './plan-checks.ts';
import { type ChainPlan, LIE_TOPICS, type Scenario, uniformScenario } from './scenario.ts';
import { MOST_DECIMALS, MOST_UNITS } from './script-amounts.ts';

// A scenario is plain data that people write by hand and store as JSON: an unknown member would be a fault that never
// happens.

const conduct = byKind({
  honest: objectOf(kindOf('honest')),
  vanish: objectOf({ ...kindOf('vanish'), after: eventType, backAfter: orNull(seconds) }),
  shortLock: objectOf({ ...kindOf('shortLock'), seconds, admit: flag }),
  underpay: objectOf(kindOf('underpay')),
  greedy: objectOf(kindOf('greedy')),
  liar: objectOf(kindOf('liar'), { about: oneOf(...LIE_TOPICS) }),
  pin: objectOf({
    ...kindOf('pin'),
    what: oneOf('payment', 'claim', 'refund'),
    children: numberOf({ from: 0, to: 24, whole: true }),
    seconds,
  }),
  replace: objectOf({ ...kindOf('replace'), after: seconds }),
  rewrite: objectOf({ ...kindOf('rewrite'), depth: fromOne }),
  race: objectOf(kindOf('race')),
  lastSecond: objectOf({ ...kindOf('lastSecond'), margin: numberOf({ unit: 'seconds' }) }),
  frontRun: objectOf(kindOf('frontRun')),
  custom: objectOf({
    ...kindOf('custom'),
    name: textOf('the name of one of the conducts given to the run', (text) => text !== ''),
  }),
});

const onBoth = (check: Check): Check => objectOf({ maker: check, taker: check });

const chain = objectOf(
  {
    kind: oneOf('utxo', 'account', 'autoRefund'),
    coin: textOf('a ticker', (text) => text !== ''),
    blockTime: fromOne,
    finality: fromOne,
    faults: listOf(networkFault),
  },
  {
    decimals: numberOf({ from: 0, to: 18, whole: true }),
    feeRate: orNull(feeRate),
    notariseEvery: orNull(fromOne),
    pace: numberOf({ from: 1, whole: true, unit: 'thousandths of the nominal time' }),
    startHeight: numberOf({ from: 11, whole: true }),
    rewards: flag,
  },
  paysRewards,
);

const timing = objectOf({
  confirmationPoll: fromOne,
  spendPoll: fromOne,
  refundPoll: fromOne,
  freshness: fromOne,
  bumpAfter: fromOne,
  dropAfter: fromOne,
});

const skew = numberOf({ unit: 'seconds' });

const steps = listOf(objectOf({ from: textOf('a decimal number as a text', isDecimalText), depth: fromOne }));

/** One depth, or steps. */
const finality: Check = (value, at) => (typeof value === 'number' ? fromOne : steps)(value, at);

const completeFeeds = onBoth(orNull(objectOf({ losesPerMille: perMille })));

const party = objectOf(
  {
    skew,
    crashes,
    storage: storageFaults,
    conduct,
    nodes: onBoth(listOf(nodeFault)),
  },
  {
    jumps: listOf(objectOf({ at: seconds, skew })),
    orders: listOf(objectOf({ at: seconds, action: oneOf('pause', 'resume', 'retry') })),
    funds: onBoth(orNull(amount)),
    keyPerSwap: flag,
    pushes: onBoth(flag),
    completeFeeds,
    timing: orNull(timing),
    finality: onBoth(orNull(finality)),
  },
);

const watcher = objectOf(
  { crashes },
  { completeFeeds, nodes: onBoth(listOf(nodeFault)), plain: flag, late: seconds, absent: flag, greedy: flag },
);

const onChain = { at: seconds, chain: oneOf('maker', 'taker') };

const partition = objectOf({ to: oneOf('maker', 'taker'), from: seconds, until: seconds }, {}, endsLater);

const scenarioCheck = objectOf(
  {
    seed: count,
    fidelity: oneOf('real', 'compact'),
    chains: onBoth(chain),
    makerAmount: amount,
    takerAmount: amount,
    lockDuration: fromOne,
    confirmations: onBoth(count),
    useWatchers: flag,
    watcher: orNull(watcher),
    parties: onBoth(party),
    network: objectOf(
      { latency, lossPerMille: perMille, duplicatePerMille: perMille },
      { partitions: listOf(partition) },
    ),
    chainEvents: listOf(
      byKind({
        reorg: objectOf({ ...kindOf('reorg'), ...onChain, depth: fromOne, drop: flag }),
        dropMempool: objectOf({ ...kindOf('dropMempool'), ...onChain }),
      }),
    ),
    horizon: fromOne,
  },
  { requiresNota: onBoth(flag), first: oneOf('maker', 'taker') },
  fitsScripts,
);

/** Only the swap contract has rewards. */
function paysRewards(value: object, at: string): void {
  const { rewards, kind } = value as ChainPlan;
  if (rewards === true && kind !== 'account')
    refuse(`${at}.rewards`, rewards, 'false on a chain of another kind than account');
}

/** An amount that outputs of a chain with scripts cannot hold would become another amount there. */
function fitsScripts(value: object, at: string): void {
  const { chains, makerAmount, takerAmount, parties } = value as Scenario;
  for (const leg of ['maker', 'taker'] as const) {
    const { kind, decimals = 8 } = chains[leg];
    if (kind !== 'utxo') continue;
    if (decimals > MOST_DECIMALS)
      refuse(`${at}.chains.${leg}.decimals`, decimals, `at most ${MOST_DECIMALS} on a chain of kind utxo`);
    const most = `at most ${fromBaseUnits(MOST_UNITS, decimals)} on a chain of kind utxo, whose amounts have 64 bits`;
    const fits = (text: DecimalText, place: string) => {
      if (unitsOf(text, decimals) > MOST_UNITS) refuse(place, text, most);
    };
    fits(leg === 'maker' ? makerAmount : takerAmount, `${at}.${leg}Amount`);
    for (const party of ['maker', 'taker'] as const) {
      const held = parties[party].funds?.[leg] ?? null;
      if (held !== null) fits(held, `${at}.parties.${party}.funds.${leg}`);
    }
  }
}

/**
 * Returns a value that is a complete scenario without unknown members. It adds what scenarios of earlier versions lack.
 *
 * @throws MemberTypeError, a TypeError, for a member that is unknown, missing, or of the wrong type.
 * @throws MemberValueError, a RangeError, for a value out of bounds. Each names the member, what it is, and what is allowed.
 *
 * @example
 * ```ts
 * import { calmScenario, checkScenario } from 'swapfold/testing';
 *
 * const stored = JSON.parse(JSON.stringify(calmScenario({ seed: 7 })));
 * checkScenario(stored).seed; // → 7
 * checkScenario({ ...stored, lockDuration: 0 }); // throws MemberValueError
 * checkScenario({ ...stored, lockTime: 7800 }); // throws MemberTypeError
 * ```
 */
export function checkScenario(value: unknown): Scenario {
  scenarioCheck(value, 'scenario');
  const scenario = uniformScenario(value as Scenario);
  checkLength(scenario);
  return scenario;
}

function checkLength({ chains, horizon }: Scenario): void {
  for (const chain of ['maker', 'taker'] as const) {
    const { blockTime, pace } = chains[chain];
    checkHorizon(horizon, { at: 'scenario.horizon', chain, blockTime: (blockTime * pace) / 1000 });
  }
}

const partyName = oneOf('maker', 'taker');

/** @throws RangeError unless it is the name of a party, or of a chain. */
export function checkName(name: unknown, of: 'party' | 'chain'): void {
  partyName(name, of);
}
