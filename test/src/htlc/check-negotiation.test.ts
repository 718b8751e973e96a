import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MakerNegotiated,
  makerNegotiated,
  type TakerNegotiated,
  takerNegotiated,
} from '../../../src/events/payloads.ts';
import {
  checkMakerOffer,
  checkTakerReply,
  HIDDEN_KEY,
  MAKER_REFUSED,
  type NegotiationTerms,
  negotiationTimeout,
} from '../../../src/htlc/check-negotiation.ts';
import { makerLockMultiplier, makerPaymentLock, takerPaymentLock } from '../../../src/htlc/lock-times.ts';
import { htlcPub, type NegotiationMessage, negotiationMessage, swapContract } from '../../../src/htlc/negotiation.ts';
import { addSeconds, unixSecondsOf } from '../../../src/primitives/time.ts';

const hex = (count: number) =>
  fc.uint8Array({ minLength: count, maxLength: count }).map((bytes) => Buffer.from(bytes).toString('hex'));
const key = hex(33);

/** A key rule that knows one bad key, so that a test decides which key fails. */
const BAD_KEY = 'bad';
const rule = (key: string) => (key === BAD_KEY ? 'InvalidPubKey: "bad"' : null);

type Case = { readonly own: NegotiationTerms; readonly message: NegotiationMessage };

const shared = fc.record({
  startedAt: fc.integer({ min: 1_500_000_000, max: 4_000_000_000 }),
  skew: fc.integer({ min: -60, max: 60 }),
  lockDuration: fc.oneof(fc.constantFrom(7800, 31_200, 78_000, 93_600), fc.integer({ min: 60, max: 200_000 })),
  takerCoin: fc.constantFrom('DOC', 'BTC', 'tBTC-lightning'),
  contract: fc.option(hex(20)),
  fallback: fc.option(hex(20)),
  secretHash: fc.oneof(hex(20), hex(32)),
  keys: fc.record({ persistent: key, makerCoin: fc.option(key), takerCoin: fc.option(key) }),
  sameKeys: fc.boolean(),
});

/** A message made by the rule, and the terms of the side that receives it. */
function cases(sender: 'maker' | 'taker'): fc.Arbitrary<Case> {
  return shared.map(({ startedAt, skew, lockDuration, takerCoin, contract, fallback, secretHash, keys, sameKeys }) => {
    const theirStart = unixSecondsOf(startedAt + skew);
    const multiplier = makerLockMultiplier(takerCoin);
    const paymentLock =
      sender === 'maker'
        ? makerPaymentLock(theirStart, lockDuration, { multiplier })
        : takerPaymentLock(theirStart, lockDuration);
    const { persistent } = keys;
    const theirKeys = sameKeys ? { persistent, makerCoin: persistent, takerCoin: persistent } : keys;
    const contracts = { makerCoin: contract, takerCoin: null };
    const makerCoin =
      contract === null ? { kind: 'none' as const } : { kind: 'contract' as const, address: contract, fallback };
    return {
      own: {
        startedAt: unixSecondsOf(startedAt),
        lockDuration,
        takerCoin,
        contracts: { makerCoin, takerCoin: { kind: 'none' } },
        keys: { makerCoin: rule, takerCoin: rule },
      },
      message: negotiationMessage({ startedAt: theirStart, paymentLock, secretHash, keys: theirKeys, contracts }),
    };
  });
}

/** Each key and contract stands under the coin for which the message names it. */
function expectAgreed(negotiated: TakerNegotiated | MakerNegotiated, message: NegotiationMessage): void {
  expect(negotiated.maker_coin_htlc_pubkey).toBe(htlcPub(message, 'makerCoin'));
  expect(negotiated.taker_coin_htlc_pubkey).toBe(htlcPub(message, 'takerCoin'));
  expect(negotiated.maker_coin_swap_contract_addr).toBe(swapContract(message, 'makerCoin'));
  expect(negotiated.taker_coin_swap_contract_addr).toBe(swapContract(message, 'takerCoin'));
}

describe('an offer made by the rule', () => {
  it('is accepted, and gives what the taker stores', () => {
    fc.assert(
      fc.property(cases('maker'), ({ own, message }) => {
        const result = checkMakerOffer(message, own);
        if (!result.ok) throw new Error(result.error);
        const negotiated: TakerNegotiated = result.negotiated;
        expect(takerNegotiated.parse(negotiated)).toEqual(negotiated);
        expect(Object.keys(negotiated)).toEqual(Object.keys(takerNegotiated.shape));
        expect(negotiated.maker_payment_locktime).toBe(message.payment_locktime);
        // The specification asks for the persistent key; only the third version of the message does not tell it.
        expect(negotiated.maker_pubkey).toBe(message.version === 3 ? HIDDEN_KEY : message.persistent_pubkey);
        expect(negotiated.secret_hash).toBe(message.secret_hash);
        expectAgreed(negotiated, message);
      }),
    );
  });
});

