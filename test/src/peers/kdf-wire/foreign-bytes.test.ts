import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeClockAnswer,
  encodeClockAnswer,
  encodeClockRequest,
  isClockRequest,
} from '../../../../src/peers/kdf-wire/clock-request.ts';
import { decodeEnvelope, encodeEnvelope, isSigned } from '../../../../src/peers/kdf-wire/envelope.ts';
import { decodeFrame, encodeFrame } from '../../../../src/peers/kdf-wire/gossip-frame.ts';
import { decodeOrderMessage, encodeOrderMessage } from '../../../../src/peers/kdf-wire/order-message.ts';
import { decodeSwapMessage, encodeSwapMessage } from '../../../../src/peers/kdf-wire/swap-message.ts';
import { decodeWatcherMessage } from '../../../../src/peers/kdf-wire/watcher-message.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { CONNECT, CONNECTED, REQUEST, RESERVED } from '../../../support/order-messages.ts';

const swap = (hex: string) => decodeSwapMessage(hexToBytes(hex));

describe('forms that the framework accepts beside its own', () => {
  it.each([
    ['the name of a variant', '81aa4e65676f746961746564c3'],
    ['an index in two bytes', '81cc02c3'],
    ['an index in nine bytes', '81cf0000000000000002c3'],
  ])('%s', (_, hex) => {
    expect(swap(hex)).toEqual({ ok: true, value: { kind: 'negotiated', accepted: true } });
  });

  it('a struct as a map, in which a short hash makes the first version', () => {
    const text = (name: string) => bytesToHex(Uint8Array.of(0xa0 + name.length)) + Buffer.from(name).toString('hex');
    const entries = [
      `${text('started_at')}ce6553f100`,
      `${text('payment_locktime')}ce65542df0`,
      `${text('secret_hash')}dc0014${'07'.repeat(20)}`,
      `${text('persistent_pubkey')}c421${'03'.repeat(33)}`,
      `${text('of_a_later_release')}9301a2414293c0c2cb3ff0000000000000`,
    ];
    const value = {
      kind: 'negotiation',
      offer: {
        version: 1,
        started_at: 1_700_000_000,
        payment_locktime: 1_700_015_600,
        secret_hash: '07'.repeat(20),
        persistent_pubkey: '03'.repeat(33),
      },
    };
    expect(swap(`810085${entries.join('')}`)).toEqual({ ok: true, value });
  });

  it.each([
    ['bytes as bytes', '8105c403010203'],
    ['an enum as an array', '9202c3'],
    ['something behind the message', '8102c3c0'],
    ['a variant that there is none of', '8106c3'],
    ['two entries', '8202c302c3'],
    ['a flag that is a number', '810201'],
    ['more members than there are bytes', '8105dd7fffffff01'],
    ['a byte above 255', '810591cd0100'],
    ['a negotiation of five members', '8100950102030405'],
  ])('but not %s', (_, hex) => {
    expect(swap(hex)).toMatchObject({ ok: false, expected: expect.stringMatching(/^expected /) });
  });
});

it.each([
  REQUEST,
  { ...REQUEST, match_by: { type: 'Orders', data: [RESERVED.maker_order_uuid] } } as const,
  CONNECT,
  CONNECTED,
])('a message about orders survives a round trip', (message) => {
  expect(decodeOrderMessage(encodeOrderMessage(message))).toEqual({ ok: true, value: message });
});

it('infos that stand by their place are refused out of it', () => {
  expect(() => encodeOrderMessage(RESERVED)).toThrow('PEER_MESSAGE_INVALID');
});

it('a message about order books is recognized as one', () => {
  expect(decodeOrderMessage(hexToBytes('810293a0c0c0'))).toEqual({ ok: true, value: { kind: 'book' } });
});

it('every payment survives a round trip, whatever its bytes', () => {
  const hex = fc.uint8Array({ maxLength: 300 }).map((bytes) => bytesToHex(bytes));
  fc.assert(
    fc.property(hex, (tx_hex) => {
      const read = decodeSwapMessage(
        encodeSwapMessage({ kind: 'makerPayment', tx: { tx_hex, tx_hash: '' }, instructions: null }),
      );
      expect(read).toMatchObject({ ok: true, value: { kind: 'makerPayment', tx: { tx_hex }, instructions: null } });
    }),
  );
});

