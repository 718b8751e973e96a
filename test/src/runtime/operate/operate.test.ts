import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Runtime } from '../../../../src/runtime/index.ts';
import { deferred, WAIT } from '../../../support/scripted.ts';
import { scriptedRuntime } from '../../../support/scripted-runtime.ts';
import { UUID } from '../../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const setUp = (machine = 'taker-swap', driven = {}) =>
  scriptedRuntime({ script: { decide: () => WAIT }, machine, driven: () => driven });
const lastOf = ({ memory }: ReturnType<typeof setUp>, stream = STREAM) => {
  const { type, data } = (memory.read(stream) as readonly NewRecord[]).at(-1) as NewRecord;
  return { type, data };
};

describe('what an operator wants', () => {
  it('is in the log as one event for each order, with the reason', async () => {
    const made = setUp();
    await made.begin(STREAM);
    const { runtime } = made;
    for (const [order, action] of [
      [runtime.pause, 'pause'],
      [runtime.resume, 'resume'],
      [runtime.retryNow, 'retry'],
      [runtime.recoverFunds, 'recover'],
      [runtime.cancelRecovery, 'cancelRecovery'],
    ] as const) {
      await order(UUID, `because of ${action}`);
      expect(lastOf(made)).toEqual({ type: 'OperatorActed', data: { action, reason: `because of ${action}` } });
      await order(UUID);
      expect(lastOf(made).data).toEqual({ action, reason: null });
    }
  });

  it('has a reason of at most 500 characters', async () => {
    const made = setUp();
    await made.begin(STREAM);
    await made.runtime.pause(UUID, 'x'.repeat(501));
    expect(lastOf(made).data).toEqual({ action: 'pause', reason: 'x'.repeat(500) });
    await made.runtime.pause(UUID, '');
    expect(lastOf(made).data).toEqual({ action: 'pause', reason: '' });
  });

  it('of an unknown swap is refused; the error shows at most 100 characters of the id', async () => {
    const { runtime, memory, begin } = setUp();
    await begin('taker-swap/6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11');
    const fees = { coin: 'DOC', most: '0.2' as DecimalText };
    for (const order of [runtime.pause, (uuid: string) => runtime.allowFees(uuid, fees)]) {
      await expect(order(UUID)).rejects.toMatchObject({ code: 'SWAP_NOT_FOUND', facts: { uuid: UUID } });
      await expect(order('x'.repeat(101))).rejects.toMatchObject({ facts: { uuid: 'x'.repeat(100) } });
    }
    expect(memory.end()).toBe(1);
  });

  it('is answered once every stream of the swap holds it durably, or one of them could not accept it', async () => {
    const orders = [
      (runtime: Runtime) => runtime.pause(UUID),
      (runtime: Runtime) => runtime.allowFees(UUID, { coin: 'MARTY', most: '0.2' as DecimalText }),
    ];
    for (const [index, order] of orders.entries()) {
      for (const end of ['durable', 'refused'] as const) {
        const gate = deferred<void>();
        const streams = index === 0 ? ['watcher/another', `watcher/${UUID}`] : [STREAM];
        const made = scriptedRuntime({
          script: { decide: () => WAIT },
          machine: index === 0 ? 'watcher' : 'taker-swap',
          driven: () => (index === 0 ? { watched: { uuid: UUID, taker: 'ab', fee: 'cd' } } : {}),
          log: (memory) => ({
            append: async (batch) => {
              if (batch.expected > 0 && batch.stream === streams[0]) await gate.promise;
              return memory.append(batch);
            },
          }),
        });
        await made.begin(...streams);
        await made.clock.advance(0);
        let answer = 'none yet';
        order(made.runtime).then(
          () => {
            answer = 'durable';
          },
          ({ code }: { code: string }) => {
            answer = code;
          },
        );
        await made.clock.advance(5000);
        expect(answer).toBe('none yet');
        if (end === 'durable') gate.resolve();
        else gate.reject(new Error('no space left on device'));
        await made.clock.advance(0);
        expect(answer).toBe(end === 'durable' ? 'durable' : 'LOG_UNAVAILABLE');
        const held = streams.map((stream) => made.stored(stream).includes('OperatorActed'));
        expect(held).toEqual(streams.map((_, at) => at > 0 || end === 'durable'));
      }
    }
  });

  it('about fees names the chain of either coin, for every stream of the swap alike', async () => {
    const made = setUp();
    await made.begin(STREAM);
    for (const [coin, payment] of [
      ['DOC', 'maker'],
      ['MARTY', 'taker'],
    ] as const) {
      await made.runtime.allowFees(UUID, { coin, most: '0.2' as DecimalText });
      expect(lastOf(made).data).toEqual({ action: 'allowFees', reason: null, fees: { payment, most: '0.2' } });
    }
    const away = scriptedRuntime({ script: { decide: () => WAIT }, machine: 'taker-swap' });
    await away.runtime.resumeAll();
    const records = [{ at: 1_700_000_000_000 as Millis, type: 'Begun', version: 1, data: null }];
    away.memory.append({ stream: STREAM, expected: 0, records });
    await away.runtime.allowFees(UUID, { coin: 'MARTY', most: null });
    expect(away.stored(STREAM)).toEqual(['Begun', 'OperatorActed']);
    const last = (away.memory.read(STREAM) as readonly NewRecord[]).at(-1);
    expect(last?.data).toMatchObject({ fees: { payment: 'taker', most: null } });
  });

  it('is refused once the node shuts down', async () => {
    const { runtime, begin } = setUp();
    await begin(STREAM);
    const paused = runtime.pause(UUID).catch((error: { code: string }) => error.code);
    void runtime.drain();
    expect(await paused).toBe('RUNTIME_DRAINING');
  });

  it('reaches a swap that is not driven, and has it driven from then on', async () => {
    const made = setUp();
    await made.runtime.resumeAll();
    const records = [{ at: 1_700_000_000_000 as Millis, type: 'Begun', version: 1, data: null }];
    made.memory.append({ stream: STREAM, expected: 0, records });
    await made.runtime.pause(UUID.toUpperCase());
    expect(lastOf(made).type).toBe('OperatorActed');
    expect(made.runtime.sizes().runners).toBe(1);
  });
});

describe('the streams of a swap', () => {
  it('are those of its machines that are driven here', async () => {
    for (const machine of ['taker-swap', 'maker-swap', 'watcher']) {
      const made = setUp(machine);
      await made.begin(`${machine}/${UUID}`);
      await made.runtime.pause(UUID);
      expect(lastOf(made, `${machine}/${UUID}`).type).toBe('OperatorActed');
    }
    const other = setUp('activation');
    await other.begin(`activation/${UUID}`);
    await expect(other.runtime.pause(UUID)).rejects.toMatchObject({ code: 'SWAP_NOT_FOUND' });
  });

  it('are also the watches of it under another name, each once', async () => {
    const watched = { uuid: UUID, taker: 'ab', fee: 'cd' };
    const made = setUp('watcher', { watched });
    await made.begin(`watcher/${UUID}`, 'watcher/another');
    await made.runtime.pause(UUID);
    for (const stream of [`watcher/${UUID}`, 'watcher/another']) {
      expect((made.memory.read(stream) as readonly NewRecord[]).map(({ type }) => type)).toEqual([
        'Begun',
        'OperatorActed',
      ]);
    }
    const stranger = setUp('watcher', { watched: { ...watched, uuid: 'other' } });
    await stranger.begin('watcher/another');
    await expect(stranger.runtime.pause(UUID)).rejects.toMatchObject({ code: 'SWAP_NOT_FOUND' });
  });
});
