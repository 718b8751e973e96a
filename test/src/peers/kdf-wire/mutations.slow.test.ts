import { describe, expect, it } from 'vitest';
import { curve } from '../../../../src/curve/index.ts';
import {
  decodeClockAnswer,
  encodeClockAnswer,
  encodeClockRequest,
  isClockRequest,
} from '../../../../src/peers/kdf-wire/clock-request.ts';
import { encodeEnvelope } from '../../../../src/peers/kdf-wire/envelope.ts';
import { decodeFrame, encodeFrame } from '../../../../src/peers/kdf-wire/gossip-frame.ts';
import { decodeHealthCheck, encodeHealthCheck } from '../../../../src/peers/kdf-wire/health-check.ts';
import {
  decodeKnownRelays,
  decodeRelaysRequest,
  encodeKnownRelays,
  encodeRelaysRequest,
} from '../../../../src/peers/kdf-wire/known-relays.ts';
import { encodeOrderMessage } from '../../../../src/peers/kdf-wire/order-message.ts';
import { encodeSwapMessage } from '../../../../src/peers/kdf-wire/swap-message.ts';
import type { TopicKind } from '../../../../src/peers/kdf-wire/topics.ts';
import { encodeWatcherMessage } from '../../../../src/peers/kdf-wire/watcher-message.ts';
import { readPublication } from '../../../../src/peers/libp2p/codec.ts';
import { createFrameSplitter, withLength } from '../../../../src/peers/libp2p/frame-splitter.ts';
import { createHealth } from '../../../../src/peers/libp2p/health.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { keptBytes } from '../../../support/kept-bytes.ts';
import { REQUEST } from '../../../support/order-messages.ts';
import { writeHealth } from '../../../support/peers/framework/health.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

/** Mutants of each kind: SWAPFOLD_MUTANTS=1000000 for all of them. */
const MUTANTS = Number(process.env['SWAPFOLD_MUTANTS'] ?? 2000);

const WATCH: WatcherMessage = {
  ...{ uuid: '3447b727-fe93-4357-8e5a-8cf2699b7e86', secret_hash: 'ef'.repeat(20), lock_duration: 7800 },
  ...{ maker_payment_spend_preimage: 'aa', taker_payment_refund_preimage: 'bb', maker_payment_hash: '05'.repeat(32) },
  ...{ taker_coin: 'KMD', taker_amount: null, taker_fee_hash: '01'.repeat(32), taker_payment_hash: '02'.repeat(32) },
  ...{ taker_coin_start_block: 1000, taker_payment_confirmations: 1, taker_payment_requires_nota: null },
  ...{ maker_coin: 'DOC', maker_amount: null, maker_pub: `02${'03'.repeat(32)}`, taker_pub: null },
  ...{ maker_coin_start_block: 2000, swap_started_at: 1_700_000_000 as UnixSeconds },
};

type Draw = (below: number) => number;

/** Numbers that are the same in each run (mulberry32). */
function draws(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const EDGES = [0x00, 0x7f, 0x80, 0x90, 0xc0, 0xc4, 0xc6, 0xcf, 0xd9, 0xdc, 0xdd, 0xde, 0xdf, 0xff];

/** Some bytes changed, cut, repeated, put in or taken out. */
function mutant(sound: Uint8Array, draw: Draw): Uint8Array {
  let bytes = sound.slice();
  for (let times = 1 + draw(4); times > 0; times--) {
    const at = draw(bytes.length + 1);
    const kind = draw(5);
    if (kind === 0 && at < bytes.length) bytes[at] = EDGES[draw(EDGES.length)] ?? 0;
    else if (kind === 1 && at < bytes.length) bytes[at] = (bytes[at] as number) ^ (1 << draw(8));
    else if (kind === 2) bytes = bytes.slice(0, at);
    else if (kind === 3) bytes = Uint8Array.of(...bytes.slice(0, at), draw(256), ...bytes.slice(at));
    else bytes = Uint8Array.of(...bytes.slice(0, at), ...bytes.slice(at, at + 1 + draw(20)), ...bytes.slice(at));
  }
  return bytes;
}

const SECRET = new Uint8Array(32).fill(7);
const KEY = curve.publicKeyOf(SECRET, true);

function seal(payload: Uint8Array): Uint8Array {
  const { signature } = curve.sign({ hash: sha256(payload), secretKey: SECRET });
  return encodeEnvelope({ key: KEY, signature, payload });
}

const YES = encodeSwapMessage({ kind: 'negotiated', accepted: true });
const PAYLOADS: readonly (readonly [TopicKind, Uint8Array])[] = [
  ['swap', YES],
  ['swap', encodeSwapMessage({ kind: 'takerFee', tx: { tx_hex: 'ab'.repeat(90), tx_hash: '' } })],
  ['orders', encodeOrderMessage(REQUEST)],
  ['watchers', encodeWatcherMessage(WATCH)],
];
const ENVELOPES = PAYLOADS.map(([kind, payload]) => [kind, seal(payload)] as const);
const FRAMES: readonly Uint8Array[] = [
  encodeFrame({ iAmRelay: true, included: { included: true, meshSize: 3 }, meshSize: 9, grafts: ['a'], prunes: ['b'] }),
  encodeFrame({ subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }] }),
  encodeFrame({
    publications: ENVELOPES.map(([, data]) => ({
      ...{ from: new Uint8Array(38).fill(2), seqno: new Uint8Array(8).fill(3), topic: 'swap/a', data },
    })),
  }),
];

