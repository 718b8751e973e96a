import type { MachineEvent, Want } from '../../../machines/definition.ts';
import type { SwapEffect } from '../../../machines/swap-effects.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Command, NEVER } from '../command.ts';
import { withFinality } from '../finality.ts';
import { waitForTakerPaymentSpend } from './effects/await-spend.ts';
import { claim, confirmClaim, LOST } from './effects/claim.ts';
import { sendTakerFee, waitForTakerFee } from './effects/fee.ts';
import { guard, recoverUnfinished } from './effects/finished.ts';
import { negotiateAsMaker, negotiateAsTaker } from './effects/negotiate.ts';
import { findOwnPayment, pay } from './effects/pay.ts';
import { refund } from './effects/refund.ts';
import { start } from './effects/start.ts';
import { validateOther, waitForMakerPayment, waitForTakerPayment } from './effects/validate.ts';
import { type SwapRunner, viewOf } from './runner.ts';
import { decideSparing, isTold } from './sparing.ts';
import { append, type Proposal, type Turn } from './turn.ts';

type Effect = (turn: Turn, want: Want) => Proposal;

/**
 * How each want of the swap machines is fulfilled. A want without an effect, or an effect without a want, does not
 * compile.
 */
export const effects: Readonly<Record<SwapEffect, Effect>> = {
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
  // The effect beside them makes both looks, because it needs their answers.
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
  recover: recoverUnfinished,
  // Ends a swap whose coins are lost, one legal event at a time.
  closeLost: ({ events }) => append(events.closeLost(LOST)),
};

/**
 * What to do next: one command, from the log, the observations and the time. Asked again after every command, so
 * nothing depends on how the swap reached its state.
 */
export function decideSwap<C, E extends MachineEvent>(runner: SwapRunner<C, E>, now: Millis): Command {
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
  const { role, race, margin, claim: claimed } = swap;
  const { policy, journal, traits } = turn;
  const spared = { policy, journal, role, race, margin, claimed: claimed !== null, traits };
  return decideSparing(turn, spared, () => decideTurn(runner, turn));
}

function decideTurn<C, E extends MachineEvent>(runner: SwapRunner<C, E>, turn: Turn): Command {
  for (const want of wantsOf(runner, turn.swap)) {
    const proposal = effects[want.effect](turn, want);
    if (proposal !== null) return proposal;
  }
  return { kind: 'wait', until: turn.wakeAt };
}

/** What the machine wants. It follows from the log only, so it is computed again only after the log changes. */
function wantsOf<C, E extends MachineEvent>(runner: SwapRunner<C, E>, view: Turn['swap']): readonly Want<SwapEffect>[] {
  const { kind, position, journal, wanted } = runner;
  if (wanted !== null && wanted.view === view && wanted.kind === kind && wanted.journal === journal)
    return wanted.wants;
  const wants = kind.definition.wants(view.state, position.context, journal);
  runner.wanted = { view, kind, journal, wants };
  return wants;
}

function traitsOf<C, E extends MachineEvent>(runner: SwapRunner<C, E>, swap: Turn['swap']): Turn['traits'] {
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