describe('a reply made by the rule', () => {
  it('is accepted, and gives what the maker stores', () => {
    fc.assert(
      fc.property(cases('taker'), ({ own, message }) => {
        const result = checkTakerReply(message, own);
        if (!result.ok) throw new Error(result.error);
        const negotiated: MakerNegotiated = result.negotiated;
        expect(makerNegotiated.parse(negotiated)).toEqual(negotiated);
        expect(Object.keys(negotiated)).toEqual(Object.keys(makerNegotiated.shape));
        expect(negotiated.taker_payment_locktime).toBe(message.payment_locktime);
        expect(negotiated.taker_pubkey).toBe(HIDDEN_KEY);
        expectAgreed(negotiated, message);
      }),
    );
  });

  it('may echo any secret hash', () => {
    fc.assert(
      fc.property(cases('taker'), fc.string(), ({ own, message }, secret_hash) => {
        expect(checkTakerReply({ ...message, secret_hash }, own).ok).toBe(true);
      }),
    );
  });
});

type Fault = { readonly name: string; readonly spoil: (at: Case) => Case; readonly text: (at: Case) => string };

const V3 = {
  version: 3 as const,
  maker_coin_htlc_pub: '02'.repeat(33),
  taker_coin_htlc_pub: '03'.repeat(33),
  maker_coin_swap_contract: null,
  taker_coin_swap_contract: null,
};

function asV3(message: NegotiationMessage): Extract<NegotiationMessage, { version: 3 }> {
  const { started_at, payment_locktime, secret_hash } = message;
  const own = message.version === 3 ? message : V3;
  const contract = message.version === 1 ? null : message.maker_coin_swap_contract;
  return { ...V3, ...own, started_at, payment_locktime, secret_hash, maker_coin_swap_contract: contract };
}

const UNKNOWN_CONTRACT = 'ee'.repeat(20);
const supplied = `UnexpectedOtherAddr, addr supplied Bytes([${Array(20).fill(238).join(', ')}])`;
const strict = { kind: 'contract', address: 'aa'.repeat(20), fallback: null } as const;

/** In the order of the checks. Each spoils what one check looks at and nothing that an earlier one looks at. */
function faults(sender: 'maker' | 'taker'): readonly Fault[] {
  const other = sender;
  const spoilContract = (coin: 'makerCoin' | 'takerCoin'): Fault => ({
    name: `${coin} contract`,
    spoil: ({ own, message }) => {
      const member = coin === 'makerCoin' ? 'maker_coin_swap_contract' : 'taker_coin_swap_contract';
      return {
        own: { ...own, contracts: { ...own.contracts, [coin]: strict } },
        message: { ...asV3(message), [member]: UNKNOWN_CONTRACT },
      };
    },
    text: () => `!${coin === 'makerCoin' ? 'maker' : 'taker'}_coin.negotiate_swap_contract_addr ${supplied}`,
  });
  const spoilKey = (member: 'maker_coin_htlc_pub' | 'taker_coin_htlc_pub'): Fault => ({
    name: member,
    spoil: ({ own, message }) => ({ own, message: { ...asV3(message), [member]: BAD_KEY } }),
    text: () => `!${other}_data.${member} InvalidPubKey: "bad"`,
  });
  const list: readonly Fault[] = [
    {
      name: 'clock',
      spoil: ({ own, message }) => ({ own: { ...own, startedAt: addSeconds(message.started_at, 61) }, message }),
      text: () =>
        `The time difference between you and the ${other} cannot be longer than 60 seconds. Current difference: 61. Please make sure that your system clock is synced to the correct time before starting another swap!`,
    },
    {
      name: 'lock',
      spoil: ({ own, message }) => ({
        own,
        message: { ...message, payment_locktime: addSeconds(message.payment_locktime, 1) },
      }),
      text: ({ message }) => {
        const right = message.payment_locktime;
        return `${other}_data.payment_locktime ${right + 1} not equal to expected Some(${right})`;
      },
    },
    spoilContract('makerCoin'),
    spoilContract('takerCoin'),
    spoilKey('maker_coin_htlc_pub'),
    spoilKey('taker_coin_htlc_pub'),
  ];
  const secretHash: Fault = {
    name: 'secret hash',
    spoil: ({ own, message }) => ({ own, message: { ...message, secret_hash: '11'.repeat(21) } }),
    text: () => '!maker_data.secret_hash: secret_hash validation failed',
  };
  return sender === 'maker' ? [...list, secretHash] : list;
}

