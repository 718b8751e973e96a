import type { JournalPayloads } from '../../../events/journal.ts';
import type { Transaction } from '../../../events/payloads.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { publishedMargin } from '../assumptions.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import { hashOf } from './agreement.ts';
import type { Report } from './rules.ts';
import { isFinal, oldestLook, otherLeg, type Scene, secondsOf, truthOf, unconfirmed, wasMisled } from './truth.ts';

// Rule R4: what an event says of a payment is held against the ledgers in the moment in which it becomes durable.

/** Why what an event says is not so; null when it is. `leg`: the chain that it speaks of. */
type Check = (scene: Scene, data: unknown) => { readonly leg: ChainName; readonly text: string } | null;

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

/** The secret is shown by whatever holds it, also by a claim that waits for a payment which waits for its block. */
const ownIsTaken = check(own, (scene, leg, data) => {
  const { secret, transaction } = (data ?? {}) as { readonly secret?: string; readonly transaction?: Transaction };
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

/** A claim is given up when the chain has shown for good that the payment went back; by a maker also when its time is over. */
const claimIsLost = check(other, (scene, leg) => {
  if (isFinal(scene, leg, 'refund')) return null;
  const { world, node, agreement } = scene;
  // Both chains' clocks count, so that the node of either may have told that it is over.
  if (node.name === 'maker' && wasMisled(scene, 'maker', secondsOf(world) - oldestLook(node))) return null;
  const until = agreement.taker.terms.lock - publishedMargin(world.scenario.lockDuration) - EPOCH;
  const { maker, taker } = world.chains;
  const latest = Math.max(secondsOf(world), maker.clock() - EPOCH, taker.clock() - EPOCH);
  const isLate = node.name === 'maker' && (latest + CLOCKS >= until || fewBlocksLeft(scene));
  return isLate ? null : 'the claim is given up though it can succeed';
});

/** Blocks that come so much quicker than their nominal time must not cost the margin. */
const QUICKER = 1.25;

/** Whether a chain that counts blocks has come to the margin, however little time has passed. */
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

/** Clocks of a party and of a chain may differ by so much, in seconds. */
const CLOCKS = 60;

const lockHasPassed = check(own, (scene, leg) => {
  const { lock } = onLeg(scene.agreement, leg).terms;
  // Miners may have written times that are ahead of the world: the chain then lets the payment go back as much earlier.
  const clock = onLeg(scene.world.chains, leg).clock();
  if (Math.max(secondsOf(scene.world) + EPOCH, clock) + CLOCKS > lock) return null;
  return truthOf(scene, leg).spend?.how === 'refund' ? null : 'the lock of the own payment has not passed';
});

const settlement: Check = (scene, data) => {
  const { payment, how, tx_hash } = data as JournalPayloads['PaymentSettled'];
  const state = truthOf(scene, payment);
  const wrong = (text: string) => ({ leg: payment, text });
  // Where there never was such a payment, it is the one that a lie once showed.
  if (state.fundings.length === 0 && wasMisled(scene, payment, 0)) return null;
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
  const lost = onLeg(scene.node.plan.nodes, leg).some((fault) => fault.kind === 'broadcast' && fault.effect === 'lost');
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
  const { deadline: at } = data as JournalPayloads['DeadlineReached'];
  const { world, node } = scene;
  // The chain gave the own payment back by itself: nothing is left to wait for.
  if (truthOf(scene, node.name).spend?.how === 'refund') return null;
  const host = world.now + node.skew * 1000;
  const latest = Math.max(host, world.chains.maker.clock() * 1000, world.chains.taker.clock() * 1000);
  if (latest >= at || fewBlocksLeft(scene)) return null;
  // Both chains' clocks count, so that whichever lied may have been believed.
  const since = secondsOf(world) - oldestLook(node);
  const misled = wasMisled(scene, other(scene), since);
  return misled ? null : { leg: own(scene), text: 'the deadline has passed by no clock' };
};

/** A swap is over when the own payment is back, was never made, or left for the other one. */
const nothingIsLocked: Check = (scene) => {
  const leg = own(scene);
  const { fundings, spend } = truthOf(scene, leg);
  if (fundings.length === 0 || spend !== null) return null;
  const claimed = truthOf(scene, other(scene)).spend?.how === 'secret';
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

/** Holds a durable event against the ledgers, unless the party's node misled it about that chain a short while ago. */
export function checkEvent(
  scene: Scene,
  { type, data }: { readonly type: string; readonly data: unknown },
  report: Report,
): void {
  const found = CHECKS[scene.node.name].get(type)?.(scene, data) ?? null;
  if (found === null) return;
  if (wasMisled(scene, found.leg, secondsOf(scene.world) - oldestLook(scene.node))) return;
  report(type === 'Finished' ? 'R3' : 'R4', `${type}: ${found.text}`);
}
