import type { Purpose } from '../events/journal.ts';
import type { Reward } from '../htlc/evm-reward-calls.ts';
import type { SignedTransaction } from '../ports/chain.ts';
import type { Leg, NewEvent } from '../runtime/command.ts';
import { viewOf } from '../runtime/swap/runner.ts';
import { hasReward, TARGET } from '../sim/world/judge/rewards.ts';
import { RULES } from '../sim/world/judge.ts';
import type { Body } from './bodies.ts';
import { type ChainParts, standing } from './chain-state.ts';
import { endingProblem, lastReveal } from './event-truth.ts';
import { otherOf, type Seat } from './model.ts';
import { USUAL_REWARD } from './rewards.ts';
import { paidTerms, type Scene, truthIn } from './scene.ts';
import { HEIGHT } from './views.ts';
import type { ChainCell } from './wallet.ts';

/** The money rules of the simulation, and two that an exploration can show besides. */
export const CHECKED_RULES = {
  ...RULES,
  legal: 'an engine appends only what the state of its machine accepts, and every state keeps the machine’s invariants',
  rest: 'an engine comes to rest when nothing happens',
} as const;

export type CheckedRule = keyof typeof CHECKED_RULES;

/** A broken rule. */
export type Found = { readonly rule: CheckedRule; readonly party: Seat; readonly text: string };

/** How much the clocks of both parties may differ. */
const CLOCKS = 60;

/** Rules about what is handed to the network: R8. Asked in the moment in which it happens. */
export function judgeHanding(scene: Scene, { tx_hash }: SignedTransaction): Found | null {
  const { log, seat: party, runner } = scene;
  const held = log.some(({ type, data }) => {
    return type === 'TransactionPrepared' && (data as { tx: { tx_hash: string } }).tx.tx_hash === tx_hash;
  });
  if (held) return null;
  const { ownPayment, otherPayment } = party === 'watcher' ? NO_PAYMENTS : viewOf(runner);
  if (ownPayment?.tx_hash === tx_hash || otherPayment?.tx_hash === tx_hash) return null;
  return { rule: 'R8', party, text: `the log does not hold the transaction ${tx_hash} that was broadcast` };
}

const NO_PAYMENTS = { ownPayment: null, otherPayment: null };

/** Rules about what an engine decides to broadcast: R1, R2, R3, R9. Asked in the moment in which it decides. */
export function judgeDecision(scene: Scene, { leg, body }: { leg: Leg; body: Body }): Found | null {
  const { seat: party, cells } = scene;
  // What the network already knows does no harm a second time.
  if (body.owner !== party || standing(cells[leg].state, body.id) !== null) return null;
  if (body.purpose === 'payment' && party === 'taker') return judgePaying(scene);
  if (body.purpose === 'claim' && party === 'maker') return judgeRevealing(scene);
  return body.purpose === 'refund' ? judgeRefunding(scene, leg) : null;
}

function judgePaying(scene: Scene): Found | null {
  const { runner, now, seat: party } = scene;
  const view = viewOf(runner);
  // What was sent in time may be sent again later.
  if (view.ownPayment !== null) return null;
  const found = (text: string): Found => ({ rule: 'R1', party, text });
  const { funding, spend } = truthIn(scene, 'maker');
  const needed = scene.model.bounds.confirmations.maker;
  const depth = funding?.depth ?? 0;
  if (depth < needed) return found(`the taker pays while the maker payment has ${depth} of ${needed} confirmations`);
  if (spend !== null) return found('the taker pays although the maker payment is spent');
  const limit = (view.startedAt ?? 0) + Math.floor((2 * view.lockDuration) / 5);
  if (now > limit + CLOCKS) return found(`the taker pays ${now - limit} s too late`);
  const apart = (view.otherTerms?.lock ?? 0) - (view.ownTerms?.lock ?? 0);
  const least = view.lockDuration - 3 * CLOCKS;
  return apart < least ? found(`the locks lie ${apart} s apart, which is less than ${least} s`) : null;
}

function judgeRevealing(scene: Scene): Found | null {
  const { runner, now, seat: party } = scene;
  const view = viewOf(runner);
  // The secret may already be public: only the first time counts.
  if (view.claim !== null || wasRevealing(scene)) return null;
  const depth = truthIn(scene, 'taker').funding?.depth ?? 0;
  const needed = scene.model.bounds.confirmations.taker;
  if (depth < needed) {
    return {
      rule: 'R9',
      party,
      text: `the secret goes out while the taker payment has ${depth} of ${needed} confirmations`,
    };
  }
  const until = lastReveal(scene) + CLOCKS;
  return now > until ? { rule: 'R9', party, text: `the secret goes out ${now - until} s too late` } : null;
}

