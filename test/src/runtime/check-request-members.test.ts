import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../../src/events/journal.ts';
import type { RuntimeError } from '../../../src/runtime/index.ts';
import {
  checkAmounts,
  checkNotarisation,
  checkRequest,
  sameRequest,
} from '../../../src/runtime/operate/check-request.ts';
import { requestOf, UUID } from '../../support/swap-pair.ts';

type Changes = Readonly<Record<string, unknown>>;
const random = { bytes: (count: number) => new Uint8Array(count).fill(0x5e) };
const taker = (changes: Changes = {}) => requestOf('taker', changes as Partial<SwapRequest>);
const maker = (changes: Changes = {}) => requestOf('maker', changes as Partial<SwapRequest>);
const check = (request: SwapRequest) => checkRequest(request, { random });

function factsOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    const { code, facts, next } = error as RuntimeError;
    expect(code).toBe('SWAP_REQUEST_INVALID');
    return { ...facts, next };
  }
  return null;
}
const CORRECT = 'Nothing was written. Correct the member, then start the swap again.';
const refused = (member: string, expected: string, next = CORRECT) => ({ member, expected, next });

describe('a request that can be stored', () => {
  it('is spelled in one way: ids and keys in small letters', () => {
    const loud = { uuid: UUID.toUpperCase(), counterparty: 'AB'.repeat(32), my_persistent_pub: `02${'CD'.repeat(32)}` };
    expect(check(taker(loud))).toEqual(
      taker({ counterparty: 'ab'.repeat(32), my_persistent_pub: `02${'cd'.repeat(32)}` }),
    );
    expect(check(maker({ secret: 'AB'.repeat(32) })).secret).toBe('ab'.repeat(32));
  });

  it('has a secret of 32 random bytes for a maker that names none, and none for a taker', () => {
    expect(check(maker({ secret: null })).secret).toBe('5e'.repeat(32));
    expect(check(taker()).secret).toBeNull();
  });

  it('may be at every bound', () => {
    const coin = 'x'.repeat(64);
    for (const changes of [
      { maker_coin: coin, lock_duration: 7800 },
      { maker_coin: 'X' },
      { maker_coin: 'Ä-₿ 1' },
      { maker_amount: `0.${'0'.repeat(97)}1` },
      { maker_payment_confirmations: 0 },
      { my_order_uuid: 'x'.repeat(64) },
      { my_order_uuid: '' },
    ]) {
      expect(
        factsOf(() => check(taker(changes))),
        JSON.stringify(changes),
      ).toBeNull();
    }
  });
});

