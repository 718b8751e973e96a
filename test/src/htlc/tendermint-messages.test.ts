import { BinaryWriter } from 'cosmjs-types/binary';
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CreateHtlc,
  coinsText,
  decodeTendermintMessage,
  encodeTendermintMessage,
  type HtlcModule,
} from '../../../src/htlc/tendermint-messages.ts';
import { decodeStoredHtlc, encodeStoredHtlc, type StoredHtlc } from '../../../src/htlc/tendermint-stored.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';

// The numbers of the fields are those of the modules' own descriptions; the writer is another implementation's.

const COINS = [
  { denom: 'uiris', amount: 2_400_000n },
  { denom: 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', amount: 7n },
];
const HASH = 'a1'.repeat(32);

function coin({ denom, amount }: (typeof COINS)[number]): Uint8Array {
  return Coin.encode(Coin.fromPartial({ denom, amount: String(amount) })).finish();
}

function any(typeUrl: string, value: BinaryWriter): string {
  return bytesToHex(BinaryWriter.create().uint32(10).string(typeUrl).uint32(18).bytes(value.finish()).finish());
}

const tag = (field: number, wire: number) => (field << 3) | wire;

function create(module: HtlcModule): CreateHtlc {
  return {
    ...{ kind: 'create', module, sender: 'a sender', to: 'a receiver', coins: COINS, hashLock: HASH },
    ...{ timestamp: 0n, timeLock: 1560n, isTransfer: false },
  };
}

describe('messages of the HTLC modules', () => {
  it('a payment of irismod has its fields where the module reads them', () => {
    const value = BinaryWriter.create().uint32(tag(1, 2)).string('a sender').uint32(tag(2, 2)).string('a receiver');
    for (const each of COINS) value.uint32(tag(5, 2)).bytes(coin(each));
    value.uint32(tag(6, 2)).string(HASH).uint32(tag(8, 0)).uint64(1560n);
    const bytes = encodeTendermintMessage(create('irismod'));
    expect(bytesToHex(bytes)).toBe(any('/irismod.htlc.MsgCreateHTLC', value));
    expect(decodeTendermintMessage(bytes)).toEqual(create('irismod'));
  });

  it('a payment of nucleus has them elsewhere', () => {
    const value = BinaryWriter.create().uint32(tag(1, 2)).string('a sender').uint32(tag(2, 2)).string('a receiver');
    for (const each of COINS) value.uint32(tag(3, 2)).bytes(coin(each));
    value.uint32(tag(4, 2)).string(HASH).uint32(tag(6, 0)).uint64(1560n);
    const bytes = encodeTendermintMessage(create('nucleus'));
    expect(bytesToHex(bytes)).toBe(any('/nucleus.htlc.MsgCreateHTLC', value));
    expect(decodeTendermintMessage(bytes)).toEqual(create('nucleus'));
  });

  it.each(['irismod', 'nucleus'] as const)(
    'a claim of %s names whoever claims, the payment and the secret',
    (module) => {
      const value = BinaryWriter.create().uint32(10).string('me').uint32(18).string('ID').uint32(26).string('5e');
      const claim = { kind: 'claim', module, sender: 'me', id: 'ID', secret: '5e' } as const;
      const bytes = encodeTendermintMessage(claim);
      expect(bytesToHex(bytes)).toBe(any(`/${module}.htlc.MsgClaimHTLC`, value));
      expect(decodeTendermintMessage(bytes)).toEqual(claim);
    },
  );

  it('a payment that names somebody on another chain, or is a transfer there, is recognized as one', () => {
    for (const [field, set] of [
      [3, (writer: BinaryWriter) => writer.uint32(tag(3, 2)).string('bnb1')],
      [4, (writer: BinaryWriter) => writer.uint32(tag(4, 2)).string('bnb1')],
      [9, (writer: BinaryWriter) => writer.uint32(tag(9, 0)).bool(true)],
    ] as const) {
      const value = set(BinaryWriter.create());
      const message = BinaryWriter.create().uint32(10).string('/irismod.htlc.MsgCreateHTLC').uint32(18);
      const read = decodeTendermintMessage(message.bytes(value.finish()).finish());
      expect(read, `field ${field}`).toMatchObject({ kind: 'create', isTransfer: true });
    }
  });

  it('amounts are spelt in the id as the module spells them', () => {
    expect(coinsText(COINS.slice(0, 1))).toBe('2400000uiris');
    expect(coinsText(COINS)).toMatch(/^2400000uiris,7ibc\/27394F/);
  });

  it.each(['irismod', 'nucleus'] as const)('what %s stores comes back from the answer to its query', (module) => {
    const text = fc.string({ maxLength: 40 });
    const count = fc.bigInt({ min: 0n, max: 1n << 40n });
    const stored: fc.Arbitrary<StoredHtlc> = fc.record({
      ...{ id: fc.string({ minLength: 1, maxLength: 64 }), sender: text, to: text, coins: fc.constant(COINS) },
      ...{ hashLock: text, secret: text, timestamp: count, expirationHeight: count, closedBlock: count },
      state: fc.constantFrom('open' as const, 'completed' as const, 'refunded' as const),
      isTransfer: module === 'irismod' ? fc.boolean() : fc.constant(false),
    });
    fc.assert(
      fc.property(stored, (kept) => {
        expect(decodeStoredHtlc(module, encodeStoredHtlc(module, kept))).toEqual(kept);
      }),
    );
  });

  it('what irismod answers has its fields where the module writes them', () => {
    const kept = BinaryWriter.create().uint32(tag(1, 2)).string('ID').uint32(tag(2, 2)).string('s');
    kept
      .uint32(tag(3, 2))
      .string('t')
      .uint32(tag(6, 2))
      .bytes(coin(COINS[0] as (typeof COINS)[number]));
    kept.uint32(tag(7, 2)).string(HASH).uint32(tag(8, 2)).string('5e').uint32(tag(10, 0)).uint64(1700n);
    kept.uint32(tag(11, 0)).uint64(1n).uint32(tag(12, 0)).uint64(900n).uint32(tag(14, 0)).uint64(2n);
    const answer = BinaryWriter.create().uint32(10).bytes(kept.finish()).finish();
    expect(decodeStoredHtlc('irismod', answer)).toEqual({
      ...{ id: 'ID', sender: 's', to: 't', coins: COINS.slice(0, 1), hashLock: HASH, secret: '5e', timestamp: 0n },
      ...{ expirationHeight: 1700n, state: 'completed', closedBlock: 900n, isTransfer: false },
    });
    expect(decodeStoredHtlc('irismod', new Uint8Array(0))).toBe(undefined);
  });
});