describe.each(['maker', 'taker'] as const)('a message of a %s with faults', (sender) => {
  const check = sender === 'maker' ? checkMakerOffer : checkTakerReply;
  const all = faults(sender);

  it('is refused with the text of the first fault in the order of the checks', () => {
    const chosen = fc.subarray(
      all.map((_, index) => index),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(cases(sender), chosen, (sound, indexes) => {
        const spoilt = indexes.reduceRight((at, index) => (all[index] as Fault).spoil(at), sound);
        const error = all[indexes[0] as number]?.text(sound);
        expect(check(spoilt.message, spoilt.own)).toEqual({ ok: false, error });
      }),
    );
  });

  it('is refused for a clock that differs by more than a minute, either way, and accepted up to it', () => {
    fc.assert(
      fc.property(cases(sender), fc.integer({ min: -100, max: 100 }), ({ own, message }, difference) => {
        const startedAt = addSeconds(message.started_at, difference);
        const result = check(message, { ...own, startedAt });
        expect(result.ok).toBe(Math.abs(difference) <= 60);
        if (!result.ok) expect(result.error).toContain(`Current difference: ${Math.abs(difference)}.`);
      }),
    );
  });

  it('is refused for every lock but the right one, and for invalid times', () => {
    fc.assert(
      fc.property(cases(sender), fc.integer({ min: -100_000, max: 100_000 }), ({ own, message }, off) => {
        const moved = { ...message, payment_locktime: addSeconds(message.payment_locktime, off) };
        expect(check(moved, own).ok).toBe(off === 0);
        for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5]) {
          expect(check({ ...message, payment_locktime: wrong as typeof message.payment_locktime }, own).ok).toBe(false);
          expect(check({ ...message, started_at: wrong as typeof message.started_at }, own).ok).toBe(false);
        }
      }),
    );
  });

  it('is refused if the expected lock is beyond all numbers', () => {
    fc.assert(
      fc.property(cases(sender), ({ own, message }) => {
        const lockDuration = Number.MAX_SAFE_INTEGER;
        const result = check(message, { ...own, lockDuration });
        expect(result).toEqual({
          ok: false,
          error: `${sender}_data.payment_locktime ${message.payment_locktime} not equal to expected None`,
        });
      }),
    );
  });
});

describe('the contract of a coin', () => {
  const rules = { kind: 'contract', address: 'aa'.repeat(20), fallback: 'bb'.repeat(20) } as const;

  it('falls back for a taker, but not for a maker', () => {
    fc.assert(
      fc.property(cases('maker'), cases('taker'), (offer, reply) => {
        const spoilt = ({ own, message }: Case): Case => ({
          own: { ...own, contracts: { ...own.contracts, takerCoin: rules } },
          message: { ...asV3(message), taker_coin_swap_contract: UNKNOWN_CONTRACT },
        });
        const taker = spoilt(offer);
        const result = checkMakerOffer(taker.message, taker.own);
        expect(result.ok && result.negotiated.taker_coin_swap_contract_addr).toBe(rules.fallback);
        const silent = { ...taker, message: { ...asV3(offer.message), taker_coin_swap_contract: null } };
        const chosen = checkMakerOffer(silent.message, silent.own);
        expect(chosen.ok && chosen.negotiated.taker_coin_swap_contract_addr).toBe(rules.fallback);
        const maker = spoilt(reply);
        const unnamed = { ...asV3(reply.message), taker_coin_swap_contract: null };
        expect(checkTakerReply(unnamed, maker.own)).toEqual({
          ok: false,
          error: '!taker_coin.negotiate_swap_contract_addr NoOtherAddrAndNoFallback',
        });
        expect(checkTakerReply(maker.message, maker.own)).toEqual({
          ok: false,
          error: `!taker_coin.negotiate_swap_contract_addr ${supplied}`,
        });
      }),
    );
  });
});

describe('the remaining texts of a failed negotiation', () => {
  it('are those of the real node without its code locations', () => {
    expect(negotiationTimeout(181, 180)).toBe('"Timeout (181 > 180)"');
    expect(MAKER_REFUSED).toBe('Maker sent negotiated = false');
  });
});
