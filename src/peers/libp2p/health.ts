import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Clock } from '../../ports/clock.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { drawMessage, openAccount, type Rate } from '../allowance.ts';
import { decodeHealthCheck, encodeHealthCheck, type HealthCheck, healthPayload } from '../kdf-wire/health-check.ts';
import { HEALTH } from '../kdf-wire/topics.ts';
import { createSeen } from './seen.ts';

export type HealthOptions = {
  readonly clock: Clock;
  /** Seed of the node's identity, 32 bytes. */
  readonly identity: Uint8Array;
  /** Bound on the answers given. */
  readonly answers: Rate;
  readonly say: (topic: string, data: Uint8Array) => void;
};

/** Health checks, as nodes exchange them. */
export type Health = {
  /** The topic on which this node is asked. */
  readonly topic: string;
  /** Answers a request to this node. @returns whether the request is valid, so that a relay passes it on */
  readonly take: (topic: string, data: Uint8Array) => boolean;
};

/** Seconds for which a check is valid. */
const LASTS = 10;
/** Minimum remaining lifetime of an answer, in seconds, to be given again: many requests do not cause many signatures. */
const REUSED = 5;

/** Most bytes of a check, including what its sender adds: a fourth of that is usual. */
const MOST_BYTES = 1024;
/** Lifetime of an answer in milliseconds, and how many answers are cached. */
const SERVED = { keep: (LASTS - REUSED) * 1000, most: 1000 };

/** The prefix that turns 32 bytes into a key: of ed25519 in libp2p’s form, and in Node’s. */
const LIBP2P_KEY = '08011220';
const SPKI_KEY = '302a300506032b6570032100';
const PKCS8_SEED = '302e020100300506032b657004220420';
/** A peer id of ed25519 is its key itself: the identity hash, of 36 bytes. */
const PEER_ID = '0024';
const KEY_BYTES = 32;

export function createHealth({ clock, identity, answers, say }: HealthOptions): Health {
  const secret = createPrivateKey({ key: der(PKCS8_SEED, identity), format: 'der', type: 'pkcs8' });
  const own = hexToBytes(`${LIBP2P_KEY}${bytesToHex(rawKeyOf(secret))}`);
  const ownTopic = topicOf(own);
  const allowance = { messages: answers, weight: answers };
  const account = openAccount(allowance, clock.now());
  const now = (): number => Math.floor(clock.now() / 1000);
  const served = createSeen(SERVED);
  let last: { readonly until: number; readonly bytes: Uint8Array } | null = null;

  const answer = (): Uint8Array => {
    if (last !== null && last.until > now() + REUSED && last.until <= now() + LASTS) return last.bytes;
    const until = now() + LASTS;
    const word = { key: own, expiresAt: until as UnixSeconds, isReply: true };
    const bytes = encodeHealthCheck({ ...word, signature: sign(null, healthPayload(word), secret) });
    last = { until, bytes };
    return bytes;
  };
  return {
    topic: ownTopic,
    take(topic, data) {
      if (data.length > MOST_BYTES) return false;
      const read = decodeHealthCheck(data);
      if (!read.ok || !isDue(read.value, now()) || !isSignedByIdentity(read.value)) return false;
      const { key, isReply } = read.value;
      // Repeating another node's request causes no second answer.
      const isAsked = topic === ownTopic && !isReply && served.isNew(bytesToHex(key), clock.now());
      if (isAsked && drawMessage(account, { allowance, now: clock.now() })) say(topicOf(key), answer());
      return true;
    },
  };
}

/** Neither expired, nor valid for longer than allowed. */
function isDue({ expiresAt }: HealthCheck, now: number): boolean {
  return expiresAt > now && expiresAt - now <= LASTS;
}

function isSignedByIdentity({ signature, ...word }: HealthCheck): boolean {
  const { key } = word;
  if (key.length !== LIBP2P_KEY.length / 2 + KEY_BYTES || !bytesToHex(key).startsWith(LIBP2P_KEY)) return false;
  const publicKey = createPublicKey({ key: der(SPKI_KEY, key.subarray(-KEY_BYTES)), format: 'der', type: 'spki' });
  return verify(null, healthPayload(word), publicKey, signature);
}

function topicOf(key: Uint8Array): string {
  return `${HEALTH}${base58.encode(hexToBytes(`${PEER_ID}${bytesToHex(key)}`))}`;
}

function rawKeyOf(secret: KeyObject): Uint8Array {
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
}

function der(head: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([hexToBytes(head), bytes]);
}
