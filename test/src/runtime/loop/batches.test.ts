import { describe, expect, it } from 'vitest';
import type { Answer, PaymentQuery, PaymentView } from '../../../../src/ports/chain.ts';
import type { RuntimeChain } from '../../../../src/runtime/index.ts';
import { createBatches } from '../../../../src/runtime/loop/batches.ts';
import { createPair, requestOf, type Side } from '../../../support/swap-pair.ts';
import { paymentOf } from '../../../support/turns.ts';

const SIDES = ['maker', 'taker'] as const;
const query = (name: string) => ({ terms: { secretHash: name } }) as unknown as PaymentQuery;
const nameOf = ({ terms }: PaymentQuery) => terms.secretHash;
const heightOf: Readonly<Record<string, number>> = { first: 11, second: 22, third: 33 };
const single = (given: PaymentQuery): Answer<PaymentView> => ({
  ok: true,
  value: paymentOf({ height: heightOf[nameOf(given)] ?? 0 }),
});

function setUp(payments: RuntimeChain['payments'] | undefined) {
  const asked: string[] = [];
  const told: unknown[] = [];
  const logged: unknown[] = [];
  const actions = new Map<number, () => void>();
  const chain = {
    traits: { coin: 'DOC' },
    payment: (given: PaymentQuery) => {
      asked.push(nameOf(given));
      return single(given);
    },
    ...(payments === undefined
      ? {}
      : {
          payments: (queries: readonly PaymentQuery[]) => {
            asked.push(queries.map(nameOf).join('+'));
            return payments(queries);
          },
        }),
  } as unknown as RuntimeChain;
  const batches = createBatches({
    scheduler: { soon: () => {} },
    register: (run) => {
      actions.set(actions.size, run);
      return actions.size - 1;
    },
    unregister: (id) => void actions.delete(id),
    logger: { error: (_, fields) => void logged.push(fields) },
  });
  const ask = (name: string, on = chain) =>
    batches.payment(on, {
      query: query(name),
      done: (answer) => void told.push([name, (answer as { value?: PaymentView }).value?.height ?? answer]),
      failed: (error) => void told.push([name, (error as Error).message]),
    });
  const run = async () => {
    for (const action of [...actions.values()]) action();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, run, asked, told, logged, chain, actions };
}

const all = (queries: readonly PaymentQuery[]) => queries.map(single);
const EACH = [
  ['first', 11],
  ['second', 22],
  ['third', 33],
];

describe('questions about payments in one turn', () => {
  it('are asked at once, and each is given its own answer', async () => {
    const { ask, run, asked, told, actions } = setUp(all);
    for (const name of ['first', 'second', 'third']) ask(name);
    expect(asked).toEqual([]);
    await run();
    expect([asked, told]).toEqual([['first+second+third'], EACH]);
    expect(actions.size).toBe(0);
    ask('second');
    await run();
    expect([asked.at(-1), told.at(-1)]).toEqual(['second', ['second', 22]]);
  });

  it('are asked of each chain separately', async () => {
    const { ask, run, asked, chain } = setUp(all);
    const other = { ...chain };
    ask('first');
    ask('second', other);
    ask('third');
    await run();
    expect(asked).toEqual(['first+third', 'second']);
  });

  it('keep a bad answer to the one that it is for', async () => {
    const fault = { ok: false, fault: { kind: 'unavailable', message: 'no answer' } } as const;
    const { ask, run, told } = setUp(async (queries) => queries.map((one, at) => (at === 1 ? fault : single(one))));
    for (const name of ['first', 'second', 'third']) ask(name);
    await run();
    expect(told).toEqual([
      ['first', 11],
      ['second', fault],
      ['third', 33],
    ]);
  });

  it.each<[string, RuntimeChain['payments'], string]>([
    ['too few', (queries) => all(queries).slice(1), '2 answers to 3 questions'],
    ['too many', (queries) => [...all(queries), single(query('first'))], '4 answers to 3 questions'],
    ['none', () => undefined as never, 'no list to 3 questions'],
    ['an error', () => Promise.reject(new TypeError('gone')), 'TypeError'],
  ])('are asked one by one if the adapter gives %s', async (_, payments, reason) => {
    const { ask, run, asked, told, logged } = setUp(payments);
    for (const name of ['first', 'second', 'third']) ask(name);
    await run();
    expect(asked).toEqual(['first+second+third', 'first', 'second', 'third']);
    expect(told).toEqual(EACH);
    expect(logged).toEqual([{ coin: 'DOC', reason: expect.stringContaining(reason) }]);
  });

  it('are asked one by one if the adapter supports no other way', async () => {
    const { ask, run, asked, told } = setUp(undefined);
    for (const name of ['first', 'second', 'third']) ask(name);
    await run();
    expect([asked, told]).toEqual([['first', 'second', 'third'], EACH]);
  });
});

describe('twenty swaps of two nodes', () => {
  const uuidOf = (index: number) => `3447b727-fe93-4357-8e5a-${String(index).padStart(12, '0')}`;

  it('end as they do one by one, with fewer than a tenth of the calls for payments', async () => {
    const run = async (together: boolean) => {
      const calls = { payment: 0, payments: 0, largest: 0 };
      const pair = createPair({
        options: (_: Side, { chains }) => ({
          chains: chains.map((chain): RuntimeChain => {
            const { payments, ...rest } = chain;
            const single: RuntimeChain = {
              ...rest,
              payment: (given) => {
                calls.payment += 1;
                return chain.payment(given);
              },
            };
            if (!together || payments === undefined) return single;
            return {
              ...single,
              payments: (queries) => {
                calls.payments += 1;
                calls.largest = Math.max(calls.largest, queries.length);
                return chain.payments?.(queries) ?? [];
              },
            };
          }),
        }),
      });
      const uuids = Array.from({ length: 20 }, (_, index) => uuidOf(index));
      for (const uuid of uuids) {
        for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side, { uuid }));
      }
      const done = () => uuids.every((uuid) => SIDES.every((side) => pair.types(side, uuid).includes('Finished')));
      expect(await pair.until(done, 60)).toBe(true);
      for (const uuid of uuids) {
        expect(await pair.nodes.maker.runtime.status(uuid)).toMatchObject({ outcome: 'completed' });
        expect(await pair.nodes.taker.runtime.status(uuid)).toMatchObject({ outcome: 'completed' });
      }
      return calls;
    };
    const alone = await run(false);
    const together = await run(true);
    expect(alone.payments).toBe(0);
    expect(together.largest).toBe(20);
    expect(together.payment + together.payments).toBeLessThan(alone.payment / 10);
  });
});
