import { catalog } from '../../events/catalog.ts';
import { isDecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { MAX_FEE_RATE } from '../chains/settings.ts';
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
  refuse,
  type Shape,
  textOf,
} from '../shape-check.ts';

// Members common to the scenarios of one swap and of a market.

export const seconds = numberOf({ from: 0, unit: 'seconds' });
export const count = numberOf({ from: 0, whole: true });
export const fromOne = numberOf({ from: 1, whole: true });
export const perMille = numberOf({ from: 0, to: 1000, whole: true, unit: 'of a thousand messages' });
export const amount = textOf(
  'a decimal number above 0 as a text',
  (text) => isDecimalText(text) && toBigNumber(text).gt(0),
);
export const kindOf = (name: string): Shape => ({ kind: oneOf(name) });

const eventTypes = [...new Set([...catalog.maker.keys(), ...catalog.taker.keys()])];
export const eventType = nameOf('an event of a swap, such as MakerPaymentSent', eventTypes);

export const crashes = listOf(objectOf({ at: fromOne, when: oneOf('before', 'after'), downFor: seconds }));

/** A fault with its stretch of time. */
function during(kind: string, members: Shape = {}, optional: Shape = {}) {
  return objectOf({ ...kindOf(kind), from: seconds, until: seconds, ...members }, optional, endsLater);
}

export function endsLater({ from, until }: Readonly<Record<string, unknown>>, at: string): void {
  if (Number(until) <= Number(from))
    refuse(`${at}.until`, until, `a moment after ${at}.from, which is ${String(from)}`);
}

export const purposes = listOf(oneOf('fee', 'payment', 'claim', 'refund', 'void', 'transfer'));
const view = { blocks: count, seconds };

const lies = oneOf('absent', 'present', 'confirmed', 'spendHidden', 'refundable');

export const nodeFault = byKind({
  outage: during('outage'),
  flaky: during('flaky', { oneIn: fromOne }),
  lag: during('lag', {}, view),
  contradiction: during('contradiction', {}, view),
  shallow: during('shallow', { blocks: count }),
  slow: during('slow', { seconds }),
  doubt: during('doubt', {}, { says: lies, keeps: flag }),
  lie: during('lie', { says: lies }, { sender: textOf('a key in hex', (text) => /^[0-9a-f]+$/i.test(text)) }),
  broadcast: during('broadcast', { effect: oneOf('lost', 'unanswered', 'refused') }, { oneIn: fromOne, purposes }),
});

export const networkFault = byKind({
  feeSpike: during('feeSpike', { factor: numberOf({ from: 0 }) }),
  noReplacement: during('noReplacement', {}),
  warp: during('warp', { seconds: numberOf({ from: -7200, to: 7200, whole: true, unit: 'seconds' }) }),
  censor: during('censor', { purposes }),
  revert: during('revert', { purposes }, { oneIn: fromOne }),
});

export const feeRate: Check = (value, at) => {
  const allowed = 'a number above 0 to 1000000000000 (base units)';
  if (typeof value !== 'number') mistyped(at, value, allowed);
  if (!(value > 0 && value <= MAX_FEE_RATE)) refuse(at, value, allowed);
};

export const latency: Check = (value, at) => {
  listOf(seconds)(value, at);
  const [least, most, ...rest] = value as readonly number[];
  const right = least !== undefined && most !== undefined && rest.length === 0 && least <= most;
  if (!right) refuse(at, value, 'the least and the most, in seconds');
};

/** An append whose answer is an error. */
export const storageFaults = listOf(objectOf({ at: fromOne, how: oneOf('lost', 'unanswered') }));

/** A run of many more blocks takes minutes or never ends, and looks as if it hung. */
const MOST_BLOCKS = 1_000_000;

/** @throws MemberValueError for a horizon within which a chain would mine more blocks than anyone waits for. */
export function checkHorizon(
  horizon: number,
  { at, chain, blockTime }: { readonly at: string; readonly chain: string; readonly blockTime: number },
): void {
  const most = Math.floor(Math.max(1, blockTime) * MOST_BLOCKS);
  const why = `the ${chain} chain would have more than ${MOST_BLOCKS} blocks`;
  if (horizon > most) refuse(at, horizon, `a whole number to ${most} (seconds): ${why}`);
}
