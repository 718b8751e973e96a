import { acceptWatch, type WatchRefusal } from '../../../machines/watcher/accept.ts';
import { machineOfRole } from '../../events/catalog.ts';
import type { Watch } from '../../events/watcher.ts';
import { createTopicAccounts, type TopicAccounts } from '../../peers/allowance.ts';
import { createFewLines, type FewLines } from '../../peers/few-lines.ts';
import { readTaken, takeMessage } from '../../peers/read-message.ts';
import type { PeerEnvelope, SwapMessageKind, WatcherMessage } from '../../ports/peers.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Leg } from '../command.ts';
import { shortReason } from '../errors.ts';
import type { DropReason } from '../host/metrics.ts';
import type { Drivable, WatchSettings } from '../loop/drivable.ts';
import type { RuntimeChain } from '../loop/gate.ts';
import type { Loop } from '../loop/loop.ts';
import type { Slot } from '../loop/slot.ts';
import { beginStream, readStream } from '../loop/streams.ts';
import { watchTopic } from '../watch-topics.ts';
import { type Given, PendingWatches, type Wanted } from './pending.ts';
import { type PromisingChains, promisedBy, promisedProblem } from './promised.ts';
import { watcherStream } from './runner.ts';
import { withinReach } from './start-blocks.ts';
import { signedProblem, watchOf } from './terms.ts';
import { createWatchBook, type WatchBook } from './watch-book.ts';

/**
 * What takers ask of watchers: one subscription for each active coin whose payments third parties can spend.
 *
 * - Q1: a message starts a stream only if {@link acceptWatch} accepts it and the chain shows that its taker has paid its fee. Until then it stays in
 *   memory and counts for nothing (Q6 and Q7 of {@link PendingWatches}).
 * - Q2: one watch for each swap and taker: a stranger who is first with another's uuid does not keep that one out.
 * - Q3: the number of open watches is limited, with one for each paid fee. A stranger who is first with another's fee does not keep that one out.
 * - Q5: what a taker names for one swap, its fee, both payments and the secret hash, it cannot name for another.
 * - Q4: a sender's messages cost at most what the policy allows that sender, and all senders together, plus a few lines of the log.
 */
export type WatchCalls = {
  readonly open: (coin: string) => void;
  readonly close: (coin: string) => void;
  readonly closeAll: () => void;
  /** The slot's watch is open, or no longer. */
  readonly add: (slot: Slot) => void;
  readonly remove: (slot: Slot) => void;
};

const NONE: WatchCalls = {
  open: () => {},
  close: () => {},
  closeAll: () => {},
  add: () => {},
  remove: () => {},
};

type Calls = {
  readonly loop: () => Loop;
  readonly settings: WatchSettings;
  /** Open watches by stream. */
  readonly watched: Map<string, Drivable>;
  /** Streams that are being started. */
  readonly beginning: Map<string, Watch>;
  readonly book: WatchBook;
  readonly pending: PendingWatches;
  /** By coin. */
  readonly topics: Map<string, Topic>;
};

/** The settings are null for a node that watches for nobody. */
export function createWatchCalls(loop: () => Loop, settings: WatchSettings | null): WatchCalls {
  if (settings === null) return NONE;
  const calls = callsOf(loop, settings);
  const { topics, pending, watched } = calls;
  const close = (coin: string): void => {
    topics.get(coin)?.subscription.close();
    topics.delete(coin);
    pending.close(coin);
  };
  return {
    open(coin) {
      close(coin);
      const { gates, peers, logger, steady, policy } = loop();
      if (gates.get(coin)?.chain.traits.watchers !== true) return;
      const accounts = createTopicAccounts(policy.hearing.takers, steady.now());
      const spoken = { coin, accounts, lines: createFewLines(steady) };
      try {
        const subscription = peers.subscribe(watchTopic(coin), (envelope) => hear(calls, spoken, envelope));
        topics.set(coin, { ...spoken, subscription });
      } catch (error) {
        logger.error('cannot listen', { topic: watchTopic(coin), reason: shortReason(error) });
      }
    },
    close,
    closeAll() {
      for (const coin of [...topics.keys()]) close(coin);
    },
    add({ stream, driven }) {
      if (driven?.watched !== undefined) watched.set(stream, driven);
    },
    remove: ({ stream }) => void watched.delete(stream),
  };
}

