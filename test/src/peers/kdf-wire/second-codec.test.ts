import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope, isSigned } from '../../../../src/peers/kdf-wire/envelope.ts';
import { decodeFrame, encodeFrame, type GossipFrame } from '../../../../src/peers/kdf-wire/gossip-frame.ts';
import {
  decodeKnownRelays,
  decodeRelaysRequest,
  encodeKnownRelays,
  encodeRelaysRequest,
  type KnownRelay,
  MOST_KNOWN_RELAYS,
} from '../../../../src/peers/kdf-wire/known-relays.ts';
import { messageId } from '../../../../src/peers/kdf-wire/message-id.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { idOf } from '../../../support/peers/framework/message-hash.ts';
import { type PackedMap, pack, unpack, variant } from '../../../support/peers/framework/message-pack.ts';
import { type Rpc, readRpc, writeRpc } from '../../../support/peers/framework/rpc.ts';
import { frameworkKey, openSigned } from '../../../support/peers/framework/signed.ts';

// Two codecs that share no code, and the bytes that the framework's own has written.

const topic = fc.string({ maxLength: 60 });
const bytes = (most: number) => fc.uint8Array({ maxLength: most });
const size = fc.nat({ max: 0xffff_ffff });
const orNull = <T>(drawn: fc.Arbitrary<T>) => fc.option(drawn, { nil: null });

const frame: fc.Arbitrary<GossipFrame> = fc.record({
  subscriptions: fc.array(fc.record({ subscribe: fc.boolean(), topic }), { maxLength: 4 }),
  publications: fc.array(
    fc.record({
      from: bytes(64),
      data: bytes(400),
      seqno: orNull(fc.uint8Array({ minLength: 8, maxLength: 8 })),
      topic,
    }),
    { maxLength: 3 },
  ),
  grafts: fc.array(topic, { maxLength: 3 }),
  prunes: fc.constant([]),
  iAmRelay: orNull(fc.boolean()),
  included: orNull(fc.record({ included: fc.boolean(), meshSize: size })),
  meshSize: orNull(size),
});

function rpcOf({ publications, prunes: _, ...rest }: GossipFrame): Rpc {
  const published = publications.map((one) => ({
    ...one,
    from: Buffer.from(one.from),
    data: Buffer.from(one.data),
    seqno: one.seqno === null ? null : Buffer.from(one.seqno),
  }));
  return { ...rest, published };
}

