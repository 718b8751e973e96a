import { publicKeyFromProtobuf, publicKeyToProtobuf } from '@libp2p/crypto/keys';
import type { Ed25519PrivateKey } from '@libp2p/interface';
import { type Packed, pack, unpack } from './message-pack.ts';

// Nodes ask one another whether they are there: a signature of the network's identity over the rest, then the rest.

const GOOD_FOR = 10;

/** A question, or an answer to one. */
export async function writeHealth(key: Ed25519PrivateKey, given: { until: number; isReply: boolean }): Promise<Buffer> {
  const word: Packed = [[...publicKeyToProtobuf(key.publicKey)], given.until, given.isReply];
  return pack([[...(await key.sign(pack(word)))], word]);
}

/** Who asked or answered; null for whatever is not signed by its key, too old, or good for too long. */
export async function readHealth(bytes: Buffer, now: number): Promise<{ from: string; isReply: boolean } | null> {
  try {
    const [signature, word] = unpack(bytes) as readonly [
      readonly number[],
      readonly [readonly number[], number, boolean],
    ];
    const [key, until, isReply] = word;
    if (until <= now || until > now + GOOD_FOR) return null;
    const publicKey = publicKeyFromProtobuf(Buffer.from(key));
    const isGood = await publicKey.verify(pack(word), Buffer.from(signature));
    return isGood ? { from: publicKey.toString(), isReply } : null;
  } catch {
    return null;
  }
}
