import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { heldLog } from '../../../support/held-log.ts';
import { asked } from '../../../support/tasks/eth-tasks.ts';
import { type Deed, EvmDouble } from '../../../support/tasks/evm-double.ts';
import { nodeProcesses } from '../../../support/tasks/node-processes.ts';

// What two callers do at the same time: whoever comes first, all of them are told what then is so, in this process and in the next one.

const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };
const PIN = (value: string) => ({ action_type: 'TrezorPin', value: new Secret(value) }) as const;

async function bench(...scripts: readonly (readonly Deed[])[]) {
  const held = heldLog(createMemoryLog());
  const processes = nodeProcesses({ log: held.log });
  const { clock } = processes;
  const start = async (evm: EvmDouble = new EvmDouble()) => {
    const made = await processes.start(evm);
    const { ethTasks } = made.node;
    return {
      ...made,
      async init(members: object = {}): Promise<number> {
        const answer = await ethTasks.init(asked(members));
        if (answer.ok && typeof answer.result === 'object' && 'task_id' in answer.result) return answer.result.task_id;
        throw new Error(`no task: ${JSON.stringify(answer)}`);
      },
      /** What `status` tells, or the type of its error. */
      async seen(id: number, forget = false): Promise<unknown> {
        await clock.advance(0);
        const answer = await ethTasks.status(id, forget);
        if (!answer.ok) return answer.error.error_type;
        return (answer.result as { readonly status: string }).status;
      },
      tasks: ethTasks,
    };
  };
  const typesOf = async (id: number) => (await held.log.read(`enable-eth/${id}`)).map(({ type }) => type);
  return { ...(await start(new EvmDouble(scripts))), restart: start, held, clock, typesOf };
}

const outcome = async (answer: Promise<{ readonly ok: boolean }>): Promise<string> => {
  const told = (await answer) as { readonly ok: boolean; readonly error?: { readonly error_type: string } };
  return told.ok ? 'success' : (told.error?.error_type ?? '');
};

describe('cancel at the moment of completion', () => {
  it('that comes before the outcome is in the log drops it, and nothing is active, now and after a restart', async () => {
    const { init, tasks, evm, held, clock, active, seen, node, restart, typesOf } = await bench(['hang']);
    const id = await init();
    await clock.advance(0);
    held.holdAfter('CancelRequested');
    const cancelled = outcome(tasks.cancel(id));
    await held.written(`enable-eth/${id}`, 'CancelRequested');
    // The activation succeeds meanwhile.
    evm.goOn();
    await clock.advance(0);
    held.letGo();
    expect([await cancelled, active(), await seen(id)]).toEqual(['success', [], 'NoSuchTask']);
    expect([await typesOf(id), evm.open, evm.underWay]).toEqual([
      ['TaskStarted', 'CancelRequested', 'Cancelled'],
      0,
      0,
    ]);
    await node.close();
    const next = await restart();
    expect([next.active(), next.evm.orders.length]).toEqual([[], 0]);
    await next.node.close();
  });

  it('that comes after that is refused, and the coin is active, now and after a restart', async () => {
    const { init, tasks, held, clock, active, seen, node, restart, evm } = await bench([]);
    held.holdAfter('Completed');
    const id = await init();
    await held.written(`enable-eth/${id}`, 'Completed');
    const cancelled = [outcome(tasks.cancel(id)), outcome(tasks.cancel(id))];
    await clock.advance(0);
    held.letGo();
    expect([await Promise.all(cancelled), await seen(id), active()]).toEqual([
      ['TaskFinished', 'TaskFinished'],
      'Ok',
      ['ETH'],
    ]);
    expect(evm.open).toBe(1);
    await node.close();
    const next = await restart();
    await clock.advance(0);
    expect(next.active()).toEqual(['ETH']);
    await next.node.close();
  });
});

describe('two requests for one coin that differ', () => {
  it('activate it once: the later one learns that it is active, and holds nothing', async () => {
    const { init, evm, clock, active, seen, node } = await bench(['wait'], []);
    const [first, second] = await Promise.all([init(TOKENS), init({ mm2: 1 })]);
    expect(first).not.toBe(second);
    await clock.advance(0);
    expect([evm.orders.length, evm.mostOfOne]).toEqual([1, 1]);
    evm.goOn();
    expect([await seen(first), await seen(second)]).toEqual(['Ok', 'Error']);
    expect([active(), evm.open, evm.orders.length]).toEqual([['ETH', 'TOK'], 1, 1]);
    await node.close();
    expect(evm.open).toBe(0);
  });

  it.each([
    ['fails', { fail: { type: 'Transport', data: 'nobody answers' } }],
    ['throws', 'throw'],
  ] as const)('are one after the other if the first one %s', async (_, deed) => {
    const { init, evm, clock, active, seen, node } = await bench(['wait', deed], []);
    const [first, second] = await Promise.all([init(TOKENS), init({ mm2: 1 })]);
    await clock.advance(0);
    evm.goOn();
    expect([await seen(first), await seen(second), active()]).toEqual(['Error', 'Ok', ['ETH']]);
    await node.close();
  });

  it('leave the second one alone if the first is cancelled, and the first if the second is', async () => {
    for (const which of [0, 1] as const) {
      const { init, tasks, evm, clock, active, seen, node, typesOf } = await bench(['wait'], []);
      const ids = await Promise.all([init(TOKENS), init({ mm2: 1 })]);
      await clock.advance(0);
      expect(await outcome(tasks.cancel(ids[which]))).toBe('success');
      evm.goOn();
      expect(await seen(ids[which])).toBe('NoSuchTask');
      expect(await seen(ids[1 - which] as number)).toBe('Ok');
      expect([active(), evm.open]).toEqual([which === 0 ? ['ETH'] : ['ETH', 'TOK'], 1]);
      expect(await typesOf(ids[which])).toEqual(['TaskStarted', 'CancelRequested', 'Cancelled']);
      await node.close();
    }
  });
});

