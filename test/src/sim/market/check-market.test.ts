import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { checkMarket } from '../../../../src/sim/market/check-market.ts';
import { generateMarket } from '../../../../src/sim/market/generate.ts';
import { assertMarketSound, BrokenMarketRuleError, renderMarketRun } from '../../../../src/sim/market/render.ts';
import {
  calmMarket,
  calmParty,
  calmSwap,
  type Market,
  type MarketConduct,
} from '../../../../src/sim/market/scenario.ts';
import { runMarketScenario, simulateMarkets } from '../../../../src/sim/market/simulate.ts';
import { MemberTypeError, MemberValueError } from '../../../../src/sim/shape-check.ts';
import { runCli } from '../../../support/cli.ts';

const calm = calmMarket();
const [alice, bob] = calm.parties as [Market['parties'][number], Market['parties'][number]];
const withBob = (changes: object): Market => calmMarket({ parties: [alice, { ...bob, ...changes }] });
const plays = (conduct: unknown) => withBob({ conduct: conduct as MarketConduct });
const during = { from: 100, until: 900 };

describe('an invalid market', () => {
  const wrong: readonly (readonly [message: string, market: unknown])[] = [
    ['market has no member horizn; did you mean horizon?', { ...calm, horizn: 5 }],
    ['market.seed is "1"; allowed: a whole number from 0.', { ...calm, seed: '1' }],
    ['market.horizon is -5; allowed: a whole number from 1.', { ...calm, horizon: -5 }],
    ['market.horizon is NaN', { ...calm, horizon: Number.NaN }],
    ['market.horizon is 1000000000; allowed: a whole number to 60000000 (seconds): the DOC', { ...calm, horizon: 1e9 }],
    [
      'market.swaps[0].makerCoin is "DOK"; did you mean DOC? Allowed: DOC, MARTY.',
      { ...calm, swaps: [calmSwap({ maker: 'alice', taker: 'bob', makerCoin: 'DOK' })] },
    ],
    [
      'market.swaps[0].maker is "alic"; did you mean alice? Allowed: alice, bob.',
      { ...calm, swaps: [calmSwap({ maker: 'alic', taker: 'bob' })] },
    ],
    [
      'market.swaps[0].taker is "alice"; allowed: bob.',
      { ...calm, swaps: [calmSwap({ maker: 'alice', taker: 'alice' })] },
    ],
    [
      'market.swaps[0].makerAmount is "1,5"; allowed: a decimal number above 0',
      { ...calm, swaps: [calmSwap({ maker: 'alice', taker: 'bob', makerAmount: '1,5' as DecimalText })] },
    ],
    ['market.parties[1].conduct.kind is "onefee"; did you mean oneFee', plays({ kind: 'onefee' })],
    ['market.parties[1].conduct.after is "TakerPaymentSend"', plays({ kind: 'deserter', after: 'TakerPaymentSend' })],
    ['market.parties[1].conduct has no member until', plays({ kind: 'repeater', after: 5, until: 9 })],
    [
      'market.parties[1].orders[0].swap is 2; allowed: a whole number from 0 to 1.',
      withBob({ orders: [{ at: 5, swap: 2, action: 'pause' }] }),
    ],
    ['the name of a member of market.parties[1].nodes is "DOGE"', withBob({ nodes: { DOGE: [] } })],
    [
      'market.parties[1].nodes.DOC[0].until is 100',
      withBob({ nodes: { DOC: [{ kind: 'outage', from: 900, until: 100 }] } }),
    ],
    [
      'market.parties[1].policy has no member callTimout; did you mean callTimeout',
      withBob({ policy: { callTimout: 5 } }),
    ],
    [
      'market.parties is ["alice","alice"]; allowed: each name once',
      { ...calm, parties: [alice, { ...bob, name: 'alice' }] },
    ],
    ['market.partitions[0].group[1] is "eve"', calmMarket({ partitions: [{ ...during, group: ['bob', 'eve'] }] })],
    [
      'market.chainEvents[0].coin is "DOCK"',
      calmMarket({ chainEvents: [{ at: 5, coin: 'DOCK', kind: 'dropMempool' }] }),
    ],
    [
      'market.coins[0].blockClock is "late"; allowed: true, least.',
      { ...calm, coins: calm.coins.map((coin) => ({ ...coin, blockClock: 'late' })) },
    ],
  ];

  it.each(wrong)('%s', async (message, market) => {
    const thrown: unknown = await runMarketScenario(market as Market).catch((error: unknown) => error);
    expect((thrown as Error).message).toContain(message);
    expect([MemberTypeError, MemberValueError]).toContain((thrown as Error).constructor);
  });

  it('is never drawn, nor valid after it was stored', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const drawn = generateMarket(seed);
      expect(checkMarket(JSON.parse(JSON.stringify(drawn)))).toEqual(drawn);
    }
  });

  it('nor are unknown options', async () => {
    await expect(runMarketScenario(calm, { temper: () => null } as never)).rejects.toThrow('did you mean tamper?');
    await expect(simulateMarkets({ sed: 1, runs: 2 } as never)).rejects.toThrow('did you mean seed?');
    await expect(simulateMarkets({ seed: 1, runs: 2, generate: { adversary: true } } as never)).rejects.toThrow(
      'did you mean adversaries?',
    );
    expect(() => generateMarket(-1)).toThrow('seed is -1; allowed: a whole number from 0.');
    expect(() => generateMarket(1, { troubles: false } as never)).toThrow('did you mean trouble?');
  });
});

