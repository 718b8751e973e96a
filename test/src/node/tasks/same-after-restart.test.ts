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

async function play(run: Storm): Promise<void> {
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
  const { node, evm, active } = await settled(start(new EvmDouble([WAY])));
  const ids: number[] = [];
  const calls: Promise<unknown>[] = [];
  for (const { step: next, writes } of run) {
    const id = 'of' in next ? (ids[next.of % Math.max(1, ids.length)] ?? 0) : 0;
    if (next.do === 'init')
      calls.push(
        node.ethTasks.init(asked(REQUESTS[next.request])).then((answer) => {
          if (answer.ok && typeof answer.result === 'object' && 'task_id' in answer.result)
            ids.push(answer.result.task_id);
        }),
      );
    else if (next.do === 'disable') calls.push(node.disable(next.ticker, { force: next.force }));
    else if (next.do === 'cancel') calls.push(node.ethTasks.cancel(id));
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
  for (let turn = 0; turn < 2 * calls.length + 2; turn += 1) {
    evm.goOn();
    await drain();
  }
  await settled(Promise.all(calls));
  expect(evm.underWay).toBe(0);
  const inUse = [...active()].sort();
  await settled(node.close());
  expect(evm.open).toBe(0);
  const second = await settled(start());
  await drain();
  expect([...second.active()].sort()).toEqual(inUse);
  await settled(second.node.close());
  expect(second.evm.open).toBe(0);
}

it('what is in use after any calls is in use after a restart, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BEGINNINGS), storm, (before, run) => play([...before, ...run])),
    { numRuns: draws({ sample: 100, change: 1000 }) },
  );
}, 120_000);
