import type { TaskLimits } from '../../events/task-payloads.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { EvmActivator } from '../../ports/evm-activator.ts';
import type { Logger } from '../../ports/logger.ts';
import { loggedText } from '../activations/logged-request.ts';
import { CoinQueues } from '../coin-queues.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { boundedActivator } from './bounded-activator.ts';
import { type EthFamily, ethFamily } from './eth-family.ts';
import { ethWorker } from './eth-worker.ts';
import { PlatformCoins } from './platform-coins.ts';
import { PlatformTasks } from './platform-tasks.ts';
import { reservingActivator } from './reserving-activator.ts';
import { TaskIds } from './task-ids.ts';

export type EthTasksOptions = {
  readonly activator: EvmActivator;
  readonly coins: CoinsFile;
  /** Where coins become active. @defaultValue no one else sees them */
  readonly active?: PlatformCoins;
  /** @defaultValue no other family gives out ids */
  readonly ids?: TaskIds;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Texts that are never written. */
  readonly hide: readonly string[];
  readonly compatibility: Compatibility;
  /** Whether requests must name the contracts of the second trading protocol. @defaultValue false */
  readonly tradingProtoV2?: boolean;
  /** Longest waits of tasks that are started from now on. @defaultValue 300 s for a user and for a device, none for the whole */
  readonly limits?: TaskLimits;
};

export type EthTasks = PlatformTasks<EthFamily>;

/** The tasks that activate coins of EVM chains (specification §3.2, §4.6 to §4.9). */
export function createEthTasks(options: EthTasksOptions): EthTasks {
  const { activator, coins, log, clock, logger, hide, compatibility, tradingProtoV2 = false, limits } = options;
  const { active = new PlatformCoins(), ids = new TaskIds() } = options;
  // One that is left alone gives the place of its coin back.
  const reserving = reservingActivator(boundedActivator(activator, { clock, logger }), active);
  const queues = new CoinQueues();
  const clean = (text: string): string => loggedText(text, hide);
  return new PlatformTasks<EthFamily>({
    ...{ family: ethFamily, active, ids, log, clock, logger, compatibility, limits },
    worker: (sessionOf) =>
      ethWorker({
        ...{ activator: reserving, coins, active, queues, compatibility, tradingProtoV2, logger },
        ...{ sessionOf, clean },
      }),
  });
}
