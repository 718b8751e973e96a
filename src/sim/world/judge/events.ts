import type { JournalPayloads } from '../../../events/journal.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { NodeFault } from '../../chains/types.ts';
import { publishedMargin } from '../assumptions.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import { hashOf } from './agreement.ts';
import type { Report } from './rules.ts';
import {
  canGoBack,
  finalityOf,
  isFinal,
  oldestLook,
  otherLeg,
  type Scene,
  secondsOf,
  truthOf,
  unconfirmed,
  wasMisled,
} from './truth.ts';

// Rule R4: what an event says about a payment is checked against the ledgers at the moment at which it becomes durable.

/** Why an event is untrue; null if it is true. `leg`: the chain that may have misled the party; null for none. */
type Check = (scene: Scene, data: unknown) => { readonly leg: ChainName | null; readonly text: string } | null;

type Leg = (scene: Scene) => ChainName;

const own: Leg = ({ node }) => node.name;
const other: Leg = ({ node }) => otherLeg(node.name);

function check(leg: Leg, problem: (scene: Scene, leg: ChainName, data: unknown) => string | null): Check {
  return (scene, data) => {
    const chain = leg(scene);
    const text = problem(scene, chain, data);
    return text === null ? null : { leg: chain, text };
  };
}

const isConfirmed = check(other, (scene, leg) =>
  unconfirmed(scene.world, leg, { agreed: onLeg(scene.agreement, leg), state: truthOf(scene, leg) }),
);

/** Anything that holds the secret shows it, even a claim on a payment that still waits for its block. */
const ownIsTaken = check(own, (scene, leg, data) => {
  const { secret, transaction } = (data ?? {}) as {
    readonly secret?: string;
    readonly transaction?: StoredTransaction;
  };
  if (secret !== undefined && !opens(onLeg(scene.agreement, leg).terms.secretHash, secret)) {
    return 'the secret is not the one whose hash was agreed on';
  }
  const hash = transaction?.tx_hash ?? '';
  const { ledger } = onLeg(scene.world.chains, leg);
  return ledger.transaction(hash)?.purpose === 'claim' ? null : 'nobody has taken the own payment with the secret';
});

function opens(hash: string, secret: string): boolean {
  return hashOf(secret, hash.length === 64 ? 32 : 20) === hash;
}

const otherIsTaken = check(other, (scene, leg) =>
  truthOf(scene, leg).spend?.how === 'secret' ? null : 'nobody has taken the other payment with the secret',
);

const claimIsFinal = check(other, (scene, leg) => (isFinal(scene, leg, 'secret') ? null : 'the claim is not final'));

const refundIsFinal = check(own, (scene, leg) =>
  isFinal(scene, leg, 'refund') || truthOf(scene, leg).fundings.length === 0 ? null : 'the refund is not final',
);

/** Whose clock an engine says that it used. */
type Clock = JournalPayloads['DeadlineReached']['clock'];

const LEG_OF = { host: null, makerChain: 'maker', takerChain: 'taker' } as const;

/** What a clock shows, in seconds. */
function shownBy({ world, node }: Scene, clock: Clock): number {
  const leg = LEG_OF[clock];
  return leg === null ? world.now / 1000 + node.skew : onLeg(world.chains, leg).clock();
}

/** The clock that decided the last deadline in a party's log; null if there is none. */
function lastDecider({ node }: Scene): Clock | null {
  const last = node.records.findLast(({ type }) => type === 'DeadlineReached');
  return last === undefined ? null : (last.data as JournalPayloads['DeadlineReached']).clock;
}

/** A party gives up a claim once the chain has shown the payment finally refunded; a maker also once its time is over. */
const claimIsLost: Check = (scene) => {
  const leg = other(scene);
  if (isFinal(scene, leg, 'refund') || (scene.node.name === 'maker' && fewBlocksLeft(scene))) return null;
  const text = 'the claim is given up though it can succeed';
  const clock = scene.node.name === 'maker' ? lastDecider(scene) : null;
  if (clock === null) return { leg, text };
  const until = scene.agreement.taker.terms.lock - publishedMargin(scene.world.scenario.lockDuration);
  return shownBy(scene, clock) + CLOCKS >= until ? null : { leg: LEG_OF[clock], text: `${text}, by ${clock}` };
};

/** Blocks that come this much faster than their nominal time must not cost the margin. */
const QUICKER = 1.25;

/** Whether a chain that counts blocks has reached the margin, however little time has passed. */
function fewBlocksLeft(scene: Scene): boolean {
  const { chains, scenario } = scene.world;
  const { expiry } = truthOf(scene, 'taker');
  if (expiry === null) return false;
  const blocks = (publishedMargin(scenario.lockDuration) * QUICKER + CLOCKS) / scenario.chains.taker.blockTime;
  return chains.taker.height() >= expiry - blocks - 1;
}

