import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { EvmActivator } from '../../../src/ports/evm-activator.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { asked, coins } from '../../support/tasks/eth-tasks.ts';
import { EvmDouble, found } from '../../support/tasks/evm-double.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

function nodeWith(evm: EvmActivator) {
  const clock = virtualClock();
  const inner = createMemoryLog();
  const closed: string[] = [];
  const log: EventLog = {
    append: (batch) => inner.append(batch),
    read: (stream, from) => inner.read(stream, from),
    find: (query) => inner.find(query),
    subscribe: (options, onEntry) => inner.subscribe(options, onEntry),
    quarantined: () => inner.quarantined(),
    // The last act of a runtime whose swaps were left in order.
    close: () => void closed.push('log'),
  };
  const node = createNode({
    ...{ coins, signer: walletOfPassphrase(new Secret('a passphrase of the suite')), log, clock, evm },
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
  });
  return { node, clock, closed };
}

describe('a node that is closed', () => {
  it('leaves its swaps in order at once, although an activation does not end', async () => {
    const { node, clock, closed } = nodeWith(new EvmDouble([['hang']]));
    await node.start();
    await node.ethTasks.init(asked());
    await clock.advance(0);
    const closing = node.close().then(() => closed.push('node'));
    await clock.advance(0);
    expect(closed).toEqual(['log']);
    await clock.advance(10_000);
    await closing;
    expect(closed).toEqual(['log', 'node']);
  });

  it('leaves its swaps in order even if a coin does not close its connections', async () => {
    let closes = 0;
    const evm: EvmActivator = {
      async activate(order) {
        const value = found(order, () => {
          closes += 1;
          throw new Error('the socket is stuck');
        });
        return { ok: true, value };
      },
    };
    const { node, clock, closed } = nodeWith(evm);
    await node.start();
    await node.ethTasks.init(asked());
    await node.ethTasks.init(asked({ ticker: 'MATIC' }));
    await clock.advance(0);
    expect(await node.close()).toEqual({ clean: true, abandoned: 0 });
    expect([closed, closes]).toEqual([['log'], 2]);
  });

  it('leaves its swaps in order although its orders cannot be closed, and says so', async () => {
    const { node, closed } = nodeWith(new EvmDouble());
    await node.start();
    node.orders.close = async () => {
      throw new Error('no network');
    };
    await expect(node.close()).rejects.toThrow('no network');
    expect(closed).toEqual(['log']);
  });
});
