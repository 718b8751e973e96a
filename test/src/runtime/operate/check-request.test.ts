import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../../../src/events/journal.ts';
import type { RuntimeError } from '../../../../src/runtime/index.ts';
import { checkAmounts, checkNotarisation, checkRequest } from '../../../../src/runtime/operate/check-request.ts';
import { createPair, requestOf } from '../../../support/swap-pair.ts';

const random = { bytes: (count: number) => new Uint8Array(count).fill(7) };

function refusalOf(action: () => unknown): RuntimeError | null {
  try {
    action();
    return null;
  } catch (error) {
    return error as RuntimeError;
  }
}

const check = (changes: Partial<SwapRequest>, paymentLocktime?: number) =>
  refusalOf(() =>
    checkRequest(requestOf('taker', changes), {
      random,
      ...(paymentLocktime === undefined ? {} : { paymentLocktime }),
    }),
  );

describe('the lock duration of a request', () => {
  const cases: readonly [coins: readonly [maker: string, taker: string], nota: boolean, allowed: readonly number[]][] =
    [
      [['DOC', 'MARTY'], false, [7800, 31_200]],
      [['DOC', 'MARTY'], true, [7800, 31_200]],
      [['BTC', 'MARTY'], false, [31_200, 78_000]],
      [['DOC', 'BTC-segwit'], false, [31_200, 78_000]],
      [['BCH', 'DOC'], false, [31_200]],
      [['DOC', 'TBTC-lightning'], false, [7800, 93_600]],
    ];
  for (const [[maker_coin, taker_coin], nota, allowed] of cases) {
    it(`is ${allowed.join(' or ')} for ${maker_coin} and ${taker_coin}${nota ? ', notarised' : ''}`, () => {
      const pair = { maker_coin, taker_coin, maker_payment_requires_nota: nota };
      const every = [...allowed, 0, 1, 1.5, 7799, 7801, 15_600, 31_200, 78_000, 93_600, 2 ** 60];
      for (const lock_duration of every) {
        const refusal = check({ ...pair, lock_duration });
        expect(refusal === null, String(lock_duration)).toBe(allowed.includes(lock_duration));
        if (refusal === null) continue;
        expect(refusal.code).toBe('SWAP_REQUEST_INVALID');
        expect(refusal.facts).toEqual({
          member: 'lock_duration',
          expected: `${allowed.join(' or ')} seconds for ${maker_coin} and ${taker_coin}`,
        });
      }
    });
  }

  it('may be another if the node is configured so, in the same multiples', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 100_000 }), fc.integer({ min: 1, max: 12 }), (base, factor) => {
        expect(check({ lock_duration: base * factor }, base) === null).toBe(factor === 1 || factor === 4);
      }),
    );
  });

  it('is checked against the policy of the runtime', async () => {
    const given = requestOf('taker', { lock_duration: 1200 });
    await expect(createPair().nodes.taker.runtime.startSwap(given)).rejects.toMatchObject({
      code: 'SWAP_REQUEST_INVALID',
      facts: { member: 'lock_duration' },
    });
    const short = createPair({ options: () => ({ policy: { paymentLocktime: 300 } }) });
    expect(await short.nodes.taker.runtime.startSwap(given)).toMatchObject({ known: false });
  });
});

describe('a request for notarisation', () => {
  it('is refused for a chain that cannot show it, with the member and what to do', () => {
    for (const leg of ['maker', 'taker'] as const) {
      const coin = leg === 'maker' ? 'DOC' : 'MARTY';
      const member = `${leg}_payment_requires_nota` as const;
      const refusal = refusalOf(() => checkNotarisation(requestOf('taker', { [member]: true }), () => false));
      expect(refusal?.code).toBe('SWAP_REQUEST_INVALID');
      expect(refusal?.facts).toMatchObject({ member });
      expect(String(refusal?.facts['expected'])).toContain(coin);
      expect(refusal?.next).toContain(`more confirmations of ${coin}`);
      expect(
        refusalOf(() => checkNotarisation(requestOf('taker', { [member]: true }), (of) => of === coin)),
      ).toBeNull();
    }
  });

  it('is refused before anything is written', async () => {
    const { runtime, log } = createPair().nodes.maker;
    const given = requestOf('maker', { taker_payment_requires_nota: true });
    await expect(runtime.startSwap(given)).rejects.toMatchObject({ facts: { member: 'taker_payment_requires_nota' } });
    expect(await log.find({})).toEqual([]);
  });
});

