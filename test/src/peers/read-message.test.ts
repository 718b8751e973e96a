import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage } from '../../../src/peers/read-message.ts';
import { sample } from '../../machines/watcher/support.ts';

const TX = { tx_hex: 'AB01', tx_hash: 'cd'.repeat(32) };

it('reads what the protocol has, in canonical spelling and without unknown members', () => {
  expect(readMessage({ kind: 'takerFee', tx: { ...TX, note: 'x' }, more: 1 })).toEqual({
    ok: true,
    message: { kind: 'takerFee', tx: { tx_hex: 'ab01', tx_hash: 'cd'.repeat(32) } },
  });
});

it('names the member at fault', () => {
  expect(readMessage({ kind: 'takerFee', tx: { tx_hex: 'zz', tx_hash: '' } })).toMatchObject({
    ok: false,
    path: '/tx/tx_hex',
  });
  expect(readMessage({ kind: 'makerPayment', tx: TX, instructions: { Odd: 1 } })).toMatchObject({ ok: false });
  expect(readMessage({ kind: 'negotiation', offer: { version: 9 } })).toMatchObject({ ok: false });
});

it('bounds what a sender can make the receiver keep', () => {
  const tx = { tx_hex: 'ab'.repeat(200_001), tx_hash: 'cd' };
  expect(readMessage({ kind: 'takerPayment', tx }).ok).toBe(false);
  expect(readMessage({ kind: 'takerPayment', tx: { tx_hex: 'ab', tx_hash: 'cd'.repeat(200) } }).ok).toBe(false);
});

it('a value that throws when it is read is not a message', () => {
  const thrower = {
    get kind(): string {
      throw new Error('no');
    },
  };
  expect(readMessage(thrower)).toMatchObject({ ok: false });
  expect(readMessage({ kind: 'takerFee', tx: new Proxy({}, { get: () => fail() }) })).toMatchObject({ ok: false });
  expect(readMessage({ kind: 'makerPayment', tx: TX, instructions: { Lightning: 'x'.repeat(5_000_000) } }).ok).toBe(
    false,
  );
});

function fail(): never {
  throw new Error('no');
}

it('never throws, and accepts no unknown kind', () => {
  const kinds = [
    'negotiation',
    'negotiationReply',
    'negotiated',
    'takerFee',
    'makerPayment',
    'takerPayment',
    'watcher',
    'transaction',
  ];
  const value = fc.oneof(
    fc.anything(),
    fc.record({ kind: fc.constantFrom(...kinds), tx: fc.anything(), offer: fc.anything(), accepted: fc.anything() }),
  );
  fc.assert(
    fc.property(value, (given) => {
      const read = readMessage(given);
      if (read.ok) expect(kinds).toContain(read.message.kind);
      else expect(typeof read.path).toBe('string');
    }),
  );
});

it('reads what a taker of the real node hands to watchers: bytes as numbers, no amounts, no key', () => {
  const bytes = (hex: string) => [...Buffer.from(hex, 'hex')];
  const { taker_amount, maker_amount, taker_pub, ...told } = sample.watch;
  const asNumbers = {
    ...told,
    secret_hash: bytes(told.secret_hash),
    maker_payment_spend_preimage: bytes(told.maker_payment_spend_preimage),
    taker_payment_refund_preimage: new Uint8Array(bytes(told.taker_payment_refund_preimage)),
    taker_fee_hash: bytes(told.taker_fee_hash),
    taker_payment_hash: bytes(told.taker_payment_hash),
    maker_payment_hash: bytes(told.maker_payment_hash),
    maker_pub: bytes(told.maker_pub),
  };
  expect([taker_amount, maker_amount, taker_pub]).not.toContain(null);
  const missing = { taker_amount: null, maker_amount: null, taker_pub: null };
  for (const watch of [told, asNumbers]) {
    expect(readMessage({ kind: 'watcher', watch })).toEqual({
      ok: true,
      message: { kind: 'watcher', watch: { ...told, ...missing } },
    });
  }
  expect(readMessage({ kind: 'watcher', watch: { ...told, secret_hash: [1, 256] } }).ok).toBe(false);
  expect(readMessage({ kind: 'watcher', watch: { ...told, taker_payment_hash: new Array(129).fill(1) } }).ok).toBe(
    false,
  );
});
