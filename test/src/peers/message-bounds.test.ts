import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedCopy, bytesUpTo, membersOf, textUpTo } from '../../../src/peers/bounded-copy.ts';
import { MESSAGE_BOUNDS, MESSAGE_LIMITS } from '../../../src/peers/message-bounds.ts';
import { readMessage, takeMessage } from '../../../src/peers/read-message.ts';
import { isHex } from '../../../src/primitives/hex.ts';
import { LosslessNumber } from '../../../src/primitives/json.ts';
import { sample } from '../../machines/watcher/support.ts';
import { counted, type Meter, meteredText } from '../../support/work-meter.ts';

/** What a sender of ten megabytes may put into a member: texts, lists, objects, depth, and what lies about its length. */
const MILLION = 1_000_000;
const LONG = 'ab'.repeat(5 * MILLION);
const membersUpTo = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
const MANY = membersUpTo(100_000);
const SOME = membersUpTo(1000);
const HUGE: Readonly<Record<string, unknown>> = {
  'a long text of hex': LONG,
  'a long text that is none': `${LONG}zz`,
  'a long list of numbers': new Array(MILLION).fill(255),
  'a long list with holes': new Array(2 ** 32 - 1),
  'many bytes': new Uint8Array(10 * MILLION),
  'many members': MANY,
  'a deep nest': nest(100_000),
  'a long number': new LosslessNumber('7'.repeat(MILLION)),
  'a list that lies about its length': new Proxy([], { get: (_, name) => (name === 'length' ? 1e15 : 1) }),
};

function nest(depth: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { WatcherReward: value, tx: value };
  return value;
}

const TX = { tx_hex: 'ab01', tx_hash: 'cd'.repeat(32) };
const OFFER = {
  version: 3,
  maker_coin_htlc_pub: `02${'a7'.repeat(32)}`,
  taker_coin_htlc_pub: `03${'b9'.repeat(32)}`,
  started_at: 1_700_000_000,
  payment_locktime: 1_700_015_600,
  secret_hash: 'c4'.repeat(20),
  maker_coin_swap_contract: 'd1'.repeat(20),
  taker_coin_swap_contract: 'e2'.repeat(20),
};
const SOUND: Readonly<Record<string, object>> = {
  negotiation: { offer: OFFER },
  negotiationReply: { reply: OFFER },
  negotiated: { accepted: true },
  takerFee: { tx: TX },
  makerPayment: { tx: TX, instructions: { Lightning: 'lnbc1' } },
  takerPayment: { tx: TX },
  watcher: { watch: sample.watch },
  transaction: { tx: TX },
};

/** Every place of a message in which something can stand, as the way to it. */
function placesIn(value: unknown, way: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...way, name]))];
}

function withAt(value: unknown, [first, ...rest]: readonly string[], put: unknown): unknown {
  if (first === undefined) return put;
  const object = value as Record<string, unknown>;
  return { ...object, [first]: withAt(object[first], rest, put) };
}

/** What reading a message costs: the members that are read of it, and the characters that are looked at. */
function costOf(message: unknown): { readonly members: number; readonly characters: number } {
  const meter: Meter = { count: 0 };
  const given = counted(message, meter);
  const characters = meteredText(() => readMessage(given));
  return { members: meter.count, characters };
}

const MOST_MEMBERS = 60;

