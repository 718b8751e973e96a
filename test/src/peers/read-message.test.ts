import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage } from '../../../src/peers/read-message.ts';

const TX = { tx_hex: 'AB01', tx_hash: 'cd'.repeat(32) };

it('reads what the protocol knows, in canonical spelling and without what it does not know', () => {
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

it('never throws, and takes nothing whose kind it does not know', () => {
  const kinds = [
    'negotiation',
    'negotiationReply',
    'negotiated',
    'takerFee',
    'makerPayment',
    'takerPayment',
    'watcher',
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
