import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NetworkFault, NodeFault, SimChainKind } from '../chains/types.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import { checkDrawing } from './check-options.ts';
import { focusedScenario } from './focus.ts';
import type {
  ChainEvent,
  ChainName,
  ChainPlan,
  Conduct,
  CrashPlan,
  PartyPlan,
  Scenario,
  StorageFault,
} from './scenario.ts';

export type GenerateOptions = {
  /** Kinds of chain to draw from. @defaultValue all */
  readonly kinds?: readonly SimChainKind[];
  /** Whether parties may break the protocol. @defaultValue true */
  readonly adversaries?: boolean;
  /** How much goes wrong: 0 nothing, 1 as usual. @defaultValue 1 */
  readonly trouble?: number;
};

const KINDS: readonly SimChainKind[] = ['utxo', 'account', 'autoRefund'];

/**
 * A scenario from a seed: chains, clocks, faults, crashes and conduct, drawn so that most runs have a little trouble, some a
 * lot, and some none. Equal seeds give equal scenarios, and a scenario's own seed is the one that it was drawn from.
 */
export function generateScenario(seed: number, options: GenerateOptions = {}): Scenario {
  checkDrawing(seed, options);
  const drawn = drawScenario(seed, options);
  const { kinds, adversaries = true, trouble = 1 } = options;
  if (kinds !== undefined || !adversaries || trouble < 1) return drawn;
  const rng = xorshift32(Math.imul(seed + 1, 0x85eb_ca6b) ^ 0x1b87_3593);
  return rng.below(FOCUSED_ONE_IN) === 0 ? focusedScenario(drawn, rng) : drawn;
}

/** One run in so many is led to where the others seldom come. */
const FOCUSED_ONE_IN = 8;

function drawScenario(seed: number, options: GenerateOptions): Scenario {
  const rng = xorshift32(Math.imul(seed + 1, 0x9e37_79b1) ^ 0x5bd1_e995);
  const { kinds = KINDS, adversaries = true, trouble = 1 } = options;
  const lockDuration = pick(rng, [7800, 7800, 7800, 31_200]);
  const span = lockDuration * 2;
  const rough = trouble === 0 ? 0 : rng.below(4);
  const chance = (perMille: number): boolean => rough > 0 && rng.below(1000) < perMille * rough * trouble;
  const chains = {
    maker: chainPlan(rng, { name: 'maker', kinds, span, chance }),
    taker: chainPlan(rng, { name: 'taker', kinds, span, chance }),
  };
  const rogue = adversaries && rng.below(4) === 0 ? pick(rng, ['maker', 'taker'] as const) : null;
  return {
    seed,
    fidelity: 'compact',
    chains,
    makerAmount: pick(rng, ['1.5', '0.25', '12'] as DecimalText[]),
    takerAmount: pick(rng, ['3', '0.7', '20.5'] as DecimalText[]),
    lockDuration,
    confirmations: { maker: 1 + rng.below(3), taker: 1 + rng.below(3) },
    ...watching(rng, chance),
    parties: {
      maker: partyPlan(rng, { rogue: rogue === 'maker', name: 'maker', span, chance }),
      taker: partyPlan(rng, { rogue: rogue === 'taker', name: 'taker', span, chance }),
    },
    network: {
      latency: [0, pick(rng, [0, 1, 3, 10])],
      lossPerMille: chance(120) ? rng.below(500) : 0,
      duplicatePerMille: chance(120) ? rng.below(500) : 0,
    },
    chainEvents: chance(120) ? chainEvents(rng, span) : [],
    // Every lock has passed, with hours to spare for the last refund to become final.
    horizon: span * 2 + 40_000,
  };
}

/** Who is watched, and by whom: half of those who ask for watchers find one. */
function watching(rng: Rng, chance: Chance): Pick<Scenario, 'useWatchers' | 'watcher'> {
  const useWatchers = rng.below(3) === 0;
  if (!useWatchers || rng.below(2) === 0) return { useWatchers, watcher: null };
  const crashes: readonly CrashPlan[] = chance(150)
    ? [{ at: 1 + rng.below(20), when: rng.below(2) === 0 ? 'before' : 'after', downFor: rng.below(3000) }]
    : [];
  return { useWatchers, watcher: { crashes } };
}

function pick<T>(rng: Rng, from: readonly T[]): T {
  return from[rng.below(from.length)] as T;
}

type Chance = (perMille: number) => boolean;

function chainPlan(
  rng: Rng,
  { name, kinds, span, chance }: { name: ChainName; kinds: readonly SimChainKind[]; span: Seconds; chance: Chance },
): ChainPlan {
  const kind = pick(rng, kinds);
  const faults: NetworkFault[] = [];
  if (chance(80)) faults.push({ kind: 'feeSpike', factor: 2 + rng.below(6), ...window(rng, span) });
  if (chance(60)) faults.push({ kind: 'censor', purposes: [pick(rng, PURPOSES)], ...window(rng, span) });
  if (kind === 'account' && chance(100)) {
    faults.push({ kind: 'revert', purposes: [pick(rng, PURPOSES)], oneIn: 2, ...window(rng, span) });
  }
  return {
    kind,
    coin: name === 'maker' ? 'DOC' : 'MARTY',
    // Slow enough for speed, quick enough to confirm within the margins: at least forty blocks in a lock.
    blockTime: pick(rng, span > 20_000 ? [300, 600] : [60, 120, 180]),
    finality: 2 + rng.below(3),
    faults,
  };
}

