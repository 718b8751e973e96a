import type { Clock, Random } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { Births } from '../births.ts';
import type { EvmHomes } from './homes.ts';

/** What a node opens coins of EVM chains with. */
export type EvmParts = {
  readonly homes: EvmHomes;
  readonly clock: Clock;
  readonly random: Random;
  readonly births: Births;
  readonly logger: Logger;
  /** Depth from which a spend counts as final. */
  readonly finality: number;
  /** Tickers of a chain that swaps need and that are not active, so that nobody has told what is held of them. @defaultValue there are none */
  readonly awaitedOn?: (chainId: number) => Promise<readonly string[]>;
  /** Between two looks for news. */
  readonly poll: Seconds;
};