describe('the result of a market', () => {
  it('says how to see it again', async () => {
    const told = async (market: Market) => (await runMarketScenario(market)).repeat;
    expect(await told(generateMarket(3))).toBe('swapfold sim --runtime --seed 3 --runs 1');
    expect(await told(generateMarket(3, { adversaries: false }))).toBe(
      'swapfold sim --runtime --seed 3 --runs 1 --no-adversaries',
    );
    const quiet = generateMarket(3, { trouble: false });
    expect(await told(quiet)).toBe('runMarketScenario of generateMarket(3, { trouble: false })');
    expect(await told(calm)).toBe('runMarketScenario of the same market');
    const tampered = await runMarketScenario(generateMarket(3), { tamper: (_, chain) => chain });
    expect(tampered.repeat).toBe('runMarketScenario of generateMarket(3) with the same options');
  });

  it('says when it shows nothing', async () => {
    expect((await runMarketScenario(calm)).notices).toEqual([]);
    const poor = calmMarket({ parties: [calmParty('alice', {}), calmParty('bob', {})] });
    expect((await runMarketScenario(poor)).notices).toEqual([
      'nobody who follows the protocol paid anything: no rule about money was put to the test',
    ]);
    const rogues = calmMarket({ parties: calm.parties.map((one) => ({ ...one, conduct: { kind: 'grabber' } })) });
    expect((await runMarketScenario(rogues)).notices).toEqual([
      'no party that follows the protocol has a swap: no rule was put to the test',
    ]);
  });

  it('is rendered as the command line prints it, also by a test that fails', async () => {
    const result = await runMarketScenario(generateMarket(3));
    const { out } = await runCli(['sim', '--runtime', '--seed', '3', '--runs', '1'], { columns: 400 });
    const style = { bold: String, dim: String, yellow: String, columns: 400 };
    expect(renderMarketRun(result, { style, head: 'Seed 3' })).toBe(out);
    expect(() => assertMarketSound(result)).not.toThrow();
    const bad = await runMarketScenario(calm, { tamper: (_, chain) => ({ ...chain, broadcast: () => LOST }) });
    expect(() => assertMarketSound(bad)).toThrow(BrokenMarketRuleError);
    const text = renderMarketRun(bad);
    expect(text).toMatch(
      /^runMarketScenario of the same market with the same options\nswap 0: alice gives 1\.50000007 DOC/,
    );
    expect(text).toContain('M10 broken by alice in swap 0');
    expect(text).toContain('See it again: runMarketScenario of the same market with the same options\n');
  });
});

const LOST = { ok: false, fault: { kind: 'unavailable', message: 'no answer' } } as const;