const PURPOSES = ['fee', 'payment', 'claim', 'refund'] as const;

/** A stretch of time inside the life of a swap; seconds from the start. */
function window(rng: Rng, span: Seconds): { readonly from: UnixSeconds; readonly until: UnixSeconds } {
  const from = rng.below(2) === 0 ? rng.below(1500) : rng.below(span);
  const until = from + 30 + rng.below(rng.below(3) === 0 ? span / 2 : 1500);
  return { from: from as UnixSeconds, until: until as UnixSeconds };
}

function partyPlan(
  rng: Rng,
  { rogue, name, span, chance }: { rogue: boolean; name: 'maker' | 'taker'; span: Seconds; chance: Chance },
): PartyPlan {
  const crashes: CrashPlan[] = [];
  const count = chance(250) ? 1 + rng.below(3) : 0;
  for (let index = 0; index < count; index += 1) {
    const downFor = rng.below(5) === 0 ? rng.below(span) : rng.below(900);
    crashes.push({ at: 1 + rng.below(45), when: rng.below(2) === 0 ? 'before' : 'after', downFor });
  }
  const storage: StorageFault[] = chance(60)
    ? [{ at: 1 + rng.below(45), how: rng.below(2) === 0 ? 'lost' : 'unanswered' }]
    : [];
  return {
    skew: chance(100) ? rng.below(59) - 29 : 0,
    crashes,
    storage,
    conduct: rogue ? conductOf(rng, name) : { kind: 'honest' },
    nodes: { maker: nodeFaults(rng, span, chance), taker: nodeFaults(rng, span, chance) },
  };
}

const VANISH_AFTER = {
  maker: [
    'Started',
    'Negotiated',
    'TakerFeeValidated',
    'MakerPaymentSent',
    'TakerPaymentReceived',
    'TakerPaymentSpent',
  ],
  taker: [
    'Started',
    'Negotiated',
    'TakerFeeSent',
    'MakerPaymentReceived',
    'MakerPaymentValidatedAndConfirmed',
    'TakerPaymentSent',
  ],
} as const;

function conductOf(rng: Rng, name: 'maker' | 'taker'): Conduct {
  switch (rng.below(5)) {
    case 0:
      return name === 'maker'
        ? { kind: 'shortLock', seconds: 1 + rng.below(12_000), admit: rng.below(2) === 0 }
        : { kind: 'underpay' };
    case 1:
      return { kind: 'underpay' };
    case 2:
      return { kind: 'greedy' };
    case 3:
      return { kind: 'liar' };
    default:
      return {
        kind: 'vanish',
        after: pick(rng, VANISH_AFTER[name]),
        backAfter: rng.below(3) === 0 ? null : rng.below(20_000),
      };
  }
}

function nodeFaults(rng: Rng, span: Seconds, chance: Chance): readonly NodeFault[] {
  if (!chance(120)) return [];
  const during = window(rng, span);
  switch (rng.below(8)) {
    case 0:
      return [{ kind: 'flaky', oneIn: 2 + rng.below(4), ...during }];
    case 1:
      return [{ kind: 'lag', blocks: 1 + rng.below(5), ...during }];
    case 2:
      return [{ kind: 'contradiction', blocks: 1 + rng.below(4), ...during }];
    case 3:
      return [{ kind: 'broadcast', effect: 'lost', oneIn: 1 + rng.below(3), ...during }];
    case 4:
      return [{ kind: 'broadcast', effect: 'unanswered', oneIn: 1 + rng.below(3), ...during }];
    case 5:
      return [{ kind: 'broadcast', effect: 'refused', oneIn: 1 + rng.below(3), ...during }];
    case 6:
      return rng.below(4) === 0 ? [{ kind: 'lie', says: pick(rng, LIES), ...during }] : [];
    default:
      return [{ kind: 'outage', ...during }];
  }
}

const LIES = ['absent', 'present', 'confirmed', 'spendHidden', 'refundable'] as const;

function chainEvents(rng: Rng, span: Seconds): readonly ChainEvent[] {
  return Array.from({ length: 1 + rng.below(3) }, (): ChainEvent => {
    const at = rng.below(3) === 0 ? rng.below(span) : rng.below(2000);
    const chain = pick(rng, ['maker', 'taker'] as const);
    if (rng.below(4) === 0) return { at, chain, kind: 'dropMempool' };
    return { at, chain, kind: 'reorg', depth: 1 + rng.below(rng.below(4) === 0 ? 8 : 2), drop: rng.below(3) === 0 };
  });
}
