import type { Purpose } from '../../events/journal.ts';
import type { Answer, PreparedTransaction, PrepareRequest, SignedTransaction } from '../../ports/chain.ts';
import type { Peers, WatcherMessage } from '../../ports/peers.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import type { SimChain, SimWallet } from '../chains/types.ts';
import { happenAt, type Timeline } from './host.ts';
import type { MarketConduct } from './scenario.ts';

/** What a party that breaks the protocol shares among the engines that it runs. */
export type RogueMind = {
  readonly conduct: MarketConduct;
  readonly timeline: Timeline;
  /** What the own transactions are for, by id. */
  readonly purposes: Map<string, Purpose>;
  /** Locks of the payments that are claimed, by the id of the claim, in seconds. */
  readonly locks: Map<string, UnixSeconds>;
  /** The only fee, which it shows to everyone. */
  fee: PreparedTransaction | null;
};

export function rogueMind(conduct: MarketConduct, timeline: Timeline): RogueMind {
  return { conduct, timeline, purposes: new Map(), locks: new Map(), fee: null };
}

/** A chain as a rogue party's engine sees it: what the engine signs and sends is not what it believes. */
export function rogueChain(
  mind: RogueMind,
  { wallet, chain }: { readonly wallet: SimWallet; readonly chain: SimChain },
): RuntimeChain {
  const { conduct } = mind;
  return {
    ...wallet,
    prepare: (request, ...rest) => {
      if (conduct.kind === 'oneFee' && request.purpose === 'fee' && mind.fee !== null)
        return { ok: true, value: mind.fee };
      const answer = wallet.prepare(altered(conduct, request, chain), ...rest);
      if (answer.ok) note(mind, request, answer.value);
      return answer;
    },
    broadcast: (transaction) => sent(mind, { wallet, chain, transaction }),
  };
}

function altered(conduct: MarketConduct, request: PrepareRequest, { kind }: SimChain): PrepareRequest {
  if (conduct.kind !== 'nearly' || !('terms' in request)) return request;
  if (request.purpose !== 'payment' && request.purpose !== 'refund' && request.purpose !== 'refundPreimage')
    return request;
  const { terms } = request;
  if (conduct.member === 'lock') {
    return { ...request, terms: { ...terms, lock: (terms.lock - conduct.by) as UnixSeconds } };
  }
  // A base unit of a chain with 18 digits is a base unit of all.
  const unit = kind === 'utxo' ? `1e-8` : '1e-6';
  const amount = toBigNumber(terms.amount).minus(toBigNumber(unit as DecimalText).times(conduct.by));
  return { ...request, terms: { ...terms, amount: amount.toFixed() as DecimalText } };
}

function note(mind: RogueMind, request: PrepareRequest, transaction: PreparedTransaction): void {
  const { purpose } = request;
  if (
    purpose === 'child' ||
    purpose === 'claimPreimage' ||
    purpose === 'refundPreimage' ||
    purpose === 'completePreimage' ||
    purpose === 'claimFor' ||
    purpose === 'refundFor'
  )
    return;
  mind.purposes.set(transaction.tx_hash, purpose);
  if (purpose === 'claim') mind.locks.set(transaction.tx_hash, request.terms.lock);
  if (purpose === 'fee') mind.fee ??= transaction;
}

type Sending = { readonly wallet: SimWallet; readonly chain: SimChain; readonly transaction: SignedTransaction };

const SENT: Answer<'sent'> = { ok: true, value: 'sent' };

function sent(mind: RogueMind, { wallet, chain, transaction }: Sending): Answer<'sent' | 'known' | 'confirmed'> {
  const { conduct, timeline } = mind;
  const purpose = mind.purposes.get(transaction.tx_hash);
  const at = releaseAt(mind, transaction.tx_hash, purpose);
  if (at !== null) {
    happenAt(timeline, { at }, () => void chain.submit(transaction.tx_hex));
    return SENT;
  }
  const answer = wallet.broadcast(transaction);
  if (purpose !== 'payment' || !answer.ok || answer.value !== 'sent') return answer;
  if (conduct.kind === 'replacer') {
    happenAt(timeline, { at: timeline.now + conduct.after * 1000 }, () => undo(wallet, transaction));
  }
  return answer;
}

