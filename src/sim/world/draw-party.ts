import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg, type Pair } from '../../primitives/pair.ts';
import type { Seconds } from '../../primitives/time.ts';
import { feeOf, GAS_LIMIT } from '../chains/account/transaction.ts';
import type { NodeFault } from '../chains/types.ts';
import { pick, type Rng } from '../xorshift.ts';
import { amountOf, unitsOf } from './depths.ts';
import type {
  ChainName,
  ChainPlan,
  ClockJump,
  Conduct,
  CrashPlan,
  Order,
  PartyPlan,
  StorageFault,
  Timing,
} from './scenario.ts';
import { type Swarm, stretch } from './swarm.ts';

export type PartyDraw = {
  readonly name: 'maker' | 'taker';
  readonly rogue: boolean;
  readonly chains: Pair<ChainPlan>;
  readonly amounts: Pair<DecimalText>;
  readonly span: Seconds;
  readonly swarm: Swarm;
};

/** A party with everything that goes wrong around it. The two of a run are drawn separately. */
export function drawParty(rng: Rng, draw: PartyDraw): PartyPlan {
  const { name, rogue, span, swarm } = draw;
  return {
    skew: swarm.chance('clock', 600) ? rng.below(59) - 29 : 0,
    jumps: drawJumps(rng, draw),
    orders: drawOrders(rng, draw),
    funds: { maker: drawFunds(rng, draw, 'maker'), taker: drawFunds(rng, draw, 'taker') },
    keyPerSwap: rng.below(2) === 0,
    pushes: { maker: !swarm.chance('deaf', 400), taker: !swarm.chance('deaf', 400) },
    completeFeeds: { maker: null, taker: null },
    timing: swarm.chance('timing', 700) ? drawTiming(rng) : null,
    finality: {
      maker: swarm.chance('finality', 350) ? 1 + rng.below(5) : null,
      taker: swarm.chance('finality', 350) ? 1 + rng.below(5) : null,
    },
    crashes: drawCrashes(rng, draw),
    storage: drawStorage(rng, swarm),
    conduct: rogue ? drawConduct(rng, name) : { kind: 'honest' },
    nodes: {
      maker: drawNodeFaults(rng, { span, swarm }),
      taker: drawNodeFaults(rng, { span, swarm }),
    },
  };
}

function drawCrashes(rng: Rng, { span, swarm }: PartyDraw): readonly CrashPlan[] {
  const crashes: CrashPlan[] = [];
  for (let left = swarm.chance('crash', 600) ? 1 + rng.below(3) : 0; left > 0; left -= 1) {
    const downFor = rng.below(5) === 0 ? rng.below(span) : rng.below(900);
    crashes.push({ at: 1 + rng.below(45), when: pick(rng, ['before', 'after']), downFor });
  }
  return crashes;
}

function drawStorage(rng: Rng, swarm: Swarm): readonly StorageFault[] {
  return swarm.chance('storage', 250) ? [{ at: 1 + rng.below(45), how: pick(rng, ['lost', 'unanswered']) }] : [];
}

/** Steps forth and back, within what both sides accept; seldom by hours. */
function drawJumps(rng: Rng, { span, swarm }: PartyDraw): readonly ClockJump[] {
  if (!swarm.chance('clock', 350)) return [];
  const far = rng.below(8) === 0;
  return [{ at: rng.below(span), skew: far ? rng.below(20_000) - 10_000 : rng.below(59) - 29 }];
}

/** An operator that pauses a swap resumes it. */
function drawOrders(rng: Rng, { span, swarm }: PartyDraw): readonly Order[] {
  const orders: Order[] = [];
  if (swarm.chance('orders', 400)) {
    const at = rng.below(rng.below(2) === 0 ? 600 : span);
    orders.push({ at, action: 'pause' }, { at: at + 1 + rng.below(1500), action: 'resume' });
  }
  if (swarm.chance('orders', 300)) orders.push({ at: rng.below(span), action: 'retry' });
  return orders;
}

/** Hardly more than needed, or a little less; null for plenty. */
function drawFunds(rng: Rng, { name, chains, amounts, swarm }: PartyDraw, leg: ChainName): DecimalText | null {
  const { kind, decimals, feeRate } = onLeg(chains, leg);
  const own = leg === name;
  if (!swarm.chance('poor', 300)) return null;
  const claims = kind === 'utxo' ? 2_000n * BigInt(feeRate ?? 1) : feeOf(feeRate ?? 1, GAS_LIMIT.claim);
  const fees = claims * BigInt(1 + rng.below(own ? 8 : 4));
  const units = own ? (unitsOf(onLeg(amounts, leg), decimals) * BigInt(1000 + rng.below(12))) / 1000n : 0n;
  return amountOf(units + fees, decimals);
}

export function drawTiming(rng: Rng): Timing {
  return {
    confirmationPoll: pick(rng, [60, 200, 600]),
    spendPoll: pick(rng, [120, 300, 600]),
    refundPoll: pick(rng, [300, 900]),
    freshness: pick(rng, [5, 10, 30]),
    bumpAfter: pick(rng, [300, 450, 600]),
    dropAfter: pick(rng, [30, 60, 180]),
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

function drawConduct(rng: Rng, name: 'maker' | 'taker'): Conduct {
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

type NodeDraw = { readonly span: Seconds; readonly swarm: Swarm };

const LIES = ['absent', 'present', 'confirmed', 'spendHidden', 'refundable'] as const;

export function drawNodeFaults(rng: Rng, { span, swarm }: NodeDraw): readonly NodeFault[] {
  const faults: NodeFault[] = [];
  if (swarm.chance('silence', 250)) {
    const during = stretch(rng, span);
    faults.push(
      rng.below(2) === 0 ? { kind: 'outage', ...during } : { kind: 'flaky', oneIn: 2 + rng.below(4), ...during },
    );
  }
  if (swarm.chance('pastView', 250)) {
    const during = stretch(rng, span);
    const blocks = 1 + rng.below(5);
    faults.push(rng.below(2) === 0 ? { kind: 'lag', blocks, ...during } : { kind: 'contradiction', blocks, ...during });
  }
  if (swarm.chance('broadcast', 250)) {
    const effect = pick(rng, ['lost', 'unanswered', 'refused'] as const);
    faults.push({ kind: 'broadcast', effect, oneIn: 1 + rng.below(3), ...stretch(rng, span) });
  }
  if (swarm.chance('lie', 60)) faults.push({ kind: 'lie', says: pick(rng, LIES), ...stretch(rng, span) });
  return faults;
}