const refundIsLost = check(own, (scene, leg) => {
  const { spend } = truthOf(scene, leg);
  return spend?.how === 'secret' && spend.confirmations > 0 ? null : 'the refund is given up though it can succeed';
});

const ownWasNotSent = check(own, (scene, leg) =>
  truthOf(scene, leg).fundings.length === 0 ? null : 'the own payment is on the chain or in the mempool',
);

/** How much the clocks of a party and of a chain may differ, in seconds. */
const CLOCKS = 60;

/** The chain decides whether the own payment is refundable: by its clock, or by its blocks for a payment that counts them. */
const lockHasPassed = check(own, (scene, leg) => {
  const { spend, expiry } = truthOf(scene, leg);
  const chain = onLeg(scene.world.chains, leg);
  const { lock } = onLeg(scene.agreement, leg).terms;
  const counts = chain.kind === 'autoRefund';
  const isOver = counts && (expiry === null ? chain.clock() >= lock : chain.height() >= expiry);
  if (spend?.how === 'refund' || isOver || canGoBack(scene, leg)) return null;
  return 'the lock of the own payment has not passed';
});

/** If there is no payment as agreed, what ended is one under other terms: its end is still on the chain. */
const settledOther: Check = (scene, data) => {
  const { payment, how, tx_hash } = data as JournalPayloads['PaymentSettled'];
  const seen = tx_hash === null ? null : onLeg(scene.world.chains, payment).ledger.transaction(tx_hash);
  const purpose = how === 'claimed' ? 'claim' : 'refund';
  const isSo = seen?.purpose === purpose && seen.confirmations >= finalityOf(scene, payment);
  return isSo ? null : { leg: payment, text: `no ${payment} payment was ${how} for good` };
};

const settlement: Check = (scene, data) => {
  const { payment, how, tx_hash } = data as JournalPayloads['PaymentSettled'];
  const state = truthOf(scene, payment);
  const wrong = (text: string) => ({ leg: payment, text });
  if (state.fundings.length === 0 && how !== 'voided') return settledOther(scene, data);
  if (how === 'voided') return state.fundings.length === 0 ? null : wrong(`the ${payment} payment is there`);
  if (!isFinal(scene, payment, how === 'claimed' ? 'secret' : 'refund')) {
    return wrong(`the ${payment} payment was not ${how} for good`);
  }
  return state.spend?.hash === tx_hash ? null : wrong(`the ${payment} payment was ${how} by another transaction`);
};

const reorged: Check = (scene, data) => {
  const { payment, tx_hash, before } = data as JournalPayloads['PaymentReorged'];
  if (tx_hash === '') return null;
  const seen = onLeg(scene.world.chains, payment).ledger.transaction(tx_hash);
  if (seen === null || seen.confirmations < Math.max(1, before)) return null;
  return { leg: payment, text: `the transaction has ${seen.confirmations} confirmations, and had ${before}` };
};

const accepted: Check = (scene, data) => {
  const { purpose, tx_hash, how } = data as JournalPayloads['BroadcastAccepted'];
  const leg = purpose === 'claim' ? other(scene) : own(scene);
  const seen = onLeg(scene.world.chains, leg).ledger.transaction(tx_hash);
  const lost = onLeg(scene.node.plan.nodes, leg).some(keepsToItself);
  if (seen === null) return lost ? null : { leg, text: `no node has the ${purpose} that was accepted` };
  if (how !== 'confirmed' || seen.everMined) return null;
  return { leg, text: `the ${purpose} was in no block` };
};

const reverted: Check = (scene, data) => {
  const { purpose, tx_hash } = data as JournalPayloads['TransactionReverted'];
  const leg = purpose === 'claim' ? other(scene) : own(scene);
  const status = onLeg(scene.world.chains, leg).ledger.transaction(tx_hash)?.status;
  return status === 'confirmed' || status === 'mempool' ? { leg, text: `the ${purpose} is there: ${status}` } : null;
};

const recovered: Check = (scene, data) => {
  const { action } = data as JournalPayloads['FundsRecovered'];
  return action === 'SpentOtherPayment' ? claimIsFinal(scene, data) : refundIsFinal(scene, data);
};

const deadline: Check = (scene, data) => {
  const { deadline: at, clock } = data as JournalPayloads['DeadlineReached'];
  // The chain refunded the own payment automatically: nothing is left to wait for.
  if (truthOf(scene, scene.node.name).spend?.how === 'refund') return null;
  if (shownBy(scene, clock) * 1000 >= at || (clock === 'takerChain' && fewBlocksLeft(scene))) return null;
  return { leg: LEG_OF[clock], text: `the deadline has not passed by ${clock}` };
};