describe('a frame', () => {
  it('survives a round trip, and reads the same in both codecs, whatever it holds', () => {
    fc.assert(
      fc.property(frame, (drawn) => {
        const encoded = encodeFrame(drawn);
        expect(decodeFrame(encoded)).toEqual({ ok: true, value: drawn });
        expect(readRpc(Buffer.from(encoded))).toEqual(rpcOf(drawn));
        expect(bytesToHex(writeRpc(rpcOf(drawn)))).toBe(bytesToHex(encoded));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[hex: string, rpc: Partial<Rpc>]>([
    ['1a022801', { iAmRelay: true }],
    ['1a06320408011001', { included: { included: true, meshSize: 1 } }],
    ['1a023803', { meshSize: 3 }],
  ])('%s is the same to both', (hex, rpc) => {
    expect(bytesToHex(writeRpc(rpc))).toBe(hex);
    expect(readRpc(Buffer.from(hex, 'hex'))).toMatchObject(rpc);
    expect(decodeFrame(hexToBytes(hex))).toMatchObject({ ok: true, value: rpc });
  });

  it.each([
    ['an empty number is none', '', 1],
    ['a number of three bytes loses its message', '010203', 0],
    ['a number of nine bytes loses its message', '010203040506070809', 0],
  ])('%s, and the next message is read', (_, seqno, count) => {
    const [odd, next] = [
      { from: Buffer.of(1), data: Buffer.of(2), seqno: Buffer.from(seqno, 'hex'), topic: 'swap/a' },
      { from: Buffer.of(1), data: Buffer.of(3), seqno: null, topic: 'swap/b' },
    ];
    const encoded = writeRpc({ published: [odd, next] });
    const read = decodeFrame(encoded);
    const found = read.ok ? read.value.publications : [];
    expect(found.map(({ data }) => data[0])).toEqual(count === 1 ? [2, 3] : [3]);
    expect(readRpc(encoded).published.map(({ data }) => data[0])).toEqual(found.map(({ data }) => data[0]));
    expect(found.every((one) => one.seqno === null)).toBe(true);
  });
});

it('a message has the same id to both', () => {
  expect(idOf({ data: Buffer.from('010203', 'hex'), seqno: Buffer.from('0102030405060708', 'hex') })).toBe(
    'b635541e75b943f6',
  );
  expect(idOf({ data: Buffer.alloc(0), seqno: null })).toBe('76be999e3e25b2a0');
  const seqno = orNull(fc.uint8Array({ minLength: 8, maxLength: 8 }));
  fc.assert(
    fc.property(bytes(100), seqno, (data, drawn) => {
      const theirs = idOf({ data: Buffer.from(data), seqno: drawn === null ? null : Buffer.from(drawn) });
      expect(messageId({ data, seqno: drawn })).toBe(theirs);
    }),
  );
});

it('an envelope that one has sealed is good to the other, and no other one is', () => {
  const { key, seal } = frameworkKey(Buffer.alloc(32, 1));
  const payload = Buffer.from('8102c3', 'hex');
  const sealed = seal(payload);
  const read = decodeEnvelope(sealed);
  expect(read.ok && isSigned(read.value) && bytesToHex(read.value.key)).toBe(bytesToHex(key));
  expect(bytesToHex(key)).toBe('031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f');
  expect(openSigned(sealed)).toEqual({ key, payload });
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 4;
    const other = decodeEnvelope(changed);
    expect(other.ok && isSigned(other.value)).toBe(openSigned(changed) !== null);
  }
});

const known: fc.Arbitrary<readonly KnownRelay[]> = fc.array(
  fc.record({ id: bytes(64), addresses: fc.array(fc.string({ maxLength: 40 }), { maxLength: 8 }) }),
  { maxLength: MOST_KNOWN_RELAYS },
);

describe('what relays report about one another', () => {
  it('is asked for in the bytes of the framework', () => {
    expect(bytesToHex(encodeRelaysRequest(20))).toBe('81009114');
    expect(decodeRelaysRequest(hexToBytes('81009114'))).toBe(20);
  });

  it.each([
    ['more than twenty', '81009115'],
    ['fewer than none', '810091ff'],
    ['no count', '810090'],
    ['another question', '81019114'],
    ['something behind it', '8100911400'],
    ['nothing', ''],
  ])('is not sent to a node that asks for %s', (_, hex) => {
    expect(decodeRelaysRequest(hexToBytes(hex))).toBeNull();
  });

  it('survives a round trip, and reads the same in both codecs', () => {
    fc.assert(
      fc.property(known, (relays) => {
        const encoded = encodeKnownRelays(relays);
        expect(decodeKnownRelays(encoded)).toEqual({ ok: true, value: relays });
        const pairs = relays.map(({ id, addresses }) => [[...id], [...addresses]] as const);
        expect(bytesToHex(pack(variant(0, [{ pairs }])))).toBe(bytesToHex(encoded));
        const [[, content] = []] = (unpack(Buffer.from(encoded)) as PackedMap).pairs;
        expect(content).toEqual([{ pairs }]);
      }),
    );
  });

  it('names the others although one has said much about itself', () => {
    const one = { id: new Uint8Array(38), addresses: ['/ip4/8.8.8.8/tcp/42845'] };
    const long = {
      id: new Uint8Array(38).fill(1),
      addresses: ['a'.repeat(201), ...Array.from({ length: 9 }, () => 'b')],
    };
    const read = decodeKnownRelays(encodeKnownRelays([long, one]));
    expect(read).toEqual({ ok: true, value: [{ ...long, addresses: Array.from({ length: 8 }, () => 'b') }, one] });
  });

  it('is refused as a whole if it is too much', () => {
    const one = { id: new Uint8Array(38), addresses: ['/ip4/8.8.8.8/tcp/42845'] };
    const refused = (relays: readonly KnownRelay[]) => decodeKnownRelays(encodeKnownRelays(relays)).ok;
    expect(refused(Array.from({ length: 20 }, () => one))).toBe(true);
    expect(refused(Array.from({ length: 21 }, () => one))).toBe(false);
    expect(refused([{ ...one, id: new Uint8Array(65) }])).toBe(false);
  });
});
