import { idOfTransaction } from '../../htlc/transaction-id.ts';
import type { PeerEnvelope, Peers, SwapMessage, WatcherMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { type ContractCase, canonical, casesOn, type Steps } from './contract-case.ts';

/** A network under test, on which nothing is lost while the suite runs. */
export type PeersUnderTest = {
  /** At least three nodes with different keys. */
  readonly peers: readonly [Peers, Peers, Peers];
  /** Returns when everything that was sent has arrived. */
  readonly settle: () => Promise<void>;
  readonly close?: () => Promise<void>;
};

export type PeersContractCase = ContractCase;

const UUID = '3447b727-fe93-4357-8e5a-8cf2699b7e86';
const TOPIC = `swap/${UUID}`;
const WATCHERS = 'swpwtchr/MARTY';
const HELPERS = 'txhlp/MARTY';
const TX_HEX = 'ab'.repeat(250);
/** Under the id that its bytes have: a network may send the bytes alone. */
const TX = { tx_hex: TX_HEX, tx_hash: idOfTransaction(TX_HEX) };
const OFFER = {
  version: 3,
  maker_coin_htlc_pub: `02${'01'.repeat(32)}`,
  taker_coin_htlc_pub: `03${'02'.repeat(32)}`,
  started_at: 1_700_000_000 as UnixSeconds,
  payment_locktime: 1_700_015_600 as UnixSeconds,
  secret_hash: 'ef'.repeat(20),
  maker_coin_swap_contract: null,
  taker_coin_swap_contract: '11'.repeat(20),
} as const;

/** One message of each kind that goes on the topic of a swap. */
const MESSAGES: readonly SwapMessage[] = [
  { kind: 'negotiation', offer: OFFER },
  { kind: 'negotiationReply', reply: OFFER },
  { kind: 'negotiated', accepted: true },
  { kind: 'takerFee', tx: TX },
  { kind: 'makerPayment', tx: TX, instructions: null },
  { kind: 'takerPayment', tx: TX },
];

const WATCH: WatcherMessage = {
  uuid: UUID,
  secret_hash: 'ef'.repeat(20),
  maker_payment_spend_preimage: 'aa'.repeat(200),
  taker_payment_refund_preimage: 'bb'.repeat(200),
  swap_started_at: 1_700_000_000 as UnixSeconds,
  lock_duration: 7800,
  taker_coin: 'MARTY',
  taker_amount: '0.000000000000000001' as DecimalText,
  taker_fee_hash: '01'.repeat(32),
  taker_payment_hash: '02'.repeat(32),
  taker_coin_start_block: 1000,
  taker_payment_confirmations: 1,
  taker_payment_requires_nota: null,
  maker_coin: 'DOC',
  maker_amount: '1234567890.123456789' as DecimalText,
  maker_pub: `02${'03'.repeat(32)}`,
  taker_pub: null,
  maker_payment_hash: '05'.repeat(32),
  maker_coin_start_block: 2000,
};

const HELLO: SwapMessage = { kind: 'negotiated', accepted: true };

/**
 * What every adapter of the Peers port must do. Each case asks for a network of its own.
 *
 * @example
 * ```ts
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { peersContract } from 'swapfold/testing';
 *
 * const cases = peersContract(async () => {
 *   const network = createInProcessNetwork();
 *   const peer = (byte: string) => network.peer(byte.repeat(32));
 *   return { peers: [peer('a1'), peer('b2'), peer('c3')], settle: async () => {} };
 * });
 * const broken: string[] = [];
 * for (const { title, run } of cases) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function peersContract(create: () => Promise<PeersUnderTest>): readonly PeersContractCase[] {
  return casesOn(create, CASES);
}

const CASES: readonly (readonly [title: string, steps: Steps<PeersUnderTest>])[] = [
  [
    'the own key has 32 bytes in lower-case hex and differs for each node',
    async ({ peers }) => {
      for (const { self } of peers) check(/^[0-9a-f]{64}$/.test(self), `a key like ${self}`);
      check(new Set(peers.map(({ self }) => self)).size === peers.length, 'two nodes have the same key');
    },
  ],
  [
    "P1: a message of every kind arrives as it was sent, with its sender's key",
    async ({ peers: [alice, bob], settle }) => {
      const heard = listen(bob, TOPIC);
      await settle();
      for (const message of MESSAGES) await alice.send(TOPIC, message);
      await settle();
      // A network may repeat and reorder: each is looked for by itself.
      for (const message of MESSAGES) {
        const found = heard.find((envelope) => envelope.message.kind === message.kind);
        check(found !== undefined, `${message.kind} did not arrive`);
        same(found, { topic: TOPIC, from: alice.self, message });
      }
      check(
        heard.every(({ from }) => from === alice.self),
        'a message from another sender',
      );
    },
  ],
  [
    'a message to watchers arrives, except for what a network may leave out',
    async ({ peers: [alice, bob], settle }) => {
      const heard = listen(bob, WATCHERS);
      await settle();
      await alice.send(WATCHERS, { kind: 'watcher', watch: WATCH });
      await settle();
      const [found] = heard;
      check(found?.message.kind === 'watcher' && found.from === alice.self, 'the message did not arrive');
      const { taker_amount, maker_amount, taker_pub, ...rest } = found.message.watch;
      const { taker_amount: takes, maker_amount: gives, taker_pub: _, ...wanted } = WATCH;
      same(rest, wanted);
      check(taker_amount === null || taker_amount === takes, 'a different amount of the taker');
      check(maker_amount === null || maker_amount === gives, 'a different amount of the maker');
      check(taker_pub === null || taker_pub.slice(2) === alice.self, 'a key of the taker that did not sign');
    },
  ],
  [
    'P4: a transaction for nodes of its coin is accepted, and arrives unchanged',
    async ({ peers: [alice, bob], settle }) => {
      const heard = listen(bob, HELPERS);
      await settle();
      await alice.send(HELPERS, { kind: 'transaction', tx: TX });
      await settle();
      for (const found of heard) {
        same(found, { topic: HELPERS, from: alice.self, message: { kind: 'transaction', tx: TX } });
      }
    },
  ],
  [
    'every subscriber of a topic receives a message, and subscribers of another topic do not',
    async ({ peers: [alice, bob, carol], settle }) => {
      const heard = { bob: listen(bob, TOPIC), again: listen(bob, TOPIC), carol: listen(carol, TOPIC) };
      const other = listen(bob, `${TOPIC}0`);
      const prefix = listen(carol, 'swap');
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      for (const [name, envelopes] of Object.entries(heard)) check(envelopes.length > 0, `${name} heard nothing`);
      check(other.length === 0 && prefix.length === 0, 'a message on another topic');
    },
  ],
  [
    'a node does not receive its own messages',
    async ({ peers: [alice, bob], settle }) => {
      const own = listen(alice, TOPIC);
      const heard = listen(bob, TOPIC);
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      check(heard.length > 0, 'the message did not arrive');
      check(own.length === 0, 'the sender received its own message');
    },
  ],
  [
    'P2: sending to a topic without subscribers succeeds',
    async ({ peers: [alice] }) => {
      await alice.send('swap/nobody', HELLO);
    },
  ],
  [
    'a closed subscription receives nothing more, and the others still do',
    async ({ peers: [alice, bob], settle }) => {
      const closed: PeerEnvelope[] = [];
      const subscription = bob.subscribe(TOPIC, (envelope) => void closed.push(envelope));
      const still = listen(bob, TOPIC);
      await settle();
      subscription.close();
      subscription.close();
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      check(closed.length === 0, 'a closed subscription was called');
      check(still.length > 0, 'another subscription was closed with it');
    },
  ],
];

function listen(peer: Peers, topic: string): PeerEnvelope[] {
  const heard: PeerEnvelope[] = [];
  peer.subscribe(topic, (envelope) => void heard.push(envelope));
  return heard;
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the contract of Peers is broken: ${otherwise}`);
}

function same(found: unknown, wanted: unknown): void {
  const left = canonical(found);
  const right = canonical(wanted);
  check(left === right, `${left} instead of ${right}`);
}
