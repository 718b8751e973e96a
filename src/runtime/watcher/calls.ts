import { acceptWatch, type WatchRefusal } from '../../../machines/watcher/accept.ts';
import { machineOfRole } from '../../events/catalog.ts';
import type { Watch } from '../../events/watcher.ts';
import { readMessage } from '../../peers/read-message.ts';
import type { PeerEnvelope } from '../../ports/peers.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Drivable, WatchSettings } from '../drivable.ts';
import type { Engine } from '../engine.ts';
import { shortReason } from '../errors.ts';
import type { Slot } from '../slot.ts';
import { beginStream, readStream } from '../streams.ts';
import { watcherStream } from './runner.ts';
import { watchOf } from './terms.ts';
import { watchTopic } from './topics.ts';

/**
 * What takers ask of watchers: one subscription for each active coin whose payments third parties can spend.
 *
 * - Q1: nobody's message makes a stream but one that {@link acceptWatch} takes.
 * - Q2: one watch for each swap and taker: a stranger who is first with another's uuid does not keep that one out.
 * - Q3: at most so many watches at the same time, and one for each fee that was paid.
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
  readonly engine: () => Engine;
  readonly settings: WatchSettings;
  /** By stream. */
  readonly watched: Map<string, NonNullable<Drivable['watched']>>;
  /** Streams that are being begun. */
  readonly beginning: Map<string, Watch>;
};

/** The settings are null for a node that watches for nobody. */
export function createWatchCalls(engine: () => Engine, settings: WatchSettings | null): WatchCalls {
  if (settings === null) return NONE;
  const topics = new Map<string, { readonly close: () => void }>();
  const calls: Calls = { engine, settings, watched: new Map(), beginning: new Map() };
  const close = (coin: string): void => {
    topics.get(coin)?.close();
    topics.delete(coin);
  };
  return {
    open(coin) {
      close(coin);
      const { gates, peers, logger } = engine();
      if (gates.get(coin)?.chain.traits.watchers !== true) return;
      try {
        topics.set(
          coin,
          peers.subscribe(watchTopic(coin), (envelope) => void hear(calls, coin, envelope)),
        );
      } catch (error) {
        logger.error('cannot listen', { topic: watchTopic(coin), reason: shortReason(error) });
      }
    },
    close,
    closeAll() {
      for (const coin of [...topics.keys()]) close(coin);
    },
    add({ stream, driven }) {
      if (driven?.watched !== undefined) calls.watched.set(stream, driven.watched);
    },
    remove: ({ stream }) => void calls.watched.delete(stream),
  };
}

type Heard = { readonly coin: string; readonly from: string };

/** A taker's message. What comes while nothing may begin is dropped: the taker repeats it. */
async function hear(calls: Calls, coin: string, { from, message }: PeerEnvelope): Promise<void> {
  const engine = calls.engine();
  if (engine.held || engine.draining) return;
  const read = readMessage(message);
  if (!read.ok || read.message.kind !== 'watcher') {
    engine.logger.warn('not a watcher message', { coin, path: read.ok ? '/kind' : read.path });
    return;
  }
  const watch = watchOf(read.message.watch);
  const said = { uuid: read.message.watch.uuid, coin };
  try {
    const refused = watch === null ? 'unreadable' : await take(calls, watch, { coin, from: from.toLowerCase() });
    // A taker repeats its message for as long as its payment is unspent.
    if (refused !== null && refused !== 'alreadyWatched')
      engine.logger.info('watch refused', { ...said, why: refused });
  } catch (error) {
    engine.logger.warn('watch not begun', { ...said, reason: shortReason(error) });
  }
}

/** Begins the watch. Null when it began, else why not. */
async function take(calls: Calls, watch: Watch, { coin, from }: Heard): Promise<WatchRefusal | 'foreignTopic' | null> {
  if (watch.taker_coin !== coin) return 'foreignTopic';
  const engine = calls.engine();
  const { settings } = calls;
  const judged = acceptWatch(watch, {
    from,
    now: engine.clock.now(),
    timing: settings.timing,
    takesPart: (uuid) => ownStreams(uuid).some((stream) => engine.slots.has(stream)),
    isWatched: (one) => isWatched(calls, one),
    isFull: calls.watched.size + calls.beginning.size >= settings.most,
    watchable: (ticker) => engine.gates.get(ticker)?.chain.traits.watchers,
  });
  if (!judged.ok) return judged.refusal;
  const key = watcherStream(watchId(watch));
  calls.beginning.set(key, watch);
  try {
    for (const stream of ownStreams(watch.uuid)) if ((await readStream(engine, stream)).length > 0) return 'ownSwap';
    return await begin(calls, watch);
  } finally {
    calls.beginning.delete(key);
  }
}

async function begin({ engine, settings }: Calls, watch: Watch): Promise<WatchRefusal | null> {
  const node = engine();
  const data = { watch, timing: settings.timing };
  for (const stream of [watcherStream(watch.uuid), watcherStream(watchId(watch))]) {
    const [first] = await readStream(node, stream);
    if (first === undefined) {
      const record = { at: node.clock.now(), type: 'WatchRequested', version: 1, data };
      if (node.draining || (await beginStream(node, stream, [record]))) return null;
    } else if (takerOf(first.data) === watch.taker_pub) break;
  }
  return 'alreadyWatched';
}

function ownStreams(uuid: string): readonly string[] {
  return [machineOfRole.taker, machineOfRole.maker].map((machine) => `${machine}/${uuid}`);
}

function isWatched({ watched, beginning }: Calls, { uuid, taker_pub, taker_fee_hash }: Watch): boolean {
  for (const open of watched.values()) {
    if ((open.uuid === uuid && open.taker === taker_pub) || open.fee === taker_fee_hash) return true;
  }
  for (const open of beginning.values()) {
    if ((open.uuid === uuid && open.taker_pub === taker_pub) || open.taker_fee_hash === taker_fee_hash) return true;
  }
  return false;
}

function takerOf(data: unknown): string | undefined {
  return (data as { readonly watch?: { readonly taker_pub?: string } } | null)?.watch?.taker_pub;
}

/** Names a watch whose swap's uuid somebody else has used first: a uuid of the swap's and of the taker's key. */
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
