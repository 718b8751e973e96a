import type { Watch, WatchTiming } from '../../src/events/watcher.ts';
import { htlcInputOfHex } from '../../src/htlc/htlc-input.ts';
import { isWatchedLockDuration, MAX_CLOCK_DIFFERENCE } from '../../src/htlc/lock-times.ts';
import type { ScriptScheme } from '../../src/htlc/script.ts';
import { toBigNumber } from '../../src/primitives/decimal.ts';
import { type Millis, type Seconds, toMillis } from '../../src/primitives/time.ts';
import { watchTimes } from './deadlines.ts';

/** Why a watcher ignores a taker's message, in a closed set. */
export type WatchRefusal =
  /** The signature is not from the taker whose payment is to be watched. */
  | 'foreignSigner'
  | 'invalidLockDuration'
  /** A stated amount that is not above zero: no payment pays it. */
  | 'invalidAmount'
  /** This node is a party of the swap and takes care of itself. */
  | 'ownSwap'
  /** A taker that owes no fee gets no watcher. */
  | 'noTakerFee'
  | 'alreadyWatched'
  /** The limit of watched swaps is reached. */
  | 'full'
  | 'coinNotActive'
  | 'coinNotWatchable'
  /** What the taker signed spends a payment with another script scheme than the coin's chain uses. */
  | 'foreignScheme'
  /** The swap has not started by this node's clock, or is over. */
  | 'outOfTime';

export type WatchAcceptance =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: WatchRefusal; readonly text: string };

/** What this node knows about an incoming message. */
export type WatchSurroundings = {
  /** The key that signed the message, without its parity byte, 32 bytes in hex. */
  readonly from: string;
  readonly now: Millis;
  readonly timing: WatchTiming;
  /** Whether this node is a party of the swap with this uuid. */
  readonly takesPart: (uuid: string) => boolean;
  /** Whether this swap, or another one with the same fee transaction, is already watched. */
  readonly isWatched: (watch: Watch) => boolean;
  /** Whether no further watch may start. @defaultValue false */
  readonly isFull?: boolean;
  /** Whether third parties can act on the coin's chain; undefined for an inactive coin. */
  readonly watchable: (coin: string) => boolean | undefined;
  /** The script scheme of the coin's chain; null for a chain without scripts, undefined if its adapter does not say. */
  readonly scheme?: (coin: string) => ScriptScheme | null | undefined;
  /** Used if an adapter does not say. @defaultValue 'p2sh' */
  readonly usualScheme?: ScriptScheme;
  /** KDF's `payment_locktime`, of which lock durations are multiples. @defaultValue 7800 s */
  readonly paymentLocktime?: Seconds;
};

const FEE_HASH_DIGITS = 64;

/**
 * Whether to watch a taker's swap (KDF `process_watcher_msg`): lock durations of one, four and ten times the base, a
 * paid fee, a swap of others that this node does not watch yet, two active coins that can be watched. Beyond the real
 * node's rule, the signer must be the taker that the message names, what it signed must spend payments with the chains'
 * script scheme, and the swap must be running.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { defaultWatchTiming, watcherPayloads } from 'swapfold/events';
 * import { acceptWatch } from 'swapfold/machines';
 * import { createWorld, runWorld, scenario } from 'swapfold/testing';
 *
 * const watcher = { crashes: [], nodes: { maker: [], taker: [] } };
 * const world = createWorld(scenario({ useWatchers: true, watcher }));
 * runWorld(world);
 * const [[from = '', asked] = []] = world.watcher?.watches ?? [];
 * const { watch } = watcherPayloads.WatchRequested.parse(asked?.records[0]?.data);
 * const [now, no] = [millisOf(watch.swap_started_at * 1000), () => false];
 * const around = { from, now, timing: defaultWatchTiming, takesPart: no, isWatched: no };
 * acceptWatch(watch, { ...around, watchable: () => true }); // → { ok: true }
 * acceptWatch(watch, { ...around, watchable: (coin) => coin !== 'MARTY' }); // → {
 * //   ok: false, refusal: 'coinNotWatchable', text: 'Coin MARTY does not support watchers',
 * // }
 * ```
 */
export function acceptWatch(message: Watch, around: WatchSurroundings): WatchAcceptance {
  const { uuid, lock_duration: lockDuration, taker_pub: takerPub } = message;
  if (takerPub.slice(2) !== around.from) return refuse('foreignSigner', 'The message is not signed by the taker');
  if (!isWatchedLockDuration(lockDuration, around.paymentLocktime))
    return refuse('invalidLockDuration', 'Invalid lock duration');
  for (const amount of [message.taker_amount, message.maker_amount]) {
    if (amount !== null && !toBigNumber(amount).gt(0)) return refuse('invalidAmount', 'An amount is not above zero');
  }
  if (around.takesPart(uuid)) return refuse('ownSwap', `Swap ${uuid} is one of this node's own swaps`);
  if (message.taker_fee_hash.length !== FEE_HASH_DIGITS) {
    return refuse('noTakerFee', `The hash of the taker fee has ${message.taker_fee_hash.length / 2} bytes, not 32`);
  }
  if (around.isWatched(message)) return refuse('alreadyWatched', `Swap ${uuid} is already watched`);
  if (around.isFull === true) return refuse('full', 'The limit of watched swaps is reached');
  for (const coin of [message.taker_coin, message.maker_coin]) {
    const watchable = around.watchable(coin);
    if (watchable === undefined) return refuse('coinNotActive', `Coin ${coin} is not active`);
    if (!watchable) return refuse('coinNotWatchable', `Coin ${coin} does not support watchers`);
  }
  const inTime = acceptTime(message, around);
  return inTime.ok ? (acceptSchemes(message, around) ?? inTime) : inTime;
}

/**
 * Both transactions that the taker signed must spend payments of the kind that the chains use; otherwise a watcher
 * would look for the payment in the wrong place. Only an adapter that says nothing about scripts can judge bytes that
 * are not a claim of a UTXO chain.
 */
function acceptSchemes(message: Watch, around: WatchSurroundings): WatchAcceptance | null {
  const signed = [
    [message.taker_coin, message.taker_payment_refund_preimage],
    [message.maker_coin, message.maker_payment_spend_preimage],
  ] as const;
  for (const [coin, hex] of signed) {
    const found = htlcInputOfHex(hex)?.scheme ?? null;
    const said = around.scheme?.(coin);
    const known = said === undefined ? (found === null ? null : (around.usualScheme ?? 'p2sh')) : said;
    if (found === known) continue;
    const text = `What the taker signed for ${coin} spends ${nameOf(found)}, and payments there are ${nameOf(known)}`;
    return refuse('foreignScheme', text);
  }
  return null;
}

function nameOf(scheme: ScriptScheme | null): string {
  return scheme === null ? 'no script' : scheme.toUpperCase();
}

function acceptTime(message: Watch, { now, timing }: WatchSurroundings): WatchAcceptance {
  if (toMillis(message.swap_started_at) > now + MAX_CLOCK_DIFFERENCE * 1000) {
    return refuse('outOfTime', 'The swap starts in the future');
  }
  if (now >= toMillis(watchTimes(message, timing).expiresAt)) return refuse('outOfTime', 'The swap is long over');
  return { ok: true };
}

function refuse(refusal: WatchRefusal, text: string): WatchAcceptance {
  return { ok: false, refusal, text };
}
