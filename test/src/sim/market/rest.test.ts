import { describe, expect, it } from 'vitest';
import { judgeMarket } from '../../../../src/sim/market/judge.ts';
import { createMarket, type MarketWorld } from '../../../../src/sim/market/market.ts';
import type { Tamper } from '../../../../src/sim/market/process.ts';
import { runMarket } from '../../../../src/sim/market/run.ts';
import { runMarketScenario } from '../../../../src/sim/market/simulate.ts';
import { twoPartyMarket as one, processOf } from '../../../support/two-party-market.ts';

const restless = (world: MarketWorld) =>
  judgeMarket(world).violations.flatMap(({ rule, party, text }) => (rule === 'M14' ? [`${party}: ${text}`] : []));

/** Bob's node of one coin tells of news after every question about a payment, so that each look brings the next. */
function echoing(coin: string): Tamper {
  return (party, chain) => {
    if (party.name !== 'bob' || chain.traits.coin !== coin) return chain;
    const listeners = new Set<() => void>();
    const { payments: _, ...others } = chain;
    return {
      ...others,
      subscribe: (onChange, ...rest) => {
        listeners.add(() => onChange());
        return chain.subscribe(onChange, ...rest);
      },
      payment: async (query) => {
        const answer = await chain.payment(query);
        void Promise.resolve().then(() => {
          for (const listener of listeners) listener();
        });
        return answer;
      },
    };
  };
}

describe('an engine that never comes to rest (M14)', () => {
  it('is a finding, and not a run without end', async () => {
    const { violations, logs } = await runMarketScenario(one({ policy: { feedPause: 0 } }), {
      tamper: echoing('DOC'),
    });
    expect(violations.filter(({ rule }) => rule === 'M14')).toEqual([
      {
        rule: 'M14',
        party: 'bob',
        swap: null,
        text: 'it did more than 1000 things at once and did not come to rest',
      },
    ]);
    // The others go on to their ends.
    const alice = logs.find(({ party }) => party === 'alice')?.records.map(({ type }) => type);
    expect(alice?.at(-1)).toBe('Finished');
  });

  it('is none if the pause between two notices gives it rest', async () => {
    expect((await runMarketScenario(one(), { tamper: echoing('DOC') })).violations).toEqual([]);
  });

  it('is a finding also for a party that breaks the protocol', async () => {
    const world = createMarket(one({ conduct: { kind: 'oneFee' } }));
    await runMarket(world);
    expect(restless(world)).toEqual([]);
    processOf(world, 'bob').restless = true;
    expect(restless(world)).toEqual(['bob: it did more than 1000 things at once and did not come to rest']);
  });

  it('is a finding if a log grows without end, however slowly', async () => {
    const world = createMarket(one());
    await runMarket(world);
    const { log } = processOf(world, 'bob');
    const stream = 'taker-swap/00000000-0000-4000-a000-000000000001';
    const record = { at: 1_700_000_000_000, type: 'PaymentSettled', version: 1, data: {} } as never;
    log.append({ stream, expected: 0, records: Array.from({ length: 1000 }, () => record) });
    expect(restless(world)).toEqual([]);
    log.append({ stream, expected: 1000, records: [record] });
    expect(restless(world)).toEqual([`bob: ${stream} has grown to 1001 records`]);
  });
});