describe('user_action', () => {
  it('twice at once is taken once, and the device gets one of them', async () => {
    const { init, tasks, evm, clock, seen, node, typesOf } = await bench([{ ask: 'TrezorPin' }, 'wait']);
    const id = await init();
    await clock.advance(0);
    const answers = ['11', '22', '33'].map((value) => outcome(tasks.userAction(id, PIN(value))));
    expect((await Promise.all(answers)).sort()).toEqual(['Internal', 'Internal', 'success']);
    await clock.advance(0);
    expect(evm.answers).toEqual(['11']);
    expect((await typesOf(id)).filter((type) => type === 'UserActionProvided')).toHaveLength(1);
    evm.goOn();
    expect(await seen(id)).toBe('Ok');
    expect(await outcome(tasks.userAction(id, PIN('44')))).toBe('Internal');
    await node.close();
  });

  it('that crosses the end of its wait, a cancel or the outcome gets a true answer, and reaches nobody', async () => {
    const { init, tasks, evm, clock, held, node, seen } = await bench([{ ask: 'TrezorPin' }], [{ ask: 'TrezorPin' }]);
    const first = await init();
    await clock.advance(0);
    held.holdAfter('CancelRequested');
    const cancelled = outcome(tasks.cancel(first));
    await held.written(`enable-eth/${first}`, 'CancelRequested');
    const crossing = outcome(tasks.userAction(first, PIN('11')));
    await clock.advance(0);
    held.letGo();
    expect([await cancelled, await crossing]).toEqual(['success', expect.stringMatching(/^(?:Internal|NoSuchTask)$/)]);
    const second = await init();
    await clock.advance(0);
    // The timer of the wait and the answer are due at the same moment.
    await clock.advance(299_999);
    expect(await seen(second)).toBe('UserActionRequired');
    clock.jump(1);
    expect(await outcome(tasks.userAction(second, PIN('22')))).toBe('Internal');
    expect([await seen(second), evm.answers, evm.underWay]).toEqual(['Error', [], 0]);
    await node.close();
  });
});

describe('status that forgets', () => {
  it('while the outcome is written reports it once, and leaves the coin in use, now and after a restart', async () => {
    const { init, tasks, held, clock, active, seen, node, restart } = await bench([]);
    held.holdAfter('Completed');
    const id = await init();
    await held.written(`enable-eth/${id}`, 'Completed');
    const told = [1, 2, 3].map(() => tasks.status(id, true));
    await clock.advance(0);
    held.letGo();
    const seenBy = (await Promise.all(told)).map((answer) => (answer.ok ? 'Ok' : answer.error.error_type));
    expect(seenBy).toEqual(['Ok', 'NoSuchTask', 'NoSuchTask']);
    expect([active(), await seen(id), await outcome(tasks.cancel(id))]).toEqual([['ETH'], 'NoSuchTask', 'NoSuchTask']);
    await node.close();
    const next = await restart();
    await clock.advance(0);
    // It is activated anew, of which the task tells.
    expect([next.active(), await next.seen(id)]).toEqual([['ETH'], 'Ok']);
    await next.node.close();
  });

  it('of a failure that is being written reports it once, and frees the coin', async () => {
    const { init, tasks, held, clock, node, seen, active } = await bench(
      [{ fail: { type: 'Transport', data: 'nobody answers' } }],
      [],
    );
    held.holdAfter('Failed');
    const id = await init();
    await held.written(`enable-eth/${id}`, 'Failed');
    const told = [1, 2].map(() => tasks.status(id, true));
    await clock.advance(0);
    held.letGo();
    const seenBy = (await Promise.all(told)).map((answer) => (answer.ok ? 'told' : answer.error.error_type));
    expect(seenBy).toEqual(['told', 'NoSuchTask']);
    const again = await init();
    expect([await seen(again), active()]).toEqual(['Ok', ['ETH']]);
    await node.close();
  });
});

