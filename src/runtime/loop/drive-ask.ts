import type { Millis, Seconds } from '../../primitives/time.ts';
import { askChain } from '../ask.ts';
import { checkedAnswer } from '../check-answer.ts';
import { type AskResult, resultOf } from '../command.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import type { Answered } from '../swap/runner.ts';
import type { Ask } from './drivable.ts';
import { fail } from './drive-fail.ts';
import type { ChainGate } from './gate.ts';
import { giveBack, takeLate } from './give-back.ts';
import { about, type Loop, momentOf, move } from './loop.ts';
import { settle } from './settle.ts';
import { type Slot, swapOf } from './slot.ts';
import type { Doing } from './slot-state.ts';

/** Consecutive commands for which a slot takes precedence over new ones. */
const LONGEST_RUN = 24;

/** Asks its chain, or queues for it. */
export function ask(loop: Loop, slot: Slot, { command, now }: { readonly command: Ask; readonly now: Millis }): void {
  const coin = slot.driven?.coins[command.leg] ?? null;
  const gate = coin === null ? undefined : loop.gates.get(coin);
  if (gate === undefined) {
    move(loop, slot, { type: 'unasked' });
    take(loop, slot, { command, result: unavailable(`${coin ?? 'the coin'} is not active`) });
    return;
  }
  const { doing, counts } = slot.state;
  const place = doing.mode === 'ready' && doing.place?.gate === gate ? doing.place : null;
  const since = place?.since ?? now;
  const until = now + loop.policy.callTimeout * 1000;
  if (place !== null || gate.enter(slot, goesFirst(counts.burst + 1, command))) {
    call(loop, slot, { command, gate, since, now, until });
  } else move(loop, slot, { type: 'queue', gate, since, asked: command, until });
}

function goesFirst(burst: number, { question }: Ask): boolean {
  return question.op === 'broadcast' || (burst > 1 && burst <= LONGEST_RUN);
}

/** How long something took: by the host's elapsed time if it reports that, however its clock is set meanwhile. */
function passed({ clock, steady }: Loop): number {
  return clock.elapsed?.() ?? steady.now();
}

type Call = {
  readonly command: Ask;
  readonly gate: ChainGate<Slot>;
  readonly since: number;
  readonly now: Millis;
  readonly until: number;
};

function call(loop: Loop, slot: Slot, { command, gate, since, now, until }: Call): void {
  if (!move(loop, slot, { type: 'ask', gate, since, asked: command, until })) return;
  const { doing } = slot.state;
  const begun = passed(loop);
  const answered = (result: AskResult): void => {
    if (slot.state.doing !== doing) {
      loop.metrics.late({ op: command.question.op, coin: gate.coin });
      gate.lateAnswer();
      if (command.question.op === 'prepare') {
        const made = resultOf(command.question, result);
        if (made.ok) takeLate(loop, slot, { command, coin: gate.coin, tx: made.value });
      }
      return;
    }
    move(loop, slot, { type: 'answered' });
    note(loop, slot, { command, gate, result, since: now });
    take(loop, slot, { command, result, took: loop.steady.now() - since, answering: passed(loop) - begun });
  };
  const { question } = command;
  const clean = (text: string): string => loop.redactor.text(text, { driven: slot.driven, question });
  const handlers = {
    done: (answer: unknown) => answered(checkedAnswer(question, answer, { clean })),
    failed: (error: unknown) => {
      loop.logger.error('a chain adapter threw', about(slot, { coin: gate.coin, reason: shortReason(error) }));
      answered(unavailable(`the adapter failed with ${shortReason(error)}`));
    },
  };
  const { chain } = gate;
  if (question.op === 'payment' && chain.payments !== undefined) {
    loop.batches.payment(chain, { query: question.query, ...handlers });
  } else settle<unknown>(() => askChain(chain, question, { swap: swapOf(slot) }), handlers);
}

type Open = Extract<Doing, { readonly mode: 'asking' | 'queued' }>;

/** No answer in time, or no place at the gate. What was sent may still have arrived. */
export function giveUp(loop: Loop, slot: Slot, { open, now }: { readonly open: Open; readonly now: Millis }): void {
  const { asked, gate, mode } = open;
  const seconds: Seconds = loop.policy.callTimeout;
  const place = mode === 'queued' ? `no free place to ask ${gate.coin}` : `no answer of ${gate.coin}`;
  const result = unavailable(`${place} within ${seconds} s`);
  const since = (now - Math.ceil(seconds * 1000)) as Millis;
  move(loop, slot, { type: 'gaveUp' });
  note(loop, slot, { command: asked, gate, result, since });
  take(loop, slot, { command: asked, result });
}

function unavailable(message: string): AskResult {
  return { ok: false, fault: { kind: 'unavailable', message } };
}

/** A wallet that returns another swap's transaction has prepared none for this one. */
function ownResult({ claims }: Loop, { stream }: Slot, { command, result }: Taken): AskResult {
  if (command.question.op !== 'prepare') return result;
  const made = resultOf(command.question, result);
  if (!made.ok) return result;
  const { tx_hash } = made.value;
  const holder = claims.of(stream).transaction(tx_hash);
  return holder === null
    ? result
    : unavailable(`the wallet gave transaction ${tx_hash}, which belongs to swap ${holder}`);
}

type Noted = {
  readonly command: Ask;
  readonly gate: Pick<ChainGate<Slot>, 'coin'>;
  readonly result: AskResult;
  readonly since: Millis;
};

function note(loop: Loop, slot: Slot, { command, gate, result, since }: Noted): void {
  const { metrics, logger, steady } = loop;
  const { op } = command.question;
  const { coin } = gate;
  const fault = result.ok ? null : result.fault.kind;
  metrics.asked({ op, coin, seconds: (steady.now() - since) / 1000, fault });
  if (!result.ok) logger.warn('no useful answer', about(slot, { coin, op, kind: fault, text: result.fault.message }));
}

type Taken = Omit<Answered, 'now'> & { readonly command: Ask };

function take(loop: Loop, slot: Slot, { command, result: answer, ...when }: Taken): void {
  const result = ownResult(loop, slot, { command, result: answer });
  try {
    slot.driven?.absorb(command, { result, now: momentOf(loop, slot), ...when });
    giveBack(loop, slot);
  } catch (error) {
    fail(loop, slot, runnerFailed(slot.stream, error));
  }
}
