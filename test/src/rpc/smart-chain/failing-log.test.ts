import { describe, expect, it } from 'vitest';
import { LogError } from '../../../../src/log/log-error.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { attackedNode, expectIntact, resultOf, settle, stateOf } from '../../../support/attacked-node.ts';

/** A log whose disk is full while `full` is set. */
function fillable() {
  const log = createMemoryLog();
  const state = { full: false };
  const append: EventLog['append'] = async (batch) => {
    if (state.full) {
      throw new LogError('LOG_WRITE_FAILED', 'The log cannot be written.', {
        facts: { path: '/home/somebody/secret.db' },
        next: 'Make room on the disk.',
      });
    }
    return log.append(batch);
  };
  return { state, log: { ...log, append } satisfies EventLog };
}

describe('a node whose disk is full', () => {
  it.each([
    ['generate', () => [2]],
    ['generatetoaddress', ({ address }: { address: string }) => [1, address]],
    ['invalidateblock', ({ hash }: { hash: string }) => [hash]],
    ['reconsiderblock', ({ given }: { given: string }) => [given]],
    ['sendtoaddress', ({ address }: { address: string }) => [address, '0.1']],
    ['sendrawtransaction', ({ transfer }: { transfer: string }) => [transfer]],
  ])(
    'W1: answers %s with an error that reveals no path, changes nothing, and goes on when there is room',
    async (method, of) => {
      const { log, state } = fillable();
      const node = await attackedNode({ log });
      const at = await settle(node);
      const before = stateOf(node);
      state.full = true;
      for (let round = 0; round < 3; round++) {
        const { error } = await node.call(method, of(at));
        expect(error).toEqual({ code: -1, message: expect.stringContaining('[LOG_WRITE_FAILED]') });
        expect(error?.message).not.toContain('secret.db');
        expect(stateOf(node)).toBe(before);
      }
      expect(JSON.stringify(node.logger.lines)).not.toContain('secret.db');
      state.full = false;
      await resultOf(node, method, ...of(at));
      await resultOf(node, 'generate', 1);
      await expectIntact(node);
    },
  );
});

it('a call that mines several blocks says which of them were added when the disk is full', async () => {
  const { log, state } = fillable();
  let left = Number.POSITIVE_INFINITY;
  const append: EventLog['append'] = (batch) => {
    left -= 1;
    if (left < 0) state.full = true;
    return log.append(batch);
  };
  const node = await attackedNode({ log: { ...log, append } });
  await settle(node);
  const height = Number(await resultOf(node, 'getblockcount'));
  const mined = async (room: number) => {
    left = room;
    const { error } = await node.call('generate', [50]);
    return error?.message ?? '';
  };
  expect(await mined(0)).toBe('The log cannot be written. [LOG_WRITE_FAILED]');
  state.full = false;
  const one = await mined(1);
  const stands = await resultOf(node, 'getbestblockhash');
  expect(one).toBe(`The log cannot be written. [LOG_WRITE_FAILED] 1 of 50 blocks were mined: block ${stands} remains.`);
  state.full = false;
  const seven = await mined(7);
  const [from, to] = [await resultOf(node, 'getblockhash', height + 2), await resultOf(node, 'getbestblockhash')];
  expect(seven).toContain(`7 of 50 blocks were mined: blocks ${from} to ${to} remain.`);
  expect(await resultOf(node, 'getblockcount')).toBe(height + 8);
});
