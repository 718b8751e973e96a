import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGasStation, type GasStationOptions } from '../../../../src/chains/evm/gas-station.ts';
import { dayPrices, type PriceRule, priceAt } from '../../../../src/chains/evm/prices.ts';
import type { EvmLook } from '../../../../src/chains/evm/reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const GWEI = 10n ** 9n;

function station(answer: unknown, options: Partial<GasStationOptions> = {}) {
  const fetch = async () => new Response(JSON.stringify(answer));
  return createGasStation({ url: 'https://station.test/json', fetch, ...options });
}

describe('a gas station', () => {
  const TOLD = { average: 860, fast: 1000 };

  it.each([
    ['the mean of average and fast, in tenths of a gwei', {}, 93n * GWEI, TOLD],
    ['the average alone', { policy: 'Average' }, 86n * GWEI, TOLD],
    ['the average in gwei', { policy: 'Average', decimals: 9 }, 860n * GWEI, TOLD],
    ['what is called standard for average', { policy: 'Average' }, 86n * GWEI, { standard: 860 }],
    [
      'numbers with a fraction, of which what is below a wei is cut off',
      { decimals: 1, policy: 'Average' },
      12n,
      { average: 1.29 },
    ],
  ] as const)('gives %s, and a tenth more or a gwei', async (_, options, wei, told) => {
    const tenth = (wei / 100n) * 10n;
    expect(await station(told, options)()).toBe(wei + (tenth > GWEI ? tenth : GWEI));
  });

  it.each([
    ['nothing of the kind', {}],
    ['a price below zero', { average: -1, fast: 2 }],
    ['no number', { average: 'dear', fast: 2 }],
  ])('that answers %s does not know, and says why', async (_, told) => {
    const whys: string[] = [];
    expect(await station(told, { onFailure: (why) => whys.push(why) })()).toBeNull();
    expect(whys).toEqual(['the answer names no price']);
  });

  it('that refuses does not know', async () => {
    const whys: string[] = [];
    const fetch = async () => new Response('', { status: 503 });
    expect(await station({}, { fetch, onFailure: (why) => whys.push(why) })()).toBeNull();
    expect(whys).toEqual(['Gas price request failed with status code 503']);
  });
});