describe('the members of a request', () => {
  const wrong: readonly [member: string, changes: Record<string, unknown>][] = [
    ['maker_amount', { maker_amount: 1.5 }],
    ['maker_amount', { maker_amount: '0' }],
    ['taker_amount', { taker_amount: '-1' }],
    ['taker_amount', { taker_amount: '1'.repeat(200) }],
    ['uuid', { uuid: '../../etc' }],
    ['uuid', { uuid: undefined }],
    ['my_order_uuid', { my_order_uuid: 'x'.repeat(5_000_000) }],
    ['maker_coin', { maker_coin: `D\u0000C` }],
    ['taker_coin', { taker_coin: 'DOC' }],
    ['counterparty', { counterparty: '00'.repeat(32) }],
    ['counterparty', { counterparty: 'zz'.repeat(32) }],
    ['my_persistent_pub', { my_persistent_pub: `02${'00'.repeat(32)}` }],
    ['use_watchers', { use_watchers: 'yes' }],
    ['maker_payment_confirmations', { maker_payment_confirmations: -1 }],
    ['taker_payment_confirmations', { taker_payment_confirmations: 1n }],
    ['secret', { secret: '11'.repeat(32) }],
    ['beside', { beside: 1 }],
  ];
  it.each(wrong)('%s is named when it is wrong: %o', (member, changes) => {
    expect(check(changes as Partial<SwapRequest>)).toMatchObject({ code: 'SWAP_REQUEST_INVALID', facts: { member } });
  });

  it('are requested if they are missing, and if they are unreadable', () => {
    const thrower = Object.defineProperty({}, 'role', {
      get: () => {
        throw new Error('no');
      },
    });
    for (const given of [null, undefined, {}, [], 5, thrower]) {
      expect(refusalOf(() => checkRequest(given as never, { random }))?.code).toBe('SWAP_REQUEST_INVALID');
    }
  });

  it('name another node as the other side', () => {
    const { my_persistent_pub } = requestOf('taker');
    expect(check({ counterparty: my_persistent_pub.slice(2).toUpperCase() })?.facts).toMatchObject({
      member: 'counterparty',
    });
  });

  it('hold no guessable secret of a maker', () => {
    const given = requestOf('maker', { secret: '00'.repeat(32) });
    expect(refusalOf(() => checkRequest(given, { random }))?.facts).toMatchObject({ member: 'secret' });
  });
});

describe('an amount', () => {
  const traits = { decimals: 8, minTxAmount: 1000n };
  const refusal = (maker_amount: string) =>
    refusalOf(() => checkAmounts(requestOf('maker', { maker_amount: maker_amount as never }), () => traits));

  it('is one that the chain can send', () => {
    expect(refusal('1.12345678')).toBeNull();
    expect(refusal('0.00001')).toBeNull();
    expect(refusal('1.123456789')?.facts).toMatchObject({
      member: 'maker_amount',
      expected: expect.stringMatching(/^at most 8/),
    });
    expect(refusal('0.00000999')?.facts).toMatchObject({ expected: expect.stringMatching(/^at least 0\.00001 /) });
  });

  it('of an inactive coin is checked once the coin is active', () => {
    const request = requestOf('maker', { maker_amount: '1.123456789123' as never });
    expect(refusalOf(() => checkAmounts(request, () => undefined))).toBeNull();
  });
});
