import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draws } from '../../../support/draws.ts';
import { asked } from '../../../support/tasks/eth-tasks.ts';
import { type Deed, EvmDouble } from '../../../support/tasks/evm-double.ts';
import { nodeProcesses } from '../../../support/tasks/node-processes.ts';
import { slowLog } from '../../../support/tasks/slow-log.ts';

const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };
const REQUESTS = [{}, TOKENS, { ...TOKENS, mm2: 1 }] as const;
const WAY: readonly Deed[] = ['wait', { tell: 'RequestingWalletBalance' }, 'wait'];

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('init' as const), request: fc.nat(REQUESTS.length - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('disable' as const),
      ticker: fc.constantFrom('ETH', 'TOK'),
      force: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), of: fc.nat(), forget: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant({ do: 'goOn' as const }) },
);
const storm = fc.array(
  fc.record({
    step,
    /** How many of the writes that wait go on after it; null for all of them. */
    writes: fc.option(fc.nat(3)),
  }),
  { maxLength: 25 },
);
type Storm = typeof storm extends fc.Arbitrary<infer T> ? T : never;

const all = (...steps: readonly Storm[number]['step'][]): Storm => steps.map((step) => ({ step, writes: null }));
const IN_USE = all({ do: 'init', request: 1 }, { do: 'goOn' }, { do: 'goOn' });
/** Where the coin and its token stand at first: not in use, in use, and the token in use without its coin, or also with the coin on its way back. */
const BEGINNINGS: readonly Storm[] = [
  [],
  IN_USE,
  [...IN_USE, ...all({ do: 'disable', ticker: 'ETH', force: false })],
  [...IN_USE, ...all({ do: 'disable', ticker: 'ETH', force: false }, { do: 'init', request: 1 })],
];

/** A process after the other over one log; in each but the first, what was in use comes back while it is called. */
async function play(runs: readonly Storm[]): Promise<void> {
  const slow = slowLog();
  const { start, clock } = nodeProcesses({ log: slow.log });
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    void work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (await clock.advance(0); slow.waits() || !isOver; await clock.advance(0)) slow.goOn(0);
    return work;
  };
  const drain = () => settled(Promise.resolve());
  let inUse: readonly string[] = [];
  for (const run of runs) {
    const { node, evm, active } = await settled(start(new EvmDouble([WAY])));
    const ids: number[] = [];
    const calls: Promise<unknown>[] = [];
    /** What was disabled; an activation that is under way goes on. */
    const gone = new Map<string, Promise<boolean>>();
    for (const { step: next, writes } of run) {
      const id = 'of' in next ? (ids[next.of % Math.max(1, ids.length)] ?? 0) : 0;
      if (next.do === 'init') {
        calls.push(
          node.ethTasks.init(asked(REQUESTS[next.request])).then((answer) => {
            if (answer.ok && typeof answer.result === 'object' && 'task_id' in answer.result)
              ids.push(answer.result.task_id);
          }),
        );
      } else if (next.do === 'disable') {
        const disabled = node.disable(next.ticker, { force: next.force });
        gone.set(
          next.ticker,
          disabled.then((told) => told !== undefined),
        );
        calls.push(disabled);
      } else if (next.do === 'cancel') calls.push(node.ethTasks.cancel(id));
      else if (next.do === 'read') calls.push(node.ethTasks.status(id, next.forget));
      else evm.goOn();
      await clock.advance(0);
      if (writes === null) await drain();
      else
        for (let left = writes; left > 0; left -= 1) {
          slow.goOn(0);
          await clock.advance(0);
        }
    }
    await drain();
    for (let turn = 0; turn < 2 * calls.length + 4; turn += 1) {
      evm.goOn();
      await drain();
    }
    await settled(Promise.all(calls));
    expect(evm.underWay).toBe(0);
    inUse = [...active()].sort();
    if (run.every(({ step: each }) => each.do !== 'init'))
      for (const [ticker, isGone] of gone) if (await isGone) expect(inUse).not.toContain(ticker);
    await settled(node.close());
    expect(evm.open).toBe(0);
  }
  const last = await settled(start());
  await drain();
  expect([...last.active()].sort()).toEqual(inUse);
  await settled(last.node.close());
  expect(last.evm.open).toBe(0);
}

it('what is in use after any calls is in use after a restart, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BEGINNINGS), storm, (before, run) => play([[...before, ...run]])),
    { numRuns: draws({ sample: 100, change: 400 }) },
  );
}, 120_000);

it('what is in use after calls while coins come back is in use after another restart, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BEGINNINGS), fc.array(storm, { minLength: 1, maxLength: 2 }), (before, runs) =>
      play([before, ...runs]),
    ),
    { numRuns: draws({ sample: 100, change: 300 }) },
  );
}, 120_000);

it('a token that two activations hold stays out once it was disabled while both come back', async () => {
  const held = [...IN_USE, ...all({ do: 'disable', ticker: 'ETH', force: false }, { do: 'init', request: 1 })];
  await play([held, all({ do: 'goOn' }, { do: 'goOn' }, { do: 'disable', ticker: 'TOK', force: false })]);
});

it('a token that was disabled is not brought back by an activation that waits for its nodes meanwhile', async () => {
  const { start, clock } = nodeProcesses();
  const first = await start();
  await first.activate(TOKENS);
  await first.node.disable('ETH');
  await first.activate(TOKENS);
  expect(first.active()).toEqual(['TOK', 'ETH']);
  await first.node.close();
  const silent = { type: 'Transport', data: 'no node answers', passing: true } as const;
  const second = await start(new EvmDouble([[], [{ fail: silent }], []]));
  expect(second.active()).toEqual(['TOK']);
  await second.node.disable('TOK');
  await clock.advance(600_000);
  expect(second.active()).toEqual(['ETH']);
  expect(second.evm.orders.at(-1)?.tokens).toEqual([]);
  await second.node.close();
  const third = await start();
  expect(third.active()).toEqual(['ETH']);
  await third.node.close();
});
