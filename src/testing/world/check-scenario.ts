import { catalog } from '../../events/catalog.ts';
import { type DecimalText, fromBaseUnits, isDecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { MAX_FEE_RATE } from '../chains/settings.ts';
import { unitsOf } from './depths.ts';
import { LIE_TOPICS, type Scenario, uniformScenario } from './scenario.ts';
import { MOST_DECIMALS, MOST_UNITS } from './script-amounts.ts';
import {
  byKind,
  type Check,
  flag,
  listOf,
  mistyped,
  nameOf,
  numberOf,
  objectOf,
  oneOf,
  orNull,
  refuse,
  type Shape,
  textOf,
} from './shape-check.ts';

// A scenario is plain data that people write by hand and store as JSON: what nobody reads would be a fault that never happens.

const seconds = numberOf({ from: 0, unit: 'seconds' });
const count = numberOf({ from: 0, whole: true });
const fromOne = numberOf({ from: 1, whole: true });
const perMille = numberOf({ from: 0, to: 1000, whole: true, unit: 'of a thousand messages' });
const amount = textOf('a decimal number above 0 as a text', (text) => isDecimalText(text) && toBigNumber(text).gt(0));
const kindOf = (name: string): Shape => ({ kind: oneOf(name) });

const eventTypes = [...new Set([...catalog.maker.keys(), ...catalog.taker.keys()])];
const eventType = nameOf('an event of a swap, such as MakerPaymentSent', eventTypes);

const crashes = listOf(objectOf({ at: fromOne, when: oneOf('before', 'after'), downFor: seconds }));

/** A fault with its stretch of time. */
function during(kind: string, members: Shape = {}, optional: Shape = {}) {
  return objectOf({ ...kindOf(kind), from: seconds, until: seconds, ...members }, optional, endsLater);
}

function endsLater({ from, until }: Readonly<Record<string, unknown>>, at: string): void {
  if (Number(until) <= Number(from))
    refuse(`${at}.until`, until, `a moment after ${at}.from, which is ${String(from)}`);
}

const purposes = listOf(oneOf('fee', 'payment', 'claim', 'refund', 'void', 'transfer'));
const view = { blocks: count, seconds };

const nodeFault = byKind({
  outage: during('outage'),
  flaky: during('flaky', { oneIn: fromOne }),
  lag: during('lag', {}, view),
  contradiction: during('contradiction', {}, view),
  shallow: during('shallow', { blocks: count }),
  slow: during('slow', { seconds }),
  lie: during(
    'lie',
    { says: oneOf('absent', 'present', 'confirmed', 'spendHidden', 'refundable') },
    { sender: textOf('a key in hex', (text) => /^[0-9a-f]+$/i.test(text)) },
  ),
  broadcast: during('broadcast', { effect: oneOf('lost', 'unanswered', 'refused') }, { oneIn: fromOne, purposes }),
});

const networkFault = byKind({
  feeSpike: during('feeSpike', { factor: numberOf({ from: 0 }) }),
  noReplacement: during('noReplacement', {}),
  warp: during('warp', { seconds: numberOf({ from: -7200, to: 7200, whole: true, unit: 'seconds' }) }),
  censor: during('censor', { purposes }),
  revert: during('revert', { purposes }, { oneIn: fromOne }),
});

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

const feeRate: Check = (value, at) => {
  const allowed = 'a number above 0 to 1000000000000 (base units)';
  if (typeof value !== 'number') mistyped(at, value, allowed);
  if (!(value > 0 && value <= MAX_FEE_RATE)) refuse(at, value, allowed);
};

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
  },
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

const party = objectOf(
  {
    skew,
    crashes,
    storage: listOf(objectOf({ at: fromOne, how: oneOf('lost', 'unanswered') })),
    conduct,
    nodes: onBoth(listOf(nodeFault)),
  },
  {
    jumps: listOf(objectOf({ at: seconds, skew })),
    orders: listOf(objectOf({ at: seconds, action: oneOf('pause', 'resume', 'retry') })),
    funds: onBoth(orNull(amount)),
    keyPerSwap: flag,
    pushes: onBoth(flag),
    timing: orNull(timing),
    finality: onBoth(orNull(finality)),
  },
);

const onChain = { at: seconds, chain: oneOf('maker', 'taker') };

const latency: Check = (value, at) => {
  listOf(seconds)(value, at);
  const [least, most, ...rest] = value as readonly number[];
  const right = least !== undefined && most !== undefined && rest.length === 0 && least <= most;
  if (!right) refuse(at, value, 'the least and the most, in seconds');
};

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
    watcher: orNull(objectOf({ crashes }, { nodes: onBoth(listOf(nodeFault)), plain: flag })),
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

/** What the outputs of a chain with scripts cannot hold would be another amount on it. */
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
 * Takes a value for a scenario when it is one, whole and with nothing that nobody reads. What scenarios of earlier versions lack
 * is added.
 *
 * @throws MemberTypeError, a TypeError, for a member that there is not, that is missing, or of another type.
 * @throws MemberValueError, a RangeError, for a value out of bounds. Each names the member, what it is, and what is allowed.
 */
export function checkScenario(value: unknown): Scenario {
  scenarioCheck(value, 'scenario');
  const scenario = uniformScenario(value as Scenario);
  checkLength(scenario);
  return scenario;
}

/** A run of more blocks takes minutes and more: who waits for it takes it for one that hangs. */
const MOST_BLOCKS = 1_000_000;

function checkLength({ chains, horizon }: Scenario): void {
  for (const name of ['maker', 'taker'] as const) {
    const { blockTime, pace } = chains[name];
    const most = Math.floor(Math.max(1, (blockTime * pace) / 1000) * MOST_BLOCKS);
    const why = `the ${name} chain would have more than ${MOST_BLOCKS} blocks`;
    if (horizon > most) refuse('scenario.horizon', horizon, `a whole number to ${most} (seconds): ${why}`);
  }
}

const partyName = oneOf('maker', 'taker');

/** @throws RangeError unless it is the name of a party, or of a chain. */
export function checkName(name: unknown, of: 'party' | 'chain'): void {
  partyName(name, of);
}