/** Amounts are whole numbers that JSON has no form for. */
function textOf(told: object): string {
  return JSON.stringify(told, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Reads all mutants, and fails where more is kept of them than a small part of each. */
function requireNothingKept(read: () => void): void {
  const times = Math.ceil(MUTANTS / 2);
  const kept = keptBytes(read, times);
  expect(kept).toBeLessThan(64 * 1024 + 32 * times);
}

/** Whether each of these was seen often enough for the others to mean something. */
const areOften = (...counts: readonly number[]): boolean => counts.every((count) => count > MUTANTS / 50);

describe(`${MUTANTS} mutants`, () => {
  it('of frames, cut anywhere, make no reader throw and none keep much', () => {
    const draw = draws(0x5eed);
    let [read, refused] = [0, 0];
    requireNothingKept(() => {
      const sound = FRAMES[draw(FRAMES.length)] as Uint8Array;
      const bytes = mutant(draw(2) === 0 ? sound : withLength(sound), draw);
      if (decodeFrame(bytes).ok) read += 1;
      else refused += 1;
      const splitter = createFrameSplitter(1_048_476);
      const cut = draw(bytes.length + 1);
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) splitter.push(part);
      for (let next = splitter.next(); next.is === 'frame'; next = splitter.next()) decodeFrame(next.frame);
      if (splitter.held() > 8192) expect(splitter.held()).toBeLessThanOrEqual(8192);
    });
    expect(areOften(read, refused)).toBe(true);
  });

  it('of envelopes make no reader throw, and none that says something else passes as signed', () => {
    const draw = draws(0xca5e);
    const sound = new Map(ENVELOPES.map(([kind, data]) => [textOf(readPublication(kind, data)), kind]));
    const found = { signed: 0, forged: 0, unknown: 0 };
    requireNothingKept(() => {
      const [kind, data] = ENVELOPES[draw(ENVELOPES.length)] as (typeof ENVELOPES)[number];
      const told = readPublication(kind, mutant(data, draw));
      found[told.is] += 1;
      // A mutant may be sound again: the same bytes, or the same number in more of them.
      if (told.is === 'signed') expect(sound.has(textOf(told))).toBe(true);
    });
    expect(areOften(found.forged, found.unknown)).toBe(true);
  });

  it('of messages, each in a sound envelope, make no reader throw and none keep much', () => {
    const draw = draws(0xfee);
    const found = { signed: 0, forged: 0, unknown: 0 };
    requireNothingKept(() => {
      const [kind, payload] = PAYLOADS[draw(PAYLOADS.length)] as (typeof PAYLOADS)[number];
      found[readPublication(kind, seal(mutant(payload, draw))).is] += 1;
    });
    expect(found.forged).toBe(0);
    expect(areOften(found.signed, found.unknown)).toBe(true);
  });

  it('of requests and answers about the time make no reader throw and none keep much', () => {
    const draw = draws(0x71e);
    const sound = [encodeClockRequest(), encodeClockAnswer(1_700_000_000 as UnixSeconds), encodeClockAnswer(null)];
    const found = { asked: 0, read: 0, refused: 0 };
    requireNothingKept(() => {
      const bytes = mutant(sound[draw(sound.length)] as Uint8Array, draw);
      found[decodeClockAnswer(bytes).ok ? 'read' : 'refused'] += 1;
      if (isClockRequest(bytes)) found.asked += 1;
    });
    expect(areOften(found.read, found.refused, found.asked)).toBe(true);
  });

  it('of requests and answers about relays make no reader throw, none keep much, and none name more than twenty', () => {
    const draw = draws(0x2e1a);
    const relay = { id: new Uint8Array(38).fill(4), addresses: ['/ip4/8.8.8.8/tcp/42845'] };
    const sound = [encodeRelaysRequest(20), ...[0, 1, 3].map((count) => encodeKnownRelays(Array(count).fill(relay)))];
    const found = { asked: 0, read: 0, refused: 0 };
    requireNothingKept(() => {
      const bytes = mutant(sound[draw(sound.length)] as Uint8Array, draw);
      const told = decodeKnownRelays(bytes);
      found[told.ok ? 'read' : 'refused'] += 1;
      const wanted = decodeRelaysRequest(bytes);
      if (wanted !== null) found.asked += 1;
      const most = Math.max(told.ok ? told.value.length : 0, wanted ?? 0);
      if (most > 20) expect(most).toBeLessThanOrEqual(20);
    });
    expect(areOften(found.read, found.refused, found.asked)).toBe(true);
  });

  it('of health checks make no reader throw, none keep much, and none that says something else is accepted', async () => {
    const draw = draws(0x4ea1);
    const clock = virtualClock();
    const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys');
    const key = await generateKeyPairFromSeed('Ed25519', SECRET);
    // A buffer would share what its mutants change.
    const sound = Uint8Array.from(
      await writeHealth(key, { until: Math.floor(clock.now() / 1000) + 9, isReply: false }),
    );
    const answers = { burst: 1, perSecond: 1 };
    const health = createHealth({ ...{ clock, answers, identity: new Uint8Array(32) }, say: () => {} });
    const found = { taken: 0, read: 0, refused: 0 };
    requireNothingKept(() => {
      const bytes = mutant(sound, draw);
      const read = decodeHealthCheck(bytes);
      const isTaken = health.take(health.topic, bytes);
      found[isTaken ? 'taken' : read.ok ? 'read' : 'refused'] += 1;
      // A mutant may be sound again: the same number in more bytes.
      if (isTaken && read.ok) expect(bytesToHex(encodeHealthCheck(read.value))).toBe(bytesToHex(sound));
    });
    expect(areOften(found.read, found.refused)).toBe(true);
  });
});