describe('disable_coin', () => {
  const WAYS: readonly (readonly [string, readonly Deed[]])[] = [
    ['works', ['wait']],
    ['waits for its device', [{ tell: 'WaitingForDeviceToConnect' }, 'wait', { tell: 'ActivatingCoin' }]],
    ['waits for a PIN', [{ ask: 'TrezorPin' }]],
    ['asks for balances', [{ tell: 'RequestingWalletBalance' }, 'wait']],
  ];

  it.each(WAYS)('of a coin whose activation %s finds it inactive, and changes nothing', async (_, script) => {
    const { init, tasks, evm, clock, active, seen, node } = await bench(script);
    const id = await init(TOKENS);
    await clock.advance(0);
    for (const ticker of ['ETH', 'TOK']) expect(await node.disable(ticker)).toBeUndefined();
    expect(await node.disable('ETH', { force: true })).toBeUndefined();
    await tasks.userAction(id, PIN('11'));
    evm.goOn();
    expect([await seen(id), active(), evm.open]).toEqual(['Ok', ['ETH', 'TOK'], 1]);
    expect(await node.disable('ETH', { force: true })).toEqual({ cancelledOrders: [], passivized: false });
    expect([active(), evm.open]).toEqual([[], 0]);
    await node.close();
  });

  it('while the outcome is written is before it or after it, in this process and in the next one', async () => {
    const { init, held, clock, active, seen, node, restart, evm } = await bench([]);
    held.holdAfter('Completed');
    const id = await init(TOKENS);
    await held.written(`enable-eth/${id}`, 'Completed');
    const disabled = node.disable('ETH', { force: true });
    await clock.advance(0);
    held.letGo();
    const gone = (await disabled) !== undefined;
    await seen(id);
    const now = [...active()];
    expect(now).toEqual(gone ? [] : ['ETH', 'TOK']);
    expect(evm.open).toBe(gone ? 0 : 1);
    await node.close();
    const next = await restart();
    await clock.advance(0);
    expect(next.active()).toEqual(now);
    await next.node.close();
  });

  it('of a token that an activation under way keeps leaves it out of use, in this process and in the next one', async () => {
    const { init, evm, clock, active, seen, node, restart } = await bench([], ['wait']);
    const first = await init(TOKENS);
    expect(await seen(first)).toBe('Ok');
    // The coin is passive: its token stays.
    expect(await node.disable('ETH')).toEqual({ cancelledOrders: [], passivized: true });
    const second = await init(TOKENS);
    await clock.advance(0);
    expect(await node.disable('TOK')).toEqual({ cancelledOrders: [], passivized: false });
    evm.goOn();
    await seen(second);
    const now = [...active()];
    await node.close();
    expect(evm.open).toBe(0);
    const next = await restart();
    await clock.advance(0);
    expect([now, next.active()]).toEqual([['ETH'], ['ETH']]);
    await next.node.close();
  });
});

describe('disable_coin of a token that is kept, and a result that is forgotten at once', () => {
  it('leave the token out of use in the next process, which begins at that moment', async () => {
    const { init, tasks, evm, held, clock, active, seen, node, restart } = await bench([], ['wait']);
    expect(await seen(await init(TOKENS))).toBe('Ok');
    await node.disable('ETH');
    const second = await init(TOKENS);
    await clock.advance(0);
    await node.disable('TOK');
    held.holdAfter('Completed');
    evm.goOn();
    await held.written(`enable-eth/${second}`, 'Completed');
    const forgotten = outcome(tasks.status(second, true));
    await clock.advance(0);
    held.letGo();
    expect(await forgotten).toBe('success');
    await clock.advance(0);
    expect(active()).toEqual(['ETH']);
    await node.close();
    const next = await restart();
    await clock.advance(0);
    expect(next.active()).toEqual(['ETH']);
    await next.node.close();
  });
});

describe('a node that is stopped while a task waits for a PIN', () => {
  it('leaves nothing under way, accepts no more answers, and asks again in the next process', async () => {
    const { init, tasks, evm, clock, seen, node, restart, active } = await bench([{ ask: 'TrezorPin' }]);
    const id = await init();
    expect(await seen(id)).toBe('UserActionRequired');
    const closed = node.close();
    const late = outcome(tasks.userAction(id, PIN('11'))).catch((error: unknown) => String(error));
    await clock.advance(0);
    await closed;
    const answered = await late;
    expect([evm.underWay, evm.open, evm.answers, active()]).toEqual([0, 0, [], []]);
    const next = await restart(new EvmDouble([[{ ask: 'TrezorPin' }]]));
    // Whatever the first process said to it: no answer outlives the process that got it.
    expect([typeof answered, await next.seen(id)]).toEqual(['string', 'UserActionRequired']);
    expect(await outcome(next.tasks.userAction(id, PIN('22')))).toBe('success');
    expect([await next.seen(id), next.evm.answers, next.active()]).toEqual(['Ok', ['22'], ['ETH']]);
    await next.node.close();
  });
});