/** Whether an earlier run of the engine may have sent a claim. */
function wasRevealing({ log, before }: Scene): boolean {
  return log.slice(0, before).some(({ type, data }) => {
    return type === 'BroadcastAttempted' && (data as { readonly purpose: Purpose }).purpose === 'claim';
  });
}

/**
 * Whether a payment went back for good, or is on no chain and in no mempool and the engine has missed it for as many blocks as make a spend final:
 * then a refund of the own one, if that is still there, is all that is left.
 */
function isGone(scene: Scene, leg: Leg): boolean {
  const final = scene.model.bounds.finality[leg];
  const { funding, spend } = truthIn(scene, leg);
  if (spend?.how === 'refund' && spend.depth >= final) return true;
  const since = scene.runner.facts.missingSince[leg];
  return funding === null && since !== null && HEIGHT - since >= final;
}

function judgeRefunding(scene: Scene, leg: Leg): Found | null {
  const { seat: party, cells, runner } = scene;
  const taken = party !== 'maker' && truthIn(scene, 'taker').spend?.how === 'secret';
  const known = party === 'taker' && viewOf(runner).secretIsPublic;
  if ((taken || known) && !isGone(scene, otherOf(leg)))
    return { rule: 'R2', party, text: 'a refund is broadcast though the secret is known' };
  const { clock } = cells[leg].state;
  const lock = paidTerms(cells[leg], leg)?.lock ?? 0;
  if (clock > lock || cells[leg].parts.kind === 'autoRefund') return null;
  return { rule: 'R3', party, text: 'a refund is broadcast before the chain can take it' };
}

/** Rule R4, of events that are about to be durable. */
export function judgeAppending(scene: Scene, events: readonly NewEvent[]): Found | null {
  for (const event of events) {
    const text = endingProblem(scene, event);
    if (text !== null) return { rule: 'R4', party: scene.seat, text: `${event.type}: ${text}` };
  }
  return null;
}

/** Rule R5: a second payment or fee of one party in a chain. */
export function judgeChain({ parts, state }: ChainCell, adversary: string): Found | null {
  const party = parts.leg;
  if (party === adversary) return null;
  for (const purpose of ['payment', 'fee'] as const) {
    const confirmed = state.txs.filter(({ id, depth, reverted }) => {
      const body = parts.bodies.get(id);
      return depth > 0 && reverted !== true && body?.purpose === purpose && body.owner === party;
    });
    if (confirmed.length > 1)
      return { rule: 'R5', party, text: `${confirmed.length} ${purpose}s of the ${party} are on the chain` };
  }
  return judgeRewards({ parts, state });
}

/** To whom a payment may promise a reward, and of how much, by whose it is and whether the other chain pays too. */
function wronglyPromised({ otherPays, leg }: ChainParts, { target, onClaim, amount }: Reward): string | null {
  const due =
    leg === 'taker' ? (otherPays ? TARGET.contract : TARGET.payer) : otherPays ? TARGET.nobody : TARGET.claimer;
  const isOnClaim = leg === 'maker' && otherPays;
  if (target !== due || onClaim !== isOnClaim) return `its reward goes to ${target}${onClaim ? ' on a claim' : ''}`;
  return amount === USUAL_REWARD[leg] ? null : `its reward is ${amount}, not ${USUAL_REWARD[leg]}`;
}

/** Rule R18: what payments promise, and that a watcher is paid by the contract for each call that had its effect, once. */
function judgeRewards({ parts, state }: ChainCell): Found | null {
  const party = parts.leg;
  for (const { id } of state.txs) {
    const body = parts.bodies.get(id);
    if (body?.purpose !== 'payment' || body.reward === undefined) continue;
    const wrong = wronglyPromised(parts, body.reward);
    if (wrong !== null) return { rule: 'R18', party, text: `the ${party} payment promises another reward: ${wrong}` };
    const ends = state.txs.filter((tx) => {
      const end = parts.bodies.get(tx.id);
      return tx.depth > 0 && tx.reverted !== true && end?.lockKey === body.lockKey && end?.purpose !== 'payment';
    });
    if (ends.length > 1) return { rule: 'R18', party, text: `${ends.length} calls ended the ${party} payment` };
    const end = parts.bodies.get(ends[0]?.id ?? '');
    if (end?.owner !== 'watcher') continue;
    const how = end.purpose === 'refund' ? 'refund' : 'claim';
    if (hasReward(body.reward, { payer: party, end: { how, caller: 'watcher' } }) !== 'watcher')
      return { rule: 'R18', party: 'watcher', text: `the watcher has nothing of its ${how} of the ${party} payment` };
  }
  return null;
}
