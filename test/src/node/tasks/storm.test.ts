import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EnableEthAnswer } from '../../../../machines/activation/enable-eth/decide.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { draws } from '../../../support/draws.ts';
import { asked, taskBench } from '../../../support/tasks/eth-tasks.ts';
import { type Deed, EvmDouble } from '../../../support/tasks/evm-double.ts';
import { slowLog } from '../../../support/tasks/slow-log.ts';

/** A way by all statuses, which stands still in each. */
const WAY: readonly Deed[] = [
  ...([
    'wait',
    { tell: 'WaitingForDeviceToConnect' },
    'wait',
    { ask: 'TrezorPin' },
    { ask: 'TrezorPassphrase' },
  ] as const),
  ...([{ tell: 'FollowHwDeviceInstructions' }, 'wait', { tell: 'ActivatingCoin' }, 'hang'] as const),
  ...([{ tell: 'RequestingWalletBalance' }, 'wait', { tell: 'Finishing' }, 'wait'] as const),
];
const STATUSES = [
  ...['ActivatingCoin', 'WaitingForDeviceToConnect', 'EnterTrezorPin', 'EnterTrezorPassphrase'],
  ...['FollowHwDeviceInstructions', 'RequestingWalletBalance', 'Finishing', 'Ok'],
];
const GO_ON = { do: 'goOn' } as const;
const ANSWER = { do: 'answer', of: 0, times: 1, isWrong: false } as const;
/** What leads the first task from one status of its way to the next one. */
const LEADS = [
  ['ActivatingCoin', null],
  ['WaitingForDeviceToConnect', GO_ON],
  ['EnterTrezorPin', GO_ON],
  ['EnterTrezorPassphrase', ANSWER],
  ['FollowHwDeviceInstructions', ANSWER],
  ['ActivatingCoin', GO_ON],
  ['RequestingWalletBalance', GO_ON],
  ['Finishing', GO_ON],
] as const;
/** Of one coin: the same, and another one. */
const REQUESTS = [{}, { mm2: 1 }] as const;

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('init' as const), request: fc.nat(1), times: fc.constantFrom(1, 2, 50) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat(), times: fc.constantFrom(1, 3) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      of: fc.nat(),
      times: fc.constantFrom(1, 3),
      isWrong: fc.nat(20).map((n) => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), of: fc.nat(), forget: fc.boolean() }) },
  { weight: 8, arbitrary: fc.constant({ do: 'goOn' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 10, 299, 300) }) },
);
const storm = fc.array(
  fc.record({
    step,
    /** Which of the writes that wait go on after it, one after the other; null for all of them. */
    writes: fc.option(fc.array(fc.nat(), { maxLength: 4 }), { freq: 3 }),
  }),
  { minLength: 5, maxLength: 60 },
);

type Storm = typeof storm extends fc.Arbitrary<infer T> ? T : never;

type Told = { readonly stream: string; readonly type: string; readonly data: unknown };

const ENDS: ReadonlySet<string> = new Set([
  'CancelRequested',
  'Completed',
  'Failed',
  'UserActionTimedOut',
  'DeviceConnectTimedOut',
]);

/** The most tasks of one request that are under way at a time, and of one coin that have a coin in use. */
function mostTogether(entries: readonly Told[]): number {
  const open = new Map<string, string>();
  let most = 0;
  for (const { stream, type, data } of entries) {
    if (type === 'TaskStarted') open.set(stream, JSON.stringify((data as { params: unknown }).params));
    if (ENDS.has(type)) open.delete(stream);
    const counts = new Map<string, number>();
    for (const request of open.values()) counts.set(request, (counts.get(request) ?? 0) + 1);
    most = Math.max(most, ...counts.values());
  }
  return most;
}

