import type { JournalPayloads } from '../events/journal.ts';
import type { Leg, NewEvent } from '../runtime/command.ts';
import { viewOf } from '../runtime/swap/runner.ts';
import { type Scene, truthIn } from './scene.ts';

// Compares what a public or journal event says about the end of a payment with the true chain, at the moment of its
// append. Events about a broadcast say what a node answered, which may no longer be true by then.

type Check = (scene: Scene, data: unknown) => string | null;

const unless = (holds: boolean, text: string): string | null => (holds ? null : text);

function finality({ model }: Scene, leg: Leg): number {
  return model.bounds.finality[leg];
}

/** A watcher looks at the swap as the taker. */
function own({ seat }: Scene): Leg {
  return seat === 'maker' ? 'maker' : 'taker';
}

function other(scene: Scene): Leg {
  return scene.seat === 'maker' ? 'taker' : 'maker';
}

const otherIsConfirmed: Check = (scene) => {
  const depth = truthIn(scene, other(scene)).funding?.depth ?? 0;
  const confirmations = scene.model.bounds.confirmations[other(scene)];
  return unless(depth >= confirmations, `the other payment has ${depth} of ${confirmations} confirmations`);
};

const ownIsTaken: Check = (scene) =>
  unless(truthIn(scene, own(scene)).spend?.how === 'secret', 'nobody has spent the own payment with the secret');

const otherIsTaken: Check = (scene) =>
  unless(truthIn(scene, other(scene)).spend?.how === 'secret', 'nobody has spent the other payment with the secret');

const claimIsFinal: Check = (scene) => {
  const { spend } = truthIn(scene, other(scene));
  const deep = spend !== null && spend.depth >= finality(scene, other(scene));
  return unless(spend?.how === 'secret' && deep, 'the claim is not final');
};

const refundIsFinal: Check = (scene) => {
  const { funding, spend } = truthIn(scene, own(scene));
  const back = spend?.how === 'refund' && spend.depth >= finality(scene, own(scene));
  return unless(back || funding === null, 'the refund is not final');
};

/** The last second at which a maker shows its secret for the first time, by the published times: 4/5 of the lock duration after its start. */
export function lastReveal({ runner }: Scene): number {
  const { startedAt, lockDuration } = viewOf(runner);
  return startedAt === null ? 0 : startedAt + Math.floor((4 * lockDuration) / 5);
}

/** An engine gives up a claim once the chain has shown the other payment finally refunded, or once a maker's time is over. */
const claimIsLost: Check = (scene) => {
  const { spend } = truthIn(scene, other(scene));
  if (spend?.how === 'refund' && spend.depth >= finality(scene, other(scene))) return null;
  const until = scene.seat === 'maker' ? lastReveal(scene) : Number.POSITIVE_INFINITY;
  return unless(scene.now > until, 'the claim is given up though it can succeed');
};

const refundIsLost: Check = (scene) => {
  const { spend } = truthIn(scene, own(scene));
  return unless(spend?.how === 'secret' && spend.depth > 0, 'the refund is given up though it can succeed');
};

const ownWasNotSent: Check = (scene) =>
  unless(truthIn(scene, own(scene)).funding === null, 'the own payment is on the chain or in the mempool');

const lockHasPassed: Check = (scene) => {
  const lock = viewOf(scene.runner).ownTerms?.lock ?? 0;
  return unless(scene.now > lock || truthIn(scene, own(scene)).spend?.how === 'refund', 'the lock has not passed');
};

const settlement: Check = (scene, data) => {
  const { payment, how } = data as JournalPayloads['PaymentSettled'];
  const { funding, spend } = truthIn(scene, payment);
  if (how === 'voided') return unless(funding === null, 'the payment is there');
  const wanted = how === 'claimed' ? 'secret' : 'refund';
  const text = `the payment was not ${how} for good`;
  return unless(spend?.how === wanted && spend.depth >= finality(scene, payment), text);
};

const deadline: Check = (scene, data) => {
  const { deadline: at } = data as JournalPayloads['DeadlineReached'];
  return unless(scene.now * 1000 > at, 'the deadline has not passed');
};

const CHECKS: Readonly<Record<string, Check>> = {
  'maker/TakerPaymentValidatedAndConfirmed': otherIsConfirmed,
  'maker/TakerPaymentSpendConfirmed': claimIsFinal,
  'maker/TakerPaymentSpendFailed': claimIsLost,
  'maker/TakerPaymentSpendConfirmFailed': claimIsLost,
  MakerPaymentTransactionFailed: ownWasNotSent,
  MakerPaymentRefunded: refundIsFinal,
  MakerPaymentRefundFailed: refundIsLost,
  MakerPaymentValidatedAndConfirmed: otherIsConfirmed,
  'taker/TakerPaymentSpent': ownIsTaken,
  MakerPaymentSpentByWatcher: otherIsTaken,
  MakerPaymentSpendConfirmed: claimIsFinal,
  MakerPaymentSpendFailed: claimIsLost,
  MakerPaymentSpendConfirmFailed: claimIsLost,
  TakerPaymentTransactionFailed: ownWasNotSent,
  TakerPaymentWaitForSpendFailed: lockHasPassed,
  TakerPaymentRefunded: refundIsFinal,
  TakerPaymentRefundedByWatcher: refundIsFinal,
  TakerPaymentRefundFailed: refundIsLost,
  PaymentSettled: settlement,
  DeadlineReached: deadline,
  'watcher/PaymentSettled': settlement,
  'watcher/DeadlineReached': deadline,
  'watcher/TakerPaymentSpendFound': ownIsTaken,
};

/** Why an event is untrue; null if it is true, or says nothing about a chain. */
export function endingProblem(scene: Scene, { type, data }: NewEvent): string | null {
  const check = CHECKS[`${scene.seat}/${type}`] ?? (scene.seat === 'watcher' ? undefined : CHECKS[type]);
  return check === undefined ? null : check(scene, data);
}
