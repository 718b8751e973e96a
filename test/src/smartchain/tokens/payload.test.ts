import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  nonFungibleData,
  opReturnPayload,
  payloadScript,
  readPayload,
  type TokenPayload,
} from '../../../../src/smartchain/tokens/payload.ts';
import { decodeChainTransaction } from '../../../../src/smartchain/transaction.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';
import { describeShared } from '../../../support/shared.ts';

describeShared('payloads of real token transactions', () => {
  type Vector = {
    hex: string;
    desc: string;
    opret: {
      eval: string;
      func: string;
      pubkey?: string;
      name?: string;
      description?: string;
      tokenid?: string;
      blobs?: unknown[];
    };
  };
  const lastScript = (hex: string) =>
    decodeChainTransaction(hexToBytes(hex))?.transaction.outputs.at(-1)?.script as Uint8Array;

  it('those of the token module are read as printed and written the same; older modules have none', () => {
    const vectors = nodeVectors<Vector>('token-transactions');
    expect(vectors.length).toBe(13);
    let read = 0;
    for (const { hex, opret, desc } of vectors) {
      const script = lastScript(hex);
      const payload = readPayload(script);
      expect(payload !== undefined, desc).toBe(opret.eval === '0xf2');
      if (payload === undefined) continue;
      read++;
      expect(bytesToHex(payloadScript(payload)), desc).toBe(bytesToHex(script));
      if (payload.kind === 'transfer') {
        expect([opret.func, payload.tokenId]).toEqual(['t', opret.tokenid]);
        continue;
      }
      const name = new TextDecoder().decode(payload.name);
      const description = new TextDecoder().decode(payload.description);
      expect([opret.func, bytesToHex(payload.owner), name, description]).toEqual([
        ...['c', opret.pubkey, opret.name, opret.description],
      ]);
    }
    expect(read).toBeGreaterThanOrEqual(8);
  });
});

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const key = fc.uint8Array({ minLength: 33, maxLength: 33 });
const blobs = fc.array(
  fc.record({ id: fc.constantFrom(0x11, 0x12, 0x80), data: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  { maxLength: 3 },
);
const payload: fc.Arbitrary<TokenPayload> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), owner: key, name: bytes(32), description: bytes(300), blobs }),
  fc.record({
    kind: fc.constant('transfer' as const),
    tokenId: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex),
    keys: fc.array(key, { maxLength: 2 }),
    blobs,
  }),
);

describe('a payload', () => {
  it('is read as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(payload, (written) => {
        expect(readPayload(payloadScript(written))).toEqual(written);
      }),
    );
  });

  it('is never read from bytes that throw, and what is read from any bytes is written and read the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.constantFrom(0x63, 0x74, 0x43), (tail, fn) => {
        const data = Uint8Array.of(0xf2, fn, ...tail);
        const read = readPayload(Uint8Array.of(0x6a, 0x4c, data.length, ...data));
        if (read !== undefined) expect(readPayload(payloadScript(read))).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });

  it('has no other function and no more than two keys', () => {
    const head = `f274${'11'.repeat(32)}`;
    const script = (hex: string) => Uint8Array.of(0x6a, 0x4c, hex.length / 2, ...hexToBytes(hex));
    expect(readPayload(script(`${head}00`))).toMatchObject({ kind: 'transfer', keys: [] });
    expect(readPayload(script(`${head}03${`21${'02'.repeat(33)}`.repeat(3)}`))).toBeUndefined();
    expect(readPayload(script(`${head}0120${'02'.repeat(32)}`))).toBeUndefined();
    expect(readPayload(script(`${head}0100`))).toMatchObject({ kind: 'transfer', keys: [] });
    const second = hexToBytes('02'.repeat(33));
    expect(readPayload(script(`${head}020021${'02'.repeat(33)}`))).toMatchObject({ keys: [second], blobs: [] });
    expect(readPayload(script('f261'))).toBeUndefined();
    expect(readPayload(script('f3740000'))).toBeUndefined();
    expect(readPayload(Uint8Array.of(0x51))).toBeUndefined();
    expect(opReturnPayload(Uint8Array.of(0x6a))).toBeUndefined();
  });

  it('with an early blob, or an id without data at its end, is read as the node reads it', () => {
    const head = `f274${'11'.repeat(32)}00`;
    const read = (hex: string) => readPayload(Uint8Array.of(0x6a, 0x4c, hex.length / 2, ...hexToBytes(hex)));
    expect(read(`${head}041152aabb`)?.blobs).toEqual([{ id: 0x11, data: hexToBytes('1152aabb') }]);
    expect(read(`${head}11`)?.blobs).toEqual([]);
    expect(read(`${head}1105aa`)).toBeUndefined();
    const nft = read(`${head}1203aabbcc1102f7aa`);
    expect(nft === undefined ? undefined : nonFungibleData(nft)).toEqual(hexToBytes('f7aa'));
  });
});