describe('a request that is refused', () => {
  const hex32 = '32 bytes in hex';
  const amount = 'a decimal number above 0, as a text';
  const texts: readonly (readonly [SwapRequest, string, string | null])[] = [
    [taker({ role: 'judge' }), 'role', 'maker or taker'],
    [taker({ uuid: 7 }), 'uuid', 'a UUID'],
    [taker({ uuid: 'x'.repeat(65) }), 'uuid', 'a UUID'],
    [taker({ uuid: 'no id' }), 'uuid', 'a UUID'],
    [taker({ my_order_uuid: 7 }), 'my_order_uuid', 'a UUID or null'],
    [taker({ my_order_uuid: 'x'.repeat(65) }), 'my_order_uuid', 'a UUID or null'],
    [taker({ maker_coin: '' }), 'maker_coin', null],
    [taker({ maker_coin: 'x'.repeat(65) }), 'maker_coin', null],
    [taker({ taker_coin: 'A\nB' }), 'taker_coin', null],
    [taker({ taker_coin: 'A\u007f' }), 'taker_coin', null],
    [taker({ taker_coin: '\ud800' }), 'taker_coin', null],
    [taker({ taker_coin: 'DOC' }), 'taker_coin', 'another coin than the maker coin'],
    [taker({ maker_amount: '0.0' }), 'maker_amount', amount],
    [taker({ taker_amount: `0.${'0'.repeat(98)}1` }), 'taker_amount', amount],
    [taker({ taker_amount: 'x' }), 'taker_amount', amount],
    [taker({ counterparty: 'ab' }), 'counterparty', hex32],
    [taker({ counterparty: 'zz'.repeat(32) }), 'counterparty', hex32],
    [taker({ counterparty: '0'.repeat(64) }), 'counterparty', 'a key that is not zero'],
    [taker({ my_persistent_pub: 'ab'.repeat(32) }), 'my_persistent_pub', '33 bytes in hex'],
    [taker({ my_persistent_pub: `02${'0'.repeat(64)}` }), 'my_persistent_pub', 'a key that is not zero'],
    [taker({ counterparty: 'B2'.repeat(32) }), 'counterparty', 'another key than the own one'],
    [taker({ lock_duration: '7800' }), 'lock_duration', 'whole seconds'],
    [taker({ lock_duration: 7801 }), 'lock_duration', '7800 or 31200 seconds for DOC and MARTY'],
    [taker({ maker_payment_confirmations: 1.5 }), 'maker_payment_confirmations', null],
    [taker({ taker_payment_confirmations: -1 }), 'taker_payment_confirmations', null],
    [taker({ maker_payment_requires_nota: 1 }), 'maker_payment_requires_nota', null],
    [taker({ taker_payment_requires_nota: null }), 'taker_payment_requires_nota', null],
    [taker({ secret: 'ab'.repeat(32) }), 'secret', 'null for a taker'],
    [maker({ secret: 'ab' }), 'secret', hex32],
    [maker({ secret: '0'.repeat(64) }), 'secret', '32 bytes that nobody can guess'],
    [taker({ use_watchers: null }), 'use_watchers', null],
    [taker({ beside: 1 }), 'beside', 'no such member'],
    [taker({ ['x'.repeat(65)]: 1 }), 'x'.repeat(64), 'no such member'],
  ];

  it('names the member, and what is expected there', () => {
    for (const [request, member, expected] of texts) {
      const facts = factsOf(() => check(request));
      expect(facts, member).toEqual(refused(member, expected ?? (expect.any(String) as never)));
    }
  });

  it('names no member if there is none to read', () => {
    const thrower = Object.defineProperty({}, 'role', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(factsOf(() => check(thrower as never))).toEqual(refused('', 'an object whose members can be read'));
    expect(factsOf(() => check(null as never))).toMatchObject({ member: '' });
  });
});

describe('an amount that a chain cannot send', () => {
  const traits = { decimals: 8, minTxAmount: 1000n };
  const facts = (request: SwapRequest, of: (coin: string) => typeof traits | undefined = () => traits) =>
    factsOf(() => checkAmounts(request, of));

  it('is refused on either side, and only if the chain is known', () => {
    expect(facts(taker())).toBeNull();
    expect(facts(taker({ maker_amount: '0.00001', taker_amount: '0.00001' }))).toBeNull();
    const fine = taker({ taker_amount: '0.123456789' });
    expect(facts(fine)).toEqual(refused('taker_amount', 'at most 8 digits after the point, as MARTY has'));
    expect(facts(fine, (coin) => (coin === 'DOC' ? traits : undefined))).toBeNull();
    const little = taker({ maker_amount: '0.00000999' });
    expect(facts(little)).toEqual(refused('maker_amount', 'at least 0.00001 DOC'));
    expect(facts(little, (coin) => (coin === 'MARTY' ? traits : undefined))).toBeNull();
  });
});

describe('a payment that must be notarized', () => {
  it('is refused if its chain cannot show that', () => {
    const facts = (changes: Changes, can: readonly string[]) =>
      factsOf(() => checkNotarisation(taker(changes), (coin) => can.includes(coin)));
    expect(facts({}, [])).toBeNull();
    expect(facts({ maker_payment_requires_nota: true }, ['DOC'])).toBeNull();
    expect(facts({ taker_payment_requires_nota: true }, ['MARTY'])).toBeNull();
    for (const [side, coin] of [
      ['maker', 'DOC'],
      ['taker', 'MARTY'],
    ]) {
      expect(facts({ [`${side}_payment_requires_nota`]: true }, [])).toEqual(
        refused(
          `${side}_payment_requires_nota`,
          `false: the adapter of ${coin} cannot tell whether a payment is notarised`,
          `Nothing was written. Require more confirmations of ${coin} instead, or use an adapter that can tell.`,
        ),
      );
    }
  });
});

describe('a request that is asked for again', () => {
  it('is the stored one for any given secret, unless it names another', () => {
    const stored = maker({ secret: 'ab'.repeat(32) });
    const given = maker({ secret: 'cd'.repeat(32) });
    expect(sameRequest(stored, given, maker({ secret: null }))).toBe(true);
    expect(sameRequest(stored, given, given)).toBe(false);
    expect(sameRequest(stored, stored, stored)).toBe(true);
    expect(sameRequest(stored, { ...given, maker_amount: '2' as never }, maker({ secret: null }))).toBe(false);
  });
});