describe('the signature of an envelope', () => {
  const VECTOR =
    '938100c421031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078fc440506b65309ad09c439b3460753a3ce449d1e9bec1ac294c4954ed8025c3c98bc43d1c5fee53fa1f8d94e6d3f35593aac8378036539bfb545c99c63c91af2e4e7cc4038102c3';
  const read = decodeEnvelope(hexToBytes(VECTOR));
  if (!read.ok) throw new Error(read.expected);
  const { key, signature, payload } = read.value;

  it('covers every bit of the payload, the signature and the key', () => {
    for (const [index, bytes] of [key, signature, payload].entries()) {
      for (let at = 0; at < bytes.length; at++) {
        const changed = bytes.slice();
        changed[at] = (changed[at] as number) ^ 1;
        const parts = [key, signature, payload].with(index, changed) as [Uint8Array, Uint8Array, Uint8Array];
        expect(isSigned({ key: parts[0], signature: parts[1], payload: parts[2] })).toBe(false);
      }
    }
  });

  it('is invalid with a high s', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = BigInt(`0x${bytesToHex(signature.slice(32))}`);
    const high = hexToBytes(bytesToHex(signature.slice(0, 32)) + (order - s).toString(16).padStart(64, '0'));
    expect(isSigned({ key, signature: high, payload })).toBe(false);
  });

  it('is not read from an array of numbers', () => {
    expect(decodeEnvelope(hexToBytes(VECTOR.replace('c4038102c3', '93cc8102ccc3')))).toMatchObject({ ok: false });
    expect(bytesToHex(encodeEnvelope(read.value))).toBe(VECTOR);
  });
});

it('the time is requested and reported in the framework’s bytes', () => {
  expect(bytesToHex(encodeClockRequest())).toBe('9195cc8101cc8101ccc0');
  expect(isClockRequest(encodeClockRequest())).toBe(true);
  expect(isClockRequest(hexToBytes('9195cc8101cc8100ccc0'))).toBe(false);
  const now = 1_700_000_000 as UnixSeconds;
  expect(bytesToHex(encodeClockAnswer(now))).toBe('81009195ccce6553ccf100');
  expect(bytesToHex(encodeClockAnswer(null))).toBe('8101c0');
  expect(decodeClockAnswer(encodeClockAnswer(now))).toEqual({ ok: true, value: now });
  expect(decodeClockAnswer(encodeClockAnswer(null))).toEqual({ ok: true, value: null });
});

describe('a frame', () => {
  it('has the relays’ extension in the framework’s bytes', () => {
    expect(bytesToHex(encodeFrame({ iAmRelay: true }))).toBe('1a022801');
    expect(bytesToHex(encodeFrame({ included: { included: true, meshSize: 1 } }))).toBe('1a06320408011001');
    expect(bytesToHex(encodeFrame({ meshSize: 3 }))).toBe('1a023803');
  });

  it('survives a round trip', () => {
    const frame = {
      subscriptions: [
        { subscribe: true, topic: 'orbk/A:B' },
        { subscribe: false, topic: 'swap/1' },
      ],
      publications: [
        { from: Uint8Array.of(1, 2), data: new Uint8Array(300).fill(7), seqno: new Uint8Array(8).fill(9), topic: 't' },
        { from: new Uint8Array(0), data: new Uint8Array(0), seqno: null, topic: 'u' },
      ],
      grafts: ['g'],
      prunes: ['p', 'q'],
      iAmRelay: false,
      included: { included: false, meshSize: 0 },
      meshSize: 12,
    };
    expect(decodeFrame(encodeFrame(frame))).toEqual({ ok: true, value: frame });
  });

  it('with "I do not want" of a newer gossipsub is read, and says nothing about relays', () => {
    expect(decodeFrame(hexToBytes('1a042a020a00'))).toMatchObject({ ok: true, value: { iAmRelay: null } });
  });
});

it('no bytes make a decoder throw', () => {
  const decoders = [decodeSwapMessage, decodeWatcherMessage, decodeOrderMessage, decodeEnvelope, decodeFrame];
  const sound = [
    encodeOrderMessage(REQUEST),
    hexToBytes('8104929201ccff9107'),
    encodeFrame({ subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }], grafts: ['x'] }),
  ];
  const damaged = fc
    .tuple(fc.constantFrom(...sound), fc.nat(), fc.uint8Array({ maxLength: 6 }))
    .map(([bytes, at, other]) => {
      const copy = new Uint8Array(bytes);
      copy.set(other.slice(0, copy.length - (at % copy.length)), at % copy.length);
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (bytes) => {
      for (const decode of [...decoders, decodeClockAnswer]) expect(typeof decode(bytes).ok).toBe('boolean');
      isClockRequest(bytes);
    }),
    { numRuns: 1000 },
  );
});

it('a nest without end is refused at its depth', () => {
  const nest = new Uint8Array(100_000).fill(0x91);
  nest.set([0x81, 0x02]);
  expect(decodeOrderMessage(nest)).toMatchObject({ ok: false, expected: expect.stringContaining('levels') });
});