describe('what a message costs its reader', () => {
  for (const [kind, members] of Object.entries(SOUND)) {
    it(`M1: is as much for ten megabytes as for nothing, wherever in a message of kind ${kind} they are`, () => {
      const sound = { kind, ...members };
      expect(readMessage(sound)).toMatchObject({ ok: true });
      const usual = costOf(sound);
      for (const way of placesIn(sound)) {
        for (const [name, value] of Object.entries(HUGE)) {
          const message = withAt(sound, way, value);
          const { members: visited, characters } = costOf(message);
          expect({ way, name, visited: visited <= MOST_MEMBERS }).toEqual({ way, name, visited: true });
          expect({ way, name, fits: characters <= 2 * usual.characters + 1000 }).toEqual({ way, name, fits: true });
        }
      }
    });
  }

  it('M3: does not grow with members that no message has, in any of its objects', () => {
    for (const [kind, members] of Object.entries(SOUND)) {
      const sound = { kind, ...members };
      const usual = costOf(sound);
      for (const way of placesIn(sound)) {
        const object = way.reduce((value: unknown, step) => (value as Record<string, unknown>)[step], sound);
        if (typeof object !== 'object' || object === null) continue;
        const message = withAt(sound, way, { ...SOME, ...object, more: MANY, most: LONG });
        expect(readMessage(message)).toEqual(readMessage(sound));
        expect(costOf(message)).toEqual(usual);
      }
    }
  });

  it('is at most a few looks at each character of the largest that there can be', () => {
    const tx = { tx_hex: 'AB'.repeat(MESSAGE_LIMITS.transactionBytes), tx_hash: 'CD'.repeat(MESSAGE_LIMITS.hashBytes) };
    const most = tx.tx_hex.length + tx.tx_hash.length;
    for (const kind of ['takerFee', 'takerPayment', 'makerPayment', 'transaction']) {
      const message = { kind, tx };
      expect(readMessage(message)).toMatchObject({ ok: true });
      expect(costOf(message).characters).toBeLessThan(10 * most);
    }
  });

  it('is only a look at its kind if that is of no use', () => {
    const meter: Meter = { count: 0 };
    const message = counted({ kind: 'takerFee', tx: TX }, meter);
    expect(takeMessage(message, { kinds: new Set(['watcher']) })).toMatchObject({ ok: false, path: '/kind' });
    expect(meter.count).toBe(1);
  });
});

describe('the meter itself', () => {
  it('notices a reader of a long text, and one of many members', () => {
    expect(meteredText(() => isHex(LONG))).toBeGreaterThanOrEqual(LONG.length);
    expect(meteredText(() => /x/.test(LONG))).toBeGreaterThanOrEqual(LONG.length);
    expect(meteredText(() => JSON.stringify([LONG]))).toBeGreaterThanOrEqual(LONG.length);
    const meter: Meter = { count: 0 };
    Object.entries(counted({ a: 1, b: 2, c: 3 }, meter));
    [...counted([1, 2, 3, 4], meter)];
    expect(meter.count).toBeGreaterThanOrEqual(11);
  });
});

describe('a bound', () => {
  const LIMITS = Object.entries(MESSAGE_LIMITS);

  it('exists for every kind of message, and for all its parts', () => {
    expect([...MESSAGE_BOUNDS.keys()].toSorted()).toEqual(Object.keys(SOUND).toSorted());
    for (const [, most] of LIMITS) expect(Number.isSafeInteger(most) && most > 0).toBe(true);
  });

  it('lets through what just fits, and nothing beyond', () => {
    const fits = (kind: string, way: readonly string[], value: unknown) =>
      takeMessage(withAt({ kind, ...SOUND[kind] }, way, value)).ok;
    const edges: readonly (readonly [kind: string, way: readonly string[], most: number])[] = [
      ['takerFee', ['tx', 'tx_hex'], 2 * MESSAGE_LIMITS.transactionBytes],
      ['takerFee', ['tx', 'tx_hash'], 2 * MESSAGE_LIMITS.hashBytes],
      ['negotiation', ['offer', 'maker_coin_htlc_pub'], 2 * MESSAGE_LIMITS.keyBytes],
      ['negotiationReply', ['reply', 'secret_hash'], 2 * MESSAGE_LIMITS.hashBytes],
      ['makerPayment', ['instructions', 'Lightning'], MESSAGE_LIMITS.invoice],
      ['makerPayment', ['instructions', 'WatcherReward'], MESSAGE_LIMITS.amount],
      ['watcher', ['watch', 'uuid'], MESSAGE_LIMITS.uuid],
      ['watcher', ['watch', 'maker_coin'], MESSAGE_LIMITS.ticker],
      ['watcher', ['watch', 'taker_payment_refund_preimage'], 2 * MESSAGE_LIMITS.preimageBytes],
    ];
    for (const [kind, way, most] of edges) {
      expect([kind, way, fits(kind, way, 'a'.repeat(most)), fits(kind, way, 'a'.repeat(most + 1))]).toEqual([
        kind,
        way,
        true,
        false,
      ]);
    }
    const bytes = (count: number) => new Array(count).fill(7);
    const preimage = ['watch', 'maker_payment_spend_preimage'];
    expect(fits('watcher', preimage, bytes(MESSAGE_LIMITS.preimageBytes))).toBe(true);
    expect(fits('watcher', preimage, bytes(MESSAGE_LIMITS.preimageBytes + 1))).toBe(false);
  });
});