describe('a foreign gas station', () => {
  /** Serves each path by itself, and tells what was asked. */
  async function served(answer: (response: ServerResponse) => void) {
    const asked: (string | undefined)[] = [];
    const ended: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.on('close', () => ended.push('closed'));
      response.on('error', () => {});
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = () => {
      server.closeAllConnections();
      server.close();
    };
    onTestFinished(stop);
    return { asked, ended, host: `127.0.0.1:${port}`, stop };
  }
  const why = async (options: GasStationOptions) => {
    const whys: string[] = [];
    expect(await createGasStation({ ...options, onFailure: (text) => whys.push(text) })()).toBeNull();
    return whys.join();
  };

  it('is read no further than its bound, though it never ends', async () => {
    let sent = 0;
    const { host, ended } = await served((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(10_000))) sent += 10_000;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await why({ url: `http://${host}/` })).toBe('the answer is longer than 100000 bytes');
    await expect.poll(() => ended).toEqual(['closed']);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('is waited for no longer than its bound, though it has begun to answer', async () => {
    const { host } = await served((response) => void response.write('{"average":'));
    expect(await why({ url: `http://${host}/`, timeout: 0.2 })).toBe(`${host} did not answer in time`);
  });

  it('gets the credentials of its URL, which no message shows', async () => {
    const { host, asked, stop } = await served((response) => response.end('{"average":860,"fast":1000}'));
    const url = `http://user:hunter%2B2@${host}/`;
    expect(await createGasStation({ url })()).not.toBeNull();
    expect(asked).toEqual([`Basic ${Buffer.from('user:hunter+2').toString('base64')}`]);
    stop();
    expect(await why({ url })).not.toMatch(/hunter|user/);
  });

  it.each([
    ['no JSON', 'the answer is not JSON', '<html>'],
    ['no object', 'the answer names no price', '[860]'],
    ['more digits than a price has', 'the answer names no price', `{"average":1${'0'.repeat(70)}}`],
    ['a price below a wei by far', 'the answer names no price', '{"average":1e-999999999,"fast":1}'],
    ['a number that is none', 'the answer names no price', '{"average":1e999,"fast":1}'],
  ])('that answers %s does not know', async (_, text, body) => {
    expect(await why({ url: 'http://station.test/', fetch: async () => new Response(body) })).toBe(text);
  });
});

describe('the prices of a day', () => {
  const rule: PriceRule = { kind: 'legacy', tip: null, floor: 1n, ceiling: 1000n * GWEI };
  const lookOf = (baseFee: bigint | null, price: bigint | null): EvmLook => {
    const head = { number: 1, hash: '', time: 0 as UnixSeconds, baseFee };
    const asked = async () => {
      if (price === null) throw new BackendSilent('no node answers');
      return price;
    };
    return { head, settled: true, price: asked } as Partial<EvmLook> as EvmLook;
  };

  it.each([
    ['of the station', 90n, 80n, 50n, 90n],
    ['of the node', 90n, 95n, 50n, 95n],
    ['of the base fee with 13 %', 90n, 80n, 100n, 113n],
    ['of what is left, where the node is silent', 90n, null, 50n, 90n],
    ['of the node, where the station is silent', null, 80n, null, 80n],
  ] as const)('are the dearest: %s', async (_, told, node, base, expected) => {
    const gwei = (value: bigint | null) => (value === null ? null : value * GWEI);
    const own = { ...rule, station: async () => gwei(told) };
    expect((await dayPrices(own, lookOf(gwei(base), gwei(node)))).tip).toBe(expected * GWEI);
    // With EIP-1559 what is above the base fee is offered above it.
    if (base === null || node === null) return;
    const above = await dayPrices({ ...own, kind: 'eip1559' }, lookOf(gwei(base), 1n));
    expect(above.tip).toBe(
      ((told ?? 0n) > (base * 113n) / 100n ? (told ?? 0n) * GWEI : (base * 113n * GWEI) / 100n) - base * GWEI,
    );
  });

  it.each([
    ['ten times the base fee', 'eip1559', 30n, 300n],
    ['100 gwei above a low base fee', 'eip1559', 1n, 100n],
    ['the same with the base fee, all in all', 'legacy', 30n, 330n],
    ['a tenth of the ceiling where there is no base fee', 'legacy', null, 5_000n],
  ] as const)('count up to %s, even if a station says more', async (_, kind, base, expected) => {
    const wide = { ...rule, kind, ceiling: 50_000n * GWEI };
    const look = lookOf(base === null ? null : base * GWEI, 99_999n * GWEI);
    expect((await dayPrices(wide, look)).tip).toBe(expected * GWEI);
    const station = async () => 99_999n * GWEI;
    expect((await dayPrices({ ...wide, station }, look)).tip).toBe(expected * GWEI);
    // What the rule sets is its owner's word.
    expect((await dayPrices({ ...wide, tip: 7_000n * GWEI }, look)).tip).toBe(7_000n * GWEI);
  });

  it.each([
    [3n, 2_000n],
    [30n, 3_000n],
    [600n, 50_000n],
    [null, 50_000n],
  ] as const)('have a ceiling by the base fee: with %s gwei it is %s', async (base, expected) => {
    const wide = { ...rule, kind: 'eip1559', ceiling: 50_000n * GWEI } as const;
    const day = await dayPrices(wide, lookOf(base === null ? null : base * GWEI, GWEI));
    expect(day.ceiling).toBe(expected * GWEI);
    expect(priceAt({ day, urgency: 40 }).most).toBe(expected * GWEI);
  });

  it('are unknown if nothing answers', async () => {
    const silent = { ...rule, station: async () => null };
    await expect(dayPrices(silent, lookOf(null, null))).rejects.toThrow(BackendSilent);
  });
});