function callsOf(loop: () => Loop, settings: WatchSettings): Calls {
  const calls: Calls = {
    ...{ loop, settings, watched: new Map(), beginning: new Map(), topics: new Map() },
    book: createWatchBook(loop, settings.timing),
    pending: new PendingWatches(loop, {
      onPaid: (wanted) => void take(calls, wanted),
      onDropped: (wanted, why) => refuseWanted(calls, wanted, why),
    }),
  };
  return calls;
}

/** One coin whose takers the watcher hears. */
type Topic = Spoken & { readonly subscription: { readonly close: () => void } };
type Spoken = { readonly coin: string; readonly accounts: TopicAccounts; readonly lines: FewLines };

const KINDS: ReadonlySet<SwapMessageKind> = new Set(['watcher']);

/** A taker's message, the cheapest check first. A message that comes while nothing may start is dropped: the taker repeats it. */
function hear(calls: Calls, topic: Spoken, { from, message }: PeerEnvelope): void {
  const { held, draining, steady, metrics } = calls.loop();
  const { accounts, coin, lines } = topic;
  const drop = (why: DropReason, path?: string): void => {
    metrics.dropped({ from: 'taker', why });
    lines((more) => {
      const { logger } = calls.loop();
      if (path === undefined) logger.warn('messages dropped', { topic: watchTopic(coin), why, ...more });
      else logger.warn('not a watcher message', { coin, path, ...more });
    });
  };
  if (held || draining) {
    metrics.dropped({ from: 'taker', why: 'deaf' });
    return;
  }
  const now = steady.now();
  if (!accounts.message(from, now)) {
    drop('tooMany');
    return;
  }
  const taken = takeMessage(message, { kinds: KINDS });
  if (!accounts.weight(from, { weight: taken.weight, now })) {
    drop('tooMuch');
    return;
  }
  const read = readTaken(taken);
  if (read.ok && read.message.kind === 'watcher') {
    consider(calls, topic, { from: from.toLowerCase(), told: read.message.watch });
  } else drop('malformed', read.ok ? '/kind' : read.path);
}

type Refusal = WatchRefusal | Given | 'unreadable' | 'foreignTopic' | 'foreignTerms' | 'unseenChain';

type Heard = { readonly from: string; readonly told: WatcherMessage };

/** Checks the message by itself; a plausible one waits for what the chain says. */
function consider(calls: Calls, { coin, lines }: Spoken, { from, told }: Heard): void {
  const watch = watchOf(told);
  const refusal =
    watch === null ? 'unreadable' : watch.taker_coin === coin ? judge(calls, watch, from) : 'foreignTopic';
  if (watch === null || refusal !== null) refuse(calls, lines, { uuid: told.uuid, coin, why: refusal ?? 'unreadable' });
  else calls.pending.add({ key: watcherStream(watchId(watch)), watch, from });
}

function judge({ loop, settings, ...calls }: Calls, watch: Watch, from: string): Refusal | null {
  const { clock, slots, gates, inputs, policy } = loop();
  const judged = acceptWatch(watch, {
    from,
    now: clock.now(),
    timing: settings.timing,
    takesPart: (uuid) => ownStreams(uuid).some((stream) => slots.has(stream)),
    isWatched: (one) => isWatched(calls, one),
    isFull: calls.watched.size + calls.beginning.size >= settings.most,
    watchable: (ticker) => gates.get(ticker)?.chain.traits.watchers,
    scheme: (ticker) => gates.get(ticker)?.chain.traits.scheme,
    usualScheme: inputs.network?.scriptScheme ?? 'p2sh',
    paymentLocktime: policy.paymentLocktime,
  });
  if (!judged.ok) return judged.refusal;
  const chains = { taker: gates.get(watch.taker_coin)?.chain, maker: gates.get(watch.maker_coin)?.chain };
  return signedProblem(watch) === null && promisedProblem(watch, chainsOf(chains)) === null ? null : 'foreignTerms';
}

type BothChains = Readonly<Record<Leg, RuntimeChain | undefined>>;

function chainsOf({ maker, taker }: BothChains): PromisingChains {
  const rewards = (chain: RuntimeChain | undefined) => ({ rewards: chain?.traits.rewards === true });
  return { traits: { maker: rewards(maker), taker: rewards(taker) }, promised: promisedBy({ maker, taker }) };
}