/**
 * Whether blocks of the claim's chain were replaced after the log said, and the ledger confirmed, that the claim is final: a process that died in
 * between ends the swap on that, and the guard of the finished swap opens it again. A claim that the log knows to be undone ends nothing.
 */
function claimCameUndone({ world, node }: Scene): boolean {
  const leg = otherLeg(node.name);
  const told = node.records.findLast(({ type, data }) => {
    return TELLS_END.has(type) && (data as JournalPayloads['PaymentSettled']).payment === leg;
  });
  if (told?.type !== 'PaymentSettled' || (told.data as JournalPayloads['PaymentSettled']).how !== 'claimed')
    return false;
  const since = told.at / 1000 - node.skew - EPOCH;
  // With a clock that jumps, nobody can say when that was.
  return world.reorgs.some(({ chain, at }) => chain === leg && (at >= since || node.plan.jumps.length > 0));
}

const TELLS_END: ReadonlySet<string> = new Set(['PaymentSettled', 'PaymentReorged']);

/**
 * Whether a taker read the secret, and the maker took its own payment back although it was too late for that: the swap has failed for every node. If
 * the block with the maker's claim was replaced, the engine refunds the own payment after the end.
 */
function claimWasLost(scene: Scene): boolean {
  const { name, records } = scene.node;
  if (name === 'maker' || !isFinal(scene, 'maker', 'refund')) return false;
  return records.some(({ type }) => type === 'TakerPaymentSpent');
}

/** A swap is over when the own payment is refunded, was never made, or was given for the other, or when the claim for the other is lost. */
const nothingIsLocked: Check = (scene) => {
  const leg = own(scene);
  const { fundings, spend } = truthOf(scene, leg);
  if (fundings.length === 0 || spend !== null || claimWasLost(scene)) return null;
  const claimed = truthOf(scene, other(scene)).spend?.how === 'secret' || claimCameUndone(scene);
  return claimed ? null : { leg, text: 'the swap ends while the own payment is locked' };
};

const MAKER: Readonly<Record<string, Check>> = {
  TakerPaymentValidatedAndConfirmed: isConfirmed,
  TakerPaymentSpendConfirmed: claimIsFinal,
  TakerPaymentSpendFailed: claimIsLost,
  TakerPaymentSpendConfirmFailed: claimIsLost,
  MakerPaymentTransactionFailed: ownWasNotSent,
  MakerPaymentRefunded: refundIsFinal,
  MakerPaymentRefundFailed: refundIsLost,
};

const TAKER: Readonly<Record<string, Check>> = {
  MakerPaymentValidatedAndConfirmed: isConfirmed,
  TakerPaymentSpent: ownIsTaken,
  MakerPaymentSpentByWatcher: otherIsTaken,
  MakerPaymentSpendConfirmed: claimIsFinal,
  MakerPaymentSpendFailed: claimIsLost,
  MakerPaymentSpendConfirmFailed: claimIsLost,
  TakerPaymentTransactionFailed: ownWasNotSent,
  TakerPaymentWaitForSpendFailed: lockHasPassed,
  TakerPaymentRefunded: refundIsFinal,
  TakerPaymentRefundedByWatcher: refundIsFinal,
  TakerPaymentRefundFailed: refundIsLost,
};

const BOTH: Readonly<Record<string, Check>> = {
  PaymentSettled: settlement,
  PaymentReorged: reorged,
  BroadcastAccepted: accepted,
  TransactionReverted: reverted,
  FundsRecovered: recovered,
  DeadlineReached: deadline,
  Finished: nothingIsLocked,
};

const CHECKS = {
  maker: new Map(Object.entries({ ...BOTH, ...MAKER })),
  taker: new Map(Object.entries({ ...BOTH, ...TAKER })),
} as const;

/** Checks a durable event against the ledgers, unless the party's node misled it about that chain shortly before. */
export function checkEvent(
  scene: Scene,
  { type, data }: { readonly type: string; readonly data: unknown },
  report: Report,
): void {
  const found = CHECKS[scene.node.name].get(type)?.(scene, data) ?? null;
  if (found === null) return;
  const { leg } = found;
  if (leg !== null && wasMisled(scene, leg, secondsOf(scene.world) - oldestLook(scene.node))) return;
  report(type === 'Finished' ? 'R3' : 'R4', `${type}: ${found.text}`);
}

/** Whether a node answers that it has sent what it forwards to nobody. */
function keepsToItself(fault: NodeFault): boolean {
  return fault.kind === 'broadcast' ? fault.effect === 'lost' : fault.kind === 'doubt' && fault.keeps === true;
}
