import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NetworkFault, NodeFault, SeenPurpose } from '../chains/types.ts';
import { pick, type Rng } from '../xorshift.ts';
import type { MarketCoin, MarketEvent } from './scenario.ts';

/** Classes of what goes wrong. A seed has each class or none of it, so that the remaining ones come at their full rate. */
export const CLASSES = [
  'crash',
  'storage',
  'nodes',
  'slow',
  'silentFeeds',
  'clocks',
  'messages',
  'partitions',
  'fees',
  'miners',
  'reorgs',
  'orders',
  'poor',
  'policy',
] as const;

export type FaultClass = (typeof CLASSES)[number];

export type Draw = { readonly rng: Rng; readonly has: (fault: FaultClass) => boolean };

export function stretch(rng: Rng, span: Seconds): { readonly from: Seconds; readonly until: Seconds } {
  const from = rng.below(3) === 0 ? rng.below(1500) : rng.below(span);
  return { from, until: from + 60 + rng.below(pick(rng, [600, 3000, 9000])) };
}

const FAULT_KINDS = ['outage', 'flaky', 'lag', 'contradiction', 'broadcast'] as const;

export function nodeFaults(rng: Rng, span: Seconds): readonly NodeFault[] {
  if (rng.below(2) === 0) return [];
  const { from, until } = stretch(rng, span);
  const during = { from: from as UnixSeconds, until: until as UnixSeconds };
  const kind = pick(rng, FAULT_KINDS);
  switch (kind) {
    case 'outage':
      return [{ kind, ...during }];
    case 'flaky':
      return [{ kind, oneIn: 2 + rng.below(5), ...during }];
    case 'broadcast':
      return [
        { kind, effect: pick(rng, ['lost', 'unanswered', 'refused'] as const), oneIn: 1 + rng.below(3), ...during },
      ];
    default:
      return [{ kind, blocks: rng.below(4), seconds: rng.below(600), ...during }];
  }
}

const PURPOSES: readonly SeenPurpose[] = ['fee', 'payment', 'claim', 'refund'];

type Faulty = { readonly coin: MarketCoin; readonly span: Seconds; readonly rough: boolean };

export function networkFaults({ rng, has }: Draw, { coin, span, rough }: Faulty): readonly NetworkFault[] {
  if (!has('fees')) return [];
  const { from, until } = stretch(rng, span);
  const during = { from: from as UnixSeconds, until: until as UnixSeconds };
  if (!rough || rng.below(2) === 0) return [{ kind: 'feeSpike', factor: 2 + rng.below(4), ...during }];
  const purposes = [pick(rng, PURPOSES)];
  if (coin.kind === 'account') return [{ kind: 'revert', purposes, oneIn: 2, ...during }];
  return [{ kind: 'censor', purposes, ...during }];
}

export function chainEvents(rng: Rng, coins: readonly MarketCoin[], span: Seconds): readonly MarketEvent[] {
  return Array.from({ length: 1 + rng.below(3) }, (): MarketEvent => {
    const { coin } = pick(rng, coins);
    const at = rng.below(2) === 0 ? rng.below(2000) : rng.below(span);
    if (rng.below(3) === 0) return { at, coin, kind: 'dropMempool' };
    return { at, coin, kind: 'reorg', depth: 1 + rng.below(4), drop: rng.below(3) === 0 };
  });
}
