import { onLeg, type Pair } from '../../primitives/pair.ts';
import type { NodeFault, SimWallet } from '../chains/types.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import type { ChainName, CompleteFeedPlan } from './scenario.ts';

/** A process that listens to its nodes. */
type Ears = {
  readonly completeFeeds?: Pair<CompleteFeedPlan>;
  /** Whether its nodes report anything. @defaultValue they do */
  readonly pushes?: Pair<boolean>;
  readonly nodes: Pair<readonly NodeFault[]>;
};

/**
 * What the feed of a leg promises; null for nothing. A node that lags, lies or is sometimes silent changes its answers without notice: it promises
 * nothing, whatever was planned.
 */
export function completeFeedOf({ completeFeeds, nodes, pushes }: Ears, leg: ChainName): CompleteFeedPlan {
  const isMute = pushes !== undefined && !onLeg(pushes, leg);
  if (completeFeeds === undefined || isMute || onLeg(nodes, leg).length > 0) return null;
  return onLeg(completeFeeds, leg);
}

/** Which notifications of a feed are lost. Drawn separately, so that everything else of a run stays the same. */
export function lossesOf(seed: number, who: 'maker' | 'taker' | 'watcher'): Rng {
  return xorshift32(
    Math.imul(seed + 1, 0x1656_67b1) ^ (who === 'maker' ? 0x2545_f491 : who === 'taker' ? 0x4f6c_dd1d : 0x6a09_e667),
  );
}

type Hearing = { readonly wallet: SimWallet; readonly plan: CompleteFeedPlan; readonly losses: Rng };

/** Receives changes; every block if the feed promises to report all, except for the notifications that it loses. */
export function hearFeed({ wallet, plan, losses }: Hearing, onNews: () => void): void {
  if (plan === null) {
    wallet.subscribe(onNews);
    return;
  }
  const { losesPerMille } = plan;
  const told = () => {
    if (losesPerMille === 0 || losses.below(1000) >= losesPerMille) onNews();
  };
  wallet.subscribe(told, { everyBlock: true });
}
