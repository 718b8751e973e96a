import { describe, expect, it } from 'vitest';
import type { EvmActivationFault } from '../../../../src/ports/evm-activator.ts';
import { taskBench } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble } from '../../../support/tasks/evm-double.ts';

const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };
const KEYED = { nodes: [{ url: 'http://node.example' }, { url: 'http://user:hunter2@node.example' }] };
const OPEN = { ticker: 'MATIC' };
const AWAY: EvmActivationFault = { type: 'Transport', data: 'nobody answers', passing: true };
const away = { fail: AWAY } as const;

/** Two coins in use, one of them over a url with a password, in a process that has ended. */
async function ended(keyed: object = { ...KEYED, ...TOKENS }) {
  const bench = taskBench();
  const first = await bench.start();
  const lost = await first.idOf(keyed);
  await first.idOf(OPEN);
  await bench.settle();
  await first.tasks.close();
  return { ...bench, lost };
}

const LOST = { ticker: 'ETH', coins: ['ETH', 'TOK'], withheld: ['/nodes/1/url'], call: 'task::enable_eth::init' };

describe('after a restart', () => {
  it('it is known which coins come back, and which do not since their urls held secrets', async () => {
    const bench = await ended();
    const second = await bench.start(new EvmDouble([[away]]));
    expect(second.tasks.afterRestart()).toEqual({ again: ['MATIC'], lost: [LOST] });
    await bench.settle();
    expect(second.tasks.afterRestart()).toEqual({ again: ['MATIC'], lost: [LOST] });
  });

  it('the log has a line for each that does not, without the secret', async () => {
    const bench = await ended();
    await bench.start(new EvmDouble([[away]]));
    await bench.settle();
    const lines = bench.lines.filter((line) => line.includes('be activated again:'));
    expect(lines).toEqual([
      'a coin that was in use cannot be activated again: the log holds no secrets of URLs {"coins":"ETH, ' +
        'TOK","withheld":"/nodes/1/url","call":"task::enable_eth::init"}',
    ]);
  });

  it('it is known after a further one too, until the coin is active or removed', async () => {
    const bench = await ended();
    const second = await bench.start();
    await bench.settle();
    await second.tasks.close();
    const third = await bench.start();
    await bench.settle();
    expect(third.tasks.afterRestart().lost).toEqual([LOST]);
    await third.idOf(KEYED);
    await bench.settle();
    expect(third.tasks.afterRestart().lost).toEqual([]);
    await third.tasks.release('ETH');
    await third.tasks.close();
    expect((await bench.start()).tasks.afterRestart().lost).toEqual([]);
  });

  it('nothing is reported about a coin that was removed, nor twice about one that was lost twice', async () => {
    const bench = await ended();
    const second = await bench.start();
    await bench.settle();
    await second.idOf(KEYED);
    await bench.settle();
    await second.tasks.close();
    const third = await bench.start();
    expect(third.tasks.afterRestart().lost).toEqual([{ ...LOST, coins: ['ETH'] }]);
    await bench.settle();
    await third.tasks.release('ETH');
    await third.tasks.close();
    expect((await bench.start()).tasks.afterRestart().lost).toEqual([]);
  });

  it('a task that was still activating continues too', async () => {
    const bench = taskBench();
    const first = await bench.start(new EvmDouble([['wait']]));
    await first.idOf(OPEN);
    await bench.settle();
    await first.tasks.close();
    expect((await bench.start(new EvmDouble([['wait']]))).tasks.afterRestart()).toEqual({ again: ['MATIC'], lost: [] });
  });

  it('a coin that is active again is among those that come back, until it is disabled', async () => {
    const bench = await ended(TOKENS);
    const second = await bench.start();
    await bench.settle();
    expect(second.tasks.afterRestart()).toEqual({ again: ['ETH', 'TOK', 'MATIC'], lost: [] });
    await second.tasks.release('MATIC');
    expect(second.tasks.afterRestart().again).toEqual(['ETH', 'TOK']);
  });
});