/** When a transaction that is kept back goes to the network, in milliseconds; null for at once. */
function releaseAt({ conduct, timeline, locks }: RogueMind, hash: string, purpose: Purpose | undefined): number | null {
  if (conduct.kind === 'withholder' && purpose !== undefined && conduct.purposes.includes(purpose)) {
    return timeline.now + conduct.for * 1000;
  }
  const lock = locks.get(hash);
  if (conduct.kind !== 'lastSecond' || lock === undefined) return null;
  const at = (lock - conduct.margin) * 1000;
  return at > timeline.now ? at : null;
}

/** Spends elsewhere what a payment that is not in a block would spend. */
function undo(wallet: SimWallet, target: SignedTransaction): void {
  const view = wallet.transaction(target.tx_hash);
  if (!view.ok || view.value.status !== 'mempool') return;
  const made = wallet.prepare({ purpose: 'void', target, urgency: 3 });
  if (made.ok) wallet.broadcast(made.value);
}

type Repeating = { readonly timeline: Timeline; readonly topics: readonly string[]; readonly after: Seconds };

/** Repeats what others say in one swap in their other swaps, as if they had said it there. */
export function repeatMessages(peers: Peers, { timeline, topics, after }: Repeating): void {
  for (const topic of topics) {
    peers.subscribe(topic, ({ from, message }) => {
      happenAt(timeline, { at: timeline.now + after * 1000 }, () => {
        timeline.stirred = true;
        for (const other of topics) if (other !== topic) void peers.send(other, message, { signer: `02${from}` });
      });
    });
  }
}

type Known = {
  /** Topics of all swaps of the rogue. */
  readonly topics: readonly string[];
  /** Swaps of the market whose takers want them watched. */
  readonly watched: readonly string[];
};

const turned = (hex: string): string => [...hex].reverse().join('');

/** What it asks of watchers besides the proper watch: the same payments again, and a watch in the name of everyone else's swap. */
function wantedTwice(watch: WatcherMessage, watched: readonly string[]): readonly WatcherMessage[] {
  const { uuid, secret_hash, taker_fee_hash, taker_payment_hash, maker_payment_hash } = watch;
  const own = watched.includes(uuid) ? `${turned(uuid.slice(0, 8))}${uuid.slice(8)}` : uuid;
  const fresh = { secret_hash: turned(secret_hash), taker_fee_hash: turned(taker_fee_hash) };
  const again = { ...watch, ...fresh, uuid: own };
  const others = watched.filter((other) => other !== uuid);
  return [
    again,
    ...others.map((other, index) => ({
      ...watch,
      uuid: other,
      secret_hash: `${turned(secret_hash).slice(1)}${index % 10}`,
      taker_fee_hash: `${turned(taker_fee_hash).slice(1)}${index % 10}`,
      taker_payment_hash: `${turned(taker_payment_hash).slice(1)}${index % 10}`,
      maker_payment_hash: `${turned(maker_payment_hash).slice(1)}${index % 10}`,
    })),
  ];
}

function watchedTwice(peers: Peers, { watched }: Known): Peers {
  return {
    ...peers,
    send: (topic, message, options) => {
      const sent = peers.send(topic, message, options);
      if (message.kind !== 'watcher') return sent;
      for (const watch of wantedTwice(message.watch, watched)) void peers.send(topic, { ...message, watch }, options);
      return sent;
    },
  };
}

/** A rogue's place on the network: what it says and hears appears again on the topics of its other swaps. */
export function roguePeers({ conduct }: RogueMind, peers: Peers, known: Known): Peers {
  if (conduct.kind === 'watchedTwice') return watchedTwice(peers, known);
  if (conduct.kind !== 'gossip') return peers;
  const { topics } = known;
  return {
    self: peers.self,
    send: (topic, message, options) => {
      for (const other of topics) if (other !== topic) peers.send(other, message, options);
      return peers.send(topic, message, options);
    },
    subscribe: (topic, onMessage) =>
      peers.subscribe(topic, (envelope) => {
        // Its own engines say enough.
        const stranger = envelope.from !== peers.self;
        for (const other of topics) if (stranger && other !== topic) void peers.send(other, envelope.message);
        onMessage(envelope);
      }),
  };
}