describe('a copy within bounds', () => {
  const BOUND = membersOf({ tx: membersOf({ tx_hex: bytesUpTo(8) }), note: textUpTo(5) });

  it('M2: holds what was read once, whatever a member answers the second time', () => {
    let reads = 0;
    const shifty = {
      get note() {
        reads += 1;
        return reads === 1 ? 'short' : LONG;
      },
    };
    expect(boundedCopy(shifty, BOUND)).toEqual({ ok: true, value: { note: 'short' }, weight: 8 });
    expect(reads).toBe(1);
  });

  it('names the member that throws, or that has the wrong type', () => {
    const thrower = {
      tx: {
        get tx_hex(): never {
          throw new Error('no');
        },
      },
    };
    const expected = 'expected a value that can be read';
    expect(boundedCopy(thrower, BOUND)).toMatchObject({ ok: false, path: '/tx/tx_hex', expected });
    expect(boundedCopy({ tx: 'ab' }, BOUND)).toMatchObject({
      path: '/tx',
      expected: 'expected an object, found text of 2 characters',
    });
    expect(boundedCopy({ tx: [] }, BOUND)).toMatchObject({
      path: '/tx',
      expected: 'expected an object, found an array',
    });
    expect(boundedCopy({ note: () => 5 }, BOUND)).toMatchObject({
      path: '/note',
      expected: 'expected a text of at most 5 characters, found a function',
    });
    expect(boundedCopy({ note: 'longer' }, BOUND)).toMatchObject({
      path: '/note',
      expected: 'expected a text of at most 5 characters, found text of 6 characters',
    });
    expect(boundedCopy({ tx: { tx_hex: [1, 2, 300, ...new Array(3)] } }, BOUND)).toMatchObject({
      path: '/tx/tx_hex/2',
      expected: 'expected a byte from 0 to 255',
    });
    expect(boundedCopy({ tx: { tx_hex: new Uint8Array(9) } }, BOUND)).toMatchObject({
      path: '/tx/tx_hex',
      expected: 'expected at most 8 bytes in hex or as numbers, found 9 numbers',
    });
  });

  it('weighs all that it has read, and holds nothing of the value itself', () => {
    const given = { tx: { tx_hex: [0xab, 0xcd] }, note: 'hello', more: LONG };
    const copied = boundedCopy(given, BOUND);
    expect(copied).toEqual({
      ok: true,
      value: { tx: { tx_hex: 'abcd' }, note: 'hello' },
      weight: 1 + 1 + 1 + 2 + 1 + 5,
    });
    expect(copied.ok && copied.value).not.toBe(given);
  });

  it('of any value neither throws nor weighs more than its bounds', () => {
    fc.assert(
      fc.property(fc.anything({ withTypedArray: true, withBigInt: true, withNullPrototype: true }), (tx) => {
        const { weight } = boundedCopy({ tx, note: tx }, BOUND);
        expect(weight).toBeLessThanOrEqual(3 + 1 + 16 + 5);
      }),
    );
  });
});
