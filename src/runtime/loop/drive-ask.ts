import type { Millis, Seconds } from '../../primitives/time.ts';
import { askChain } from '../ask.ts';
import { checkedAnswer } from '../check-answer.ts';
import { type AskResult, resultOf } from '../command.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import type { Answered } from '../swap/runner.ts';
import type { Ask } from './drivable.ts';
import { fail } from './drive-fail.ts';
import { about, type Engine, momentOf, move } from './engine.ts';
import type { ChainGate } from './gate.ts';
import { giveBack, takeLate } from './give-back.ts';
import { settle } from './settle.ts';
import { type Slot, swapOf } from './slot.ts';
import type { Doing } from './slot-state.ts';

/** Consecutive commands for which a slot takes precedence over new ones. */
const LONGEST_RUN = 24;

/** Asks its chain, or queues for it. */
export function ask(
  engine: Engine,
  slot: Slot,
  { command, now }: { readonly command: Ask; readonly now: Millis },
): void {
  const coin = slot.driven?.coins[command.leg] ?? null;
  const gate = coin === null ? undefined : engine.gates.get(coin);
  if (gate === undefined) {
    move(engine, slot, { type: 'unasked' });
    take(engine, slot, { command, result: unavailable(`${coin ?? 'the coin'} is not active`) });
    return;
  }
  const { doing, counts } = slot.state;
  const place = doing.mode === 'ready' && doing.place?.gate === gate ? doing.place : null;
  const since = place?.since ?? now;
  const until = now + engine.policy.callTimeout * 1000;
  if (place !== null || gate.enter(slot, goesFirst(counts.burst + 1, command))) {
    call(engine, slot, { command, gate, since, now, until });
  } else move(engine, slot, { type: 'queue', gate, since, asked: command, until });
}

function goesFirst(burst: number, { question }: Ask): boolean {
  return question.op === 'broadcast' || (burst > 1 && burst <= LONGEST_RUN);
}

/** How long something took: by the host's elapsed time if it reports that, however its clock is set meanwhile. */
function passed({ clock, steady }: Engine): number {
  return clock.elapsed?.() ?? steady.now();
}

type Call = {
  readonly command: Ask;
  readonly gate: ChainGate<Slot>;
  readonly since: number;
  readonly now: Millis;
  readonly until: number;
};

function call(engine: Engine, slot: Slot, { command, gate, since, now, until }: Call): void {
  if (!move(engine, slot, { type: 'ask', gate, since, asked: command, until })) return;
  const { doing } = slot.state;
  const begun = passed(engine);
  const answered = (result: AskResult): void => {
    if (slot.state.doing !== doing) {
      engine.metrics.late({ op: command.question.op, coin: gate.coin });
      gate.lateAnswer();
      if (command.question.op === 'prepare') {
        const made = resultOf(command.question, result);
        if (made.ok) takeLate(engine, slot, { command, coin: gate.coin, tx: made.value });
      }
      return;
    }
    move(engine, slot, { type: 'answered' });
    note(engine, slot, { command, gate, result, since: now });
    take(engine, slot, { command, result, took: engine.steady.now() - since, answering: passed(engine) - begun });
  };
  const { question } = command;
  const clean = (text: string): string => engine.redactor.text(text, { driven: slot.driven, question });
  const handlers = {
    done: (answer: unknown) => answered(checkedAnswer(question, answer, { clean })),
    failed: (error: unknown) => {
      engine.logger.error('a chain adapter threw', about(slot, { coin: gate.coin, reason: shortReason(error) }));
      answered(unavailable(`the adapter failed with ${shortReason(error)}`));
    },
  };
  const { chain } = gate;
  if (question.op === 'payment' && chain.payments !== undefined) {
    engine.batches.payment(chain, { query: question.query, ...handlers });
  } else settle<unknown>(() => askChain(chain, question, { swap: swapOf(slot) }), handlers);
}

type Open = Extract<Doing, { readonly mode: 'asking' | 'queued' }>;

/** No answer in time, or no place at the gate. What was sent may still have arrived. */
export function giveUp(engine: Engine, slot: Slot, { open, now }: { readonly open: Open; readonly now: Millis }): void {
  const { asked, gate, mode } = open;
  const seconds: Seconds = engine.policy.callTimeout;
  const place = mode === 'queued' ? `no free place to ask ${gate.coin}` : `no answer of ${gate.coin}`;
  const result = unavailable(`${place} within ${seconds} s`);
  const since = (now - Math.ceil(seconds * 1000)) as Millis;
  move(engine, slot, { type: 'gaveUp' });
  note(engine, slot, { command: asked, gate, result, since });
  take(engine, slot, { command: asked, result });
}

function unavailable(message: string): AskResult {
  return { ok: false, fault: { kind: 'unavailable', message } };
}

/** A wallet that returns another swap's transaction has prepared none for this one. */
function ownResult({ claims }: Engine, { stream }: Slot, { command, result }: Taken): AskResult {
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

function note(engine: Engine, slot: Slot, { command, gate, result, since }: Noted): void {
  const { metrics, logger, steady } = engine;
  const { op } = command.question;
  const { coin } = gate;
  const fault = result.ok ? null : result.fault.kind;
  metrics.asked({ op, coin, seconds: (steady.now() - since) / 1000, fault });
  if (!result.ok) logger.warn('no useful answer', about(slot, { coin, op, kind: fault, text: result.fault.message }));
}

type Taken = Omit<Answered, 'now'> & { readonly command: Ask };

function take(engine: Engine, slot: Slot, { command, result: answer, ...when }: Taken): void {
  const result = ownResult(engine, slot, { command, result: answer });
  try {
    slot.driven?.absorb(command, { ...when, result, now: momentOf(engine, slot) });
    giveBack(engine, slot);
  } catch (error) {
    fail(engine, slot, runnerFailed(slot.stream, error));
  }
}