type Refused = { readonly uuid: string; readonly coin: string; readonly why: Refusal };

function refuse({ loop }: Calls, lines: FewLines, refused: Refused): void {
  // A taker repeats its message for as long as its payment is unspent.
  if (refused.why === 'alreadyWatched') return;
  const { metrics, logger } = loop();
  metrics.dropped({ from: 'taker', why: 'refused' });
  lines((more) => logger.info('watch refused', { ...refused, ...more }));
}

function refuseWanted(calls: Calls, { watch }: Wanted, why: Refusal): void {
  const topic = calls.topics.get(watch.taker_coin);
  if (topic !== undefined) refuse(calls, topic.lines, { uuid: watch.uuid, coin: watch.taker_coin, why });
}

/** Starts the watch for a taker who has paid its fee, unless something else has happened meanwhile. */
async function take(calls: Calls, wanted: Wanted): Promise<void> {
  const { uuid, taker_coin: coin } = wanted.watch;
  try {
    const refusal = judge(calls, wanted.watch, wanted.from) ?? (await begin(calls, wanted));
    if (refusal !== null) refuseWanted(calls, wanted, refusal);
  } catch (error) {
    const { logger } = calls.loop();
    const reason = shortReason(error);
    calls.topics.get(coin)?.lines((more) => logger.warn('watch not begun', { uuid, coin, reason, ...more }));
  }
}

async function begin(calls: Calls, { key, watch }: Wanted): Promise<Refusal | null> {
  const loop = calls.loop();
  const bounded = withinReach(loop, watch, calls.settings.timing);
  if (bounded === null) return 'unseenChain';
  calls.beginning.set(key, watch);
  try {
    for (const stream of ownStreams(watch.uuid)) if ((await readStream(loop, stream)).length > 0) return 'ownSwap';
    await calls.book.complete();
    if (!calls.book.take(watch)) return 'alreadyWatched';
    return await write(calls, bounded);
  } finally {
    calls.beginning.delete(key);
  }
}

async function write({ loop, settings }: Calls, watch: Watch): Promise<Refusal | null> {
  const node = loop();
  const at = node.clock.now();
  const records = [
    { at, type: 'WatchRequested', version: 1, data: { watch, timing: settings.timing } },
    { at, type: 'TakerFeeValidated', version: 1, data: null },
  ];
  for (const stream of [watcherStream(watch.uuid), watcherStream(watchId(watch))]) {
    const [first] = await readStream(node, stream);
    if (first === undefined) {
      if (node.draining || (await beginStream(node, stream, records))) return null;
    } else if (takerOf(first.data) === watch.taker_pub) break;
  }
  return 'alreadyWatched';
}

function ownStreams(uuid: string): readonly string[] {
  return [machineOfRole.taker, machineOfRole.maker].map((machine) => `${machine}/${uuid}`);
}

function isWatched(
  { watched, beginning }: Pick<Calls, 'watched' | 'beginning'>,
  { uuid, taker_pub, taker_fee_hash }: Watch,
): boolean {
  for (const driven of watched.values()) {
    const open = driven.watched;
    if (open === undefined) continue;
    const own = open.taker === taker_pub;
    if (own && open.uuid === uuid) return true;
    if (open.fee === taker_fee_hash && (own || hasPaid(driven))) return true;
  }
  for (const open of beginning.values()) {
    const same = open.uuid === uuid || open.taker_fee_hash === taker_fee_hash;
    if (same && open.taker_pub === taker_pub) return true;
  }
  return false;
}

/** Until its fee is found, a watch may come from anybody who has heard of that fee. */
const UNPROVEN: ReadonlySet<string> = new Set(['created', 'validatingTakerFee']);

function hasPaid(driven: Drivable): boolean {
  return !UNPROVEN.has(driven.look().state);
}

function takerOf(data: unknown): string | undefined {
  return (data as { readonly watch?: { readonly taker_pub?: string } } | null)?.watch?.taker_pub;
}

/** Names a watch whose swap's uuid somebody else has used first: a uuid from the swap's uuid and the taker's key. */
function watchId({ uuid, taker_pub }: Watch): string {
  const digits = bytesToHex(sha256(new TextEncoder().encode(`${uuid} ${taker_pub}`)));
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-');
}
