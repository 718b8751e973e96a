import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDER_LIMITS, readOrderMessage } from '../../../src/peers/read-order-message.ts';
import { CONNECT, CONNECTED, REQUEST, RESERVED } from '../../support/order-messages.ts';

const refused = (value: unknown) => {
  const read = readOrderMessage(value);
  if (read.ok) throw new Error('the message was read');
  return read;
};

it.each([REQUEST, RESERVED, CONNECT, CONNECTED])(
  'a sound $kind is read as it stands, without members that none has',
  (message) => {
    expect(readOrderMessage({ ...message, extra: 'x'.repeat(1_000_000) })).toEqual({ ok: true, message });
  },
);

it('other spellings come out as one', () => {
  const odd = {
    ...REQUEST,
    uuid: REQUEST.uuid.toUpperCase().replaceAll('-', ''),
    base_amount: { numer: 70n, denom: 30n },
    match_by: { type: 'Pubkeys', data: REQUEST.match_by.data.map((key) => key.toUpperCase()) },
    base_protocol_info: REQUEST.base_protocol_info.toUpperCase(),
  };
  expect(readOrderMessage(odd)).toEqual({ ok: true, message: REQUEST });
});

describe('refuses, and says where', () => {
  const many = Array.from({ length: ORDER_LIMITS.named + 1 }, () => REQUEST.uuid);
  const most = 2n ** BigInt(ORDER_LIMITS.fractionBits);
  it.each([
    ['', null],
    ['', 'takerRequest'],
    ['/kind', {}],
    ['/kind', { ...REQUEST, kind: 'makerOrderCreated' }],
    ['/kind', { ...REQUEST, kind: 'constructor' }],
    ['/uuid', { ...REQUEST, uuid: 'nobody' }],
    ['/base', { ...REQUEST, base: '' }],
    ['/rel', { ...REQUEST, rel: 'D'.repeat(65) }],
    ['/base_amount', { ...REQUEST, base_amount: { numer: 0n, denom: 1n } }],
    ['/base_amount/numer', { ...REQUEST, base_amount: { numer: -1n, denom: 1n } }],
    ['/rel_amount', { ...REQUEST, rel_amount: { numer: 1n, denom: 0n } }],
    ['/rel_amount/denom', { ...REQUEST, rel_amount: { numer: 1n, denom: most } }],
    ['/rel_amount/numer', { ...REQUEST, rel_amount: { numer: 1, denom: 1n } }],
    ['/action', { ...REQUEST, action: 'Hold' }],
    ['/match_by/type', { ...REQUEST, match_by: { type: 'None' } }],
    ['/match_by/data', { ...REQUEST, match_by: { type: 'Orders', data: many } }],
    ['/match_by/data', { ...REQUEST, match_by: { type: 'Orders' } }],
    ['/match_by/data/1', { ...REQUEST, match_by: { type: 'Pubkeys', data: ['07'.repeat(32), '07'] } }],
    ['/conf_settings/rel_confs', { ...REQUEST, conf_settings: { ...REQUEST.conf_settings, rel_confs: -1 } }],
    ['/conf_settings/rel_nota', { ...REQUEST, conf_settings: { ...REQUEST.conf_settings, rel_nota: 1 } }],
    ['/base_protocol_info', { ...REQUEST, base_protocol_info: 'ab'.repeat(ORDER_LIMITS.protocolBytes + 1) }],
    ['/rel_protocol_info', { ...RESERVED, rel_protocol_info: 'zz' }],
    ['/maker_order_uuid', { ...CONNECT, maker_order_uuid: undefined }],
  ])('%s', (path, value) => {
    expect(refused(value).path).toBe(path);
  });

  it('a member that throws when it is read', () => {
    const thrower = Object.defineProperty({ ...CONNECT }, 'maker_order_uuid', {
      get: () => {
        throw new Error('boom');
      },
    });
    expect(refused(thrower).path).toBe('/maker_order_uuid');
  });
});

it('amounts at their bounds pass exactly', () => {
  const most = 2n ** BigInt(ORDER_LIMITS.fractionBits) - 1n;
  const message = { ...RESERVED, base_amount: { numer: most, denom: most - 1n } };
  expect(readOrderMessage(message)).toEqual({ ok: true, message });
});

it('every amount comes out in lowest terms and equal to the given one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 200n }), fc.bigInt({ min: 1n, max: 2n ** 200n }), (numer, denom) => {
      const read = readOrderMessage({ ...RESERVED, rel_amount: { numer, denom } });
      if (!read.ok || read.message.kind !== 'makerReserved') throw new Error('it was not read');
      const found = read.message.rel_amount;
      expect(found.numer * denom).toBe(numer * found.denom);
      let [high, low] = [found.numer, found.denom];
      while (low !== 0n) [high, low] = [low, high % low];
      expect(high).toBe(1n);
    }),
  );
});

it('does not throw on any input', () => {
  fc.assert(fc.property(fc.anything({ withBigInt: true }), (value) => void readOrderMessage(value)));
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(REQUEST)), fc.anything({ withBigInt: true }), (name, value) => {
      readOrderMessage({ ...REQUEST, [name]: value });
    }),
  );
});
