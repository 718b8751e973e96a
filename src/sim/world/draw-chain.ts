import type { DecimalText } from '../../primitives/decimal.ts';
import { remembering } from '../../primitives/remember.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { NetworkFault, SimChainKind } from '../chains/types.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import type { ChainEvent, ChainName, ChainPlan } from './scenario.ts';
import { type Swarm, stretch } from './swarm.ts';

export type ChainDraw = {
  readonly name: ChainName;
  readonly kinds: readonly SimChainKind[];
  /** Lock of the maker's payment from the start. */
  readonly span: Seconds;
  readonly swarm: Swarm;
};

const PURPOSES = ['fee', 'payment', 'claim', 'refund'] as const;

/** A chain with the faults of its network. The two of a run are independent. */
export function drawChain(rng: Rng, { name, kinds, span, swarm }: ChainDraw): ChainPlan {
  const kind = pick(rng, kinds);
  const { decimals, feeRate } = drawUnits(rng, kind);
  const faults: NetworkFault[] = [];
  if (swarm.chance('price', 350)) {
    faults.push({ kind: 'feeSpike', factor: 2 + rng.below(6), ...stretch(rng, span) });
  }
  if (swarm.chance('censor', 250)) {
    faults.push({ kind: 'censor', purposes: [pick(rng, PURPOSES)], ...stretch(rng, span) });
  }
  if (kind === 'account' && swarm.chance('revert', 400)) {
    faults.push({ kind: 'revert', purposes: [pick(rng, PURPOSES)], oneIn: 2, ...stretch(rng, span) });
  }
  const notarised = kind === 'utxo' && rng.below(2) === 0;
  return {
    kind,
    coin: name === 'maker' ? 'DOC' : 'MARTY',
    // Slow enough for a fast simulation, fast enough to confirm within the margins: at least forty blocks in a lock.
    blockTime: pick(rng, span > 20_000 ? [300, 420, 600] : [60, 75, 120, 150, 180]),
    finality: 1 + rng.below(4),
    decimals,
    feeRate,
    notariseEvery: notarised ? 2 + rng.below(4) : null,
    pace: 900 + rng.below(250),
    startHeight: 900 + rng.below(100_000),
    faults,
  };
}

/** Script amounts have 64 bits, so only accounts have eighteen decimals. */
function drawUnits(rng: Rng, kind: SimChainKind): Pick<ChainPlan, 'decimals' | 'feeRate'> {
  if (kind === 'utxo') return { decimals: pick(rng, [8, 8, 8, 6]), feeRate: 1 + rng.below(8) };
  if (kind === 'account' && rng.below(2) === 0) return { decimals: 18, feeRate: (1 + rng.below(30)) * 1e9 };
  return { decimals: pick(rng, kind === 'account' ? [8] : [8, 6]), feeRate: 1 };
}

/** Amounts with a given number of decimals; so few that results computed for one are remembered for the next run. */
const AMOUNTS = 40;

/** An amount with all the digits that its chain has, or with few. */
export function drawAmount(rng: Rng, { decimals }: ChainPlan): DecimalText {
  return pick(rng, amountsOf(decimals));
}

const amountsOf = remembering((decimals: number): readonly DecimalText[] => {
  const rng = xorshift32(decimals + 1);
  return Array.from({ length: AMOUNTS }, (_, index) => {
    // Fees of six decimals are large against one coin.
    const whole = decimals === 6 ? 5 + rng.below(40) : rng.below(20);
    const digits = index % 4 === 0 ? 1 : decimals;
    let fraction = String(1 + rng.below(9));
    while (fraction.length < digits) fraction += String(rng.below(10));
    // The shortest text has no zero at its end.
    return `${whole}.${fraction.slice(0, -1)}${digits === 1 ? fraction : 1 + rng.below(9)}` as DecimalText;
  });
});

/** Reorganizations, and mempools that are lost. */
export function drawChainEvents(rng: Rng, { span, swarm }: Pick<ChainDraw, 'span' | 'swarm'>): readonly ChainEvent[] {
  const events: ChainEvent[] = [];
  const moment = () => (rng.below(3) === 0 ? rng.below(span) : rng.below(2000));
  const chain = () => pick(rng, ['maker', 'taker'] as const);
  for (let left = swarm.chance('reorg', 500) ? 1 + rng.below(3) : 0; left > 0; left -= 1) {
    const depth = 1 + rng.below(rng.below(4) === 0 ? 8 : 2);
    events.push({ at: moment(), chain: chain(), kind: 'reorg', depth, drop: rng.below(3) === 0 });
  }
  if (swarm.chance('mempool', 300)) events.push({ at: moment(), chain: chain(), kind: 'dropMempool' });
  return events;
}