async function play(run: Storm, seen: Set<string>): Promise<void> {
  const slow = slowLog();
  const bench = taskBench(slow.log);
  const { tasks, evm } = await bench.start(new EvmDouble([WAY]));
  const entries: Told[] = [];
  slow.log.subscribe({ after: 0 }, ({ envelope: { stream, type, data } }) => void entries.push({ stream, type, data }));
  const ids: number[] = [];
  const told: Record<'cancel' | 'answer', number[]> = { cancel: [], answer: [] };
  const calls: Promise<unknown>[] = [];
  let values = 0;
  const drain = async (): Promise<void> => {
    for (await bench.settle(); slow.waits(); await bench.settle()) slow.goOn(0);
  };
  const ask = (call: Promise<EnableEthAnswer>, onOk: () => void): void => {
    calls.push(call.then(({ ok }) => void (ok && onOk())));
  };
  for (const { step: next, writes } of run) {
    const id = 'of' in next ? (ids[next.of % Math.max(1, ids.length)] ?? 0) : 0;
    if (next.do === 'init') {
      for (let left = next.times; left > 0; left -= 1)
        calls.push(
          tasks.init(asked(REQUESTS[next.request])).then(({ ok, ...rest }) => {
            const { result } = rest as { readonly result?: { readonly task_id: number } };
            if (ok && result !== undefined && !ids.includes(result.task_id)) ids.push(result.task_id);
          }),
        );
    } else if (next.do === 'cancel') {
      for (let left = next.times; left > 0; left -= 1) ask(tasks.cancel(id), () => told.cancel.push(id));
    } else if (next.do === 'answer') {
      const [{ type } = { type: '' }] = entries.filter(({ stream }) => stream === `enable-eth/${id}`).slice(-1);
      const fits = type === 'EnterTrezorPassphrase' ? 'TrezorPassphrase' : 'TrezorPin';
      const other = fits === 'TrezorPin' ? 'TrezorPassphrase' : 'TrezorPin';
      for (let left = next.times; left > 0; left -= 1) {
        values += 1;
        const action = { action_type: next.isWrong ? other : fits, value: new Secret(`hunter${values}`) } as const;
        ask(tasks.userAction(id, action), () => told.answer.push(id));
      }
    } else if (next.do === 'read') calls.push(tasks.status(id, next.forget));
    else if (next.do === 'goOn') evm.goOn();
    else await bench.clock.advance(next.seconds * 1000);
    await bench.settle();
    if (writes === null) await drain();
    else
      for (const pick of writes) {
        slow.goOn(pick);
        await bench.settle();
      }
  }
  await drain();
  for (const id of ids) ask(tasks.cancel(id), () => told.cancel.push(id));
  evm.goOn();
  await drain();
  // What does not end is left alone.
  await bench.clock.advance(10_000);
  evm.goOn();
  await drain();
  await Promise.all(calls);

  expect(mostTogether(entries)).toBeLessThanOrEqual(1);
  // Work that does not end is left alone after 10 s, and the next one does not wait for it.
  const leftAlone = bench.lines.filter((line) => line.includes('it is abandoned')).length;
  expect(evm.mostOfOne).toBeLessThanOrEqual(1 + leftAlone);
  for (const id of ids) {
    const types = entries.filter(({ stream }) => stream === `enable-eth/${id}`).map(({ type }) => type);
    const count = (...wanted: readonly string[]) => types.filter((type) => wanted.includes(type)).length;
    const cancelled = told.cancel.filter((one) => one === id).length;
    // One caller is told that it has cancelled the task; from then on nothing comes of it but its end.
    expect([cancelled, count('CancelRequested')]).toEqual(count('CancelRequested') === 0 ? [0, 0] : [1, 1]);
    if (cancelled === 1) {
      expect(types.slice(types.indexOf('CancelRequested'))).toEqual(['CancelRequested', 'Cancelled']);
      seen.add(`cancelled in ${types.filter((type) => STATUSES.includes(type)).at(-1) ?? 'ActivatingCoin'}`);
    }
    expect(told.answer.filter((one) => one === id).length).toBe(count('UserActionProvided', 'WrongUserActionProvided'));
    expect(count('UserActionProvided', 'WrongUserActionProvided')).toBeLessThanOrEqual(
      count('EnterTrezorPin', 'EnterTrezorPassphrase'),
    );
  }
  const active = tasks.active.active().length;
  expect([evm.underWay, evm.open, active]).toEqual([0, active, Math.min(active, 1)]);
  expect(JSON.stringify([entries, bench.lines])).not.toContain('hunter');
  await tasks.close();
  expect([evm.open, bench.clock.armed()]).toEqual([0, 0]);
}

const CANCEL = { do: 'cancel', of: 0, times: 3 } as const;
const INIT = { do: 'init', request: 0, times: 50 } as const;

it.each(LEADS.map(([status], place) => [place, status] as const))(
  'a storm of calls over a task in its place %i, %s, makes one task of a request at a time, and what was cancelled comes to nothing',
  async (place, status) => {
    const lead = LEADS.slice(1, place + 1).flatMap(([, next]) => (next === null ? [] : [{ step: next, writes: null }]));
    const before: Storm = [{ step: INIT, writes: null }, ...lead];
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(storm, (run) => play([...before, ...run], seen)),
      // In any case one in which it is cancelled where it stands, among many who ask for the same.
      {
        numRuns: draws({ sample: 5, change: 13, release: 25 }),
        examples: [[[INIT, CANCEL, INIT].map((step) => ({ step, writes: [] }))]],
      },
    );
    expect([...seen]).toContain(`cancelled in ${status}`);
  },
  60_000,
);
