import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { SwapEffect } from '../../../machines/swap-effects.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Command, NEVER } from '../command.ts';
import { withFinality } from '../finality.ts';
import { waitForTakerPaymentSpend } from './effects/await-spend.ts';
import { claim, confirmClaim } from './effects/claim.ts';
import { sendTakerFee, waitForTakerFee } from './effects/fee.ts';
import { guard, recoverUnfinished } from './effects/finished.ts';
import { negotiateAsMaker, negotiateAsTaker } from './effects/negotiate.ts';
import { ofAnotherSwap } from './effects/own-things.ts';
import { findOwnPayment, pay } from './effects/pay.ts';
import { refund } from './effects/refund.ts';
import { start } from './effects/start.ts';
import { validateOther, waitForMakerPayment, waitForTakerPayment } from './effects/validate.ts';
import { type Runner, viewOf } from './runner.ts';
import { decideSparing, isTold } from './sparing.ts';
import { append, type Proposal, type Turn } from './turn.ts';

type Effect = (turn: Turn, want: Want) => Proposal;

/** What the machines want, and what the runner wants beside them: a look after a finished swap, and the end of one whose coins are lost. */
type EffectName = SwapEffect | 'guard' | 'closeLost';
type SwapWant = Want<EffectName>;

/** How each want of the swap machines is met. One without an effect, or an effect that nothing wants, does not compile. */
export const effects: Readonly<Record<EffectName, Effect>> = {
  start,
  negotiate: (turn, want) => (turn.swap.role === 'taker' ? negotiateAsTaker(turn, want) : negotiateAsMaker(turn, want)),
  sendTakerFee,
  waitForTakerFee,
  waitForMakerPayment,
  waitForTakerPayment,
  validateMakerPayment: validateOther,
  validateTakerPayment: validateOther,
  sendTakerPayment: pay,
  sendMakerPayment: pay,
  findTakerPayment: findOwnPayment,
  findMakerPayment: findOwnPayment,
  waitForTakerPaymentSpend,
  // Both looks are made by the effect beside them, which needs their answer.
  findTakerPaymentSpend: () => null,
  findMakerPaymentSpend: () => null,
  spendMakerPayment: claim,
  spendTakerPayment: claim,
  confirmMakerPaymentSpend: confirmClaim,
  confirmTakerPaymentSpend: confirmClaim,
  refundTakerPayment: refund,
  refundMakerPayment: refund,
  finishRefund: ({ events }) => append(events.refundFinished()),
  finish: () => append({ type: 'Finished', data: null }),
  guard,
  // Ends a swap whose coins are lost, one legal event at a time.
  closeLost: ({ events }) => append(events.closeLost(LOST)),
};

const COMMITMENTS: ReadonlySet<EffectName> = new Set<EffectName>([
  'start',
  'negotiate',
  'sendTakerFee',
  'waitForTakerFee',
  'waitForMakerPayment',
  'sendTakerPayment',
  'sendMakerPayment',
]);

/**
 * What to do next: one command, from the log, from what was seen, and from the time. Asked again after every command, so
 * nothing depends on how the swap came to where it stands.
 */
export function decide<C, E extends MachineEvent>(runner: Runner<C, E>, now: Millis): Command {
  const swap = viewOf(runner);
  const turn: Turn = {
    now,
    swap,
    events: runner.events,
    journal: runner.journal,
    context: runner.position.context as Turn['context'],
    facts: runner.facts,
    policy: runner.policy,
    traits: traitsOf(runner, swap),
    others: runner.others,
    claims: runner.claims,
    spare: null,
    wakeAt: NEVER,
  };
  if (!isTold(turn.facts)) return decideTurn(runner, turn);
  const { role, otherTerms, claim: claimed, lockDuration } = swap;
  const { policy, journal, traits } = turn;
  const otherLock = otherTerms?.lock ?? null;
  const spared = { policy, journal, role, otherLock, claimed: claimed !== null, lockDuration, traits };
  return decideSparing(turn, spared, () => decideTurn(runner, turn));
}

function decideTurn<C, E extends MachineEvent>(runner: Runner<C, E>, turn: Turn): Command {
  if (turn.journal.recoverSince !== null && turn.swap.state !== 'finished') {
    const answer = recoverUnfinished(turn);
    if (answer !== null) return answer;
  }
  for (const want of wantsOf(runner, turn)) {
    const proposal = perform(turn, want);
    if (proposal !== null) return proposal;
  }
  return { kind: 'wait', until: turn.wakeAt };
}

function traitsOf<C, E extends MachineEvent>(runner: Runner<C, E>, swap: Turn['swap']): Turn['traits'] {
  const { inputs, policy, finalityNamed, depths } = runner;
  if (!finalityNamed) return inputs.traits;
  const own = swap.ownTerms?.amount ?? null;
  const other = swap.otherTerms?.amount ?? null;
  if (depths !== null && depths.own === own && depths.other === other) return depths.traits;
  const amounts = swap.own === 'maker' ? { maker: own, taker: other } : { maker: other, taker: own };
  const traits = withFinality(inputs.traits, policy.finality, amounts);
  runner.depths = { own, other, traits };
  return traits;
}

function perform(turn: Turn, want: SwapWant): Proposal {
  // A pause stops new commitments; what is locked is claimed or refunded all the same.
  if (turn.journal.paused && COMMITMENTS.has(want.effect) && !committed(turn)) return null;
  return effects[want.effect](turn, want);
}

function committed({ journal }: Turn): boolean {
  return journal.prepared.payment.some(({ attemptedAt }) => attemptedAt !== null);
}

const GUARD: readonly SwapWant[] = [{ effect: 'guard' }];
const CLOSE: readonly SwapWant[] = [{ effect: 'closeLost' }];

function wantsOf<C, E extends MachineEvent>(runner: Runner<C, E>, turn: Turn): readonly SwapWant[] {
  const { swap, journal } = turn;
  if (swap.state === 'finished') return GUARD;
  const wants = runner.kind.definition.wants(swap.state, runner.position.context);
  if (isLostToOther(turn)) return CLOSE;
  // The chain has shown for good that the other's payment went back: no claim can succeed.
  if (onLeg(journal.settled, swap.other)?.how !== 'refunded') return wants;
  // A maker whose payment was taken has had its secret shown, whatever its own log says of its claim.
  const ownTaken = onLeg(journal.settled, swap.own)?.how === 'claimed';
  if (swap.role === 'maker' ? ownTaken : swap.secretIsPublic) return CLOSE;
  if (swap.refunded) return [{ effect: swap.state === 'refunded' ? 'finishRefund' : 'finish' }];
  return [{ effect: swap.role === 'maker' ? 'refundMakerPayment' : 'refundTakerPayment' }];
}

/** The own payment was taken, and the payment that it was for is another swap's: nothing is left that could be claimed here. */
function isLostToOther(turn: Turn): boolean {
  const { swap } = turn;
  return swap.role === 'taker' && swap.secretIsPublic && swap.state !== 'claiming' && ofAnotherSwap(turn) !== null;
}

const LOST = 'the other side took both payments: it spent one with the secret and refunded its own';
