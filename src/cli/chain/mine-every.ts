import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { millisOf } from '../../primitives/time.ts';
import type { SmartChain } from '../../smartchain/node.ts';
import { payToKeyScript } from '../../smartchain/tokens/scripts.ts';
import type { Wallet } from '../../smartchain/wallet/wallet.ts';

export type MineEveryOptions = {
  readonly chain: Pick<SmartChain, 'mine'>;
  readonly wallet: Pick<Wallet, 'ring' | 'ownKey' | 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * Mines a block at the given interval in milliseconds, for the wallet's own key, else its first one, else a new one. It logs a failed block, and
 * tries the next one at its time. The returned function stops it and waits for a block under way.
 */
export function mineEvery(everyMs: number, { chain, wallet, clock, logger }: MineEveryOptions): () => Promise<void> {
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = (): void => {};
  const mine = async (): Promise<void> => {
    try {
      const { publicKey } = wallet.ownKey() ?? wallet.ring.keys.values().next().value ?? (await wallet.create());
      await chain.mine({ script: payToKeyScript(publicKey) });
    } catch (error) {
      const { name, code } = error as { readonly name?: string; readonly code?: string };
      logger.error('no block was mined', { error: name, code: error instanceof SwapfoldError ? code : undefined });
    }
    wait();
  };
  const wait = (): void => {
    if (stopped) return;
    cancel = clock.wakeAt(millisOf(clock.now() + everyMs), () => {
      underWay = mine();
    });
  };
  wait();
  return async () => {
    stopped = true;
    cancel();
    await underWay;
  };
}
