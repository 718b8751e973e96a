import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { CoinsFile } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { virtualClock } from '../virtual-clock.ts';
import { asked, coins as usualCoins } from './eth-tasks.ts';
import { EvmDouble } from './evm-double.ts';

/** Processes of one node, one after the other over one log. */
export function nodeProcesses({ log = createMemoryLog(), coins = usualCoins }: Processes = {}) {
  const clock = virtualClock();
  return {
    clock,
    log,
    /** @param file what the coins file has in this process. @defaultValue what all have */
    async start(evm = new EvmDouble(), file = coins) {
      const node = createNode({
        ...{ coins: file, signer: walletOfPassphrase(new Secret('a passphrase of the suite')), clock, evm },
        // The log outlives its processes.
        log: Object.create(log, { close: { value: () => {} } }) as EventLog,
        peers: createInProcessNetwork().peer('a1'.repeat(32)),
      });
      await node.start();
      await clock.advance(0);
      return {
        node,
        evm,
        active: () => node.coins.active().map(({ ticker }) => ticker),
        /** Activates, and tells how it ended. */
        async activate(members: object = {}) {
          const answer = await node.ethTasks.init(asked(members));
          if (!answer.ok || typeof answer.result !== 'object' || !('task_id' in answer.result)) return answer;
          await clock.advance(0);
          const told = await node.ethTasks.status(answer.result.task_id, false);
          return told.ok ? told.result : told;
        },
      };
    },
  };
}

type Processes = { readonly log?: EventLog; readonly coins?: CoinsFile };
