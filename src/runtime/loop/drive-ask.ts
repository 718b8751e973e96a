import type { Millis, Seconds } from '../../primitives/time.ts';
import { askChain } from '../ask.ts';
import { checkedAnswer } from '../check-answer.ts';
import { type AskResult, resultOf } from '../command.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import type { Answered } from '../swap/runner.ts';
import type { Ask } from './drivable.ts';
import { fail } from './drive-fail.ts';
import { about, begin, type Engine, end, momentOf, setMode, setModeUntil } from './engine.ts';
import type { ChainGate } from './gate.ts';
import { giveBack, takeLate } from './give-back.ts';
import { settle } from './settle.ts';
import { type Slot, swapOf } from './slot.ts';

/** Commands in a row for which a slot goes before those that begin. */
const LONGEST_RUN = 24;

/** Puts a question to its chain, or queues for it. */
export function ask(
  engine: Engine,
  slot: Slot,
  { command, now }: { readonly command: Ask; readonly now: Millis },
): void {
  const coin = slot.driven?.coins[command.leg] ?? null;
  const gate = coin === null ? undefined : engine.gates.get(coin);
  if (gate === undefined) {
    take(engine, slot, { command, result: unavailable(`${coin ?? 'the coin'} is not active`) });
    return;
  }
  const until = now + engine.policy.callTimeout * 1000;
  const granted = slot.permit === gate;
  if (!granted) slot.since = now;
  slot.permit = null;
  slot.asked = command;
  slot.gate = gate;
  if (granted || gate.enter(slot, goesFirst(slot, command))) call(engine, slot, { command, gate, now, until });
  else setModeUntil(engine, slot, { mode: 'queued', until });
}

function goesFirst({ burst }: Slot, { question }: Ask): boolean {
  return question.op === 'broadcast' || (burst > 1 && burst <= LONGEST_RUN);
}

/** For how long something went on: by the time that the host counts, where it tells that, whatever its clock is set to meanwhile. */
function passed({ clock, steady }: Engine): number {
  return clock.elapsed?.() ?? steady.now();
}

type Call = { readonly command: Ask; readonly gate: ChainGate<Slot>; readonly now: Millis; readonly until: number };

function call(engine: Engine, slot: Slot, { command, gate, now, until }: Call): void {
  slot.token += 1;
  const { token } = slot;
  setModeUntil(engine, slot, { mode: 'asking', until });
  begin(engine);
  const put = passed(engine);
  const answered = (result: AskResult): void => {
    if (slot.token !== token) {
      engine.metrics.late({ op: command.question.op, coin: gate.coin });
      gate.lateAnswer();
      if (command.question.op === 'prepare') {
        const made = resultOf(command.question, result);
        if (made.ok) takeLate(engine, slot, { command, coin: gate.coin, tx: made.value });
      }
      return;
    }
    slot.token += 1;
    slot.asked = null;
    slot.gate = null;
    gate.leave();
    note(engine, slot, { command, gate, result, since: now });
    take(engine, slot, { command, result, took: engine.steady.now() - slot.since, answering: passed(engine) - put });
    end(engine);
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

/** No answer in time, or no place to ask from. Whatever was sent may have arrived all the same. */
export function giveUp(engine: Engine, slot: Slot, now: Millis): void {
  const { asked, gate, mode } = slot;
  if (asked === null || gate === null) return;
  const seconds: Seconds = engine.policy.callTimeout;
  slot.token += 1;
  slot.asked = null;
  slot.gate = null;
  const place = mode === 'queued' ? `no free place to ask ${gate.coin}` : `no answer of ${gate.coin}`;
  const result = unavailable(`${place} within ${seconds} s`);
  const since = (now - Math.ceil(seconds * 1000)) as Millis;
  if (mode === 'queued') gate.withdraw();
  else gate.abandon();
  note(engine, slot, { command: asked, gate, result, since });
  take(engine, slot, { command: asked, result });
  if (mode === 'asking') end(engine);
}

function unavailable(message: string): AskResult {
  return { ok: false, fault: { kind: 'unavailable', message } };
}

/** A wallet that hands out another swap's transaction has prepared none for this one. */
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
  readonly gate: ChainGate<Slot>;
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
  setMode(engine, slot, 'ready');
  try {
    slot.driven?.absorb(command, { ...when, result, now: momentOf(engine, slot) });
    giveBack(engine, slot);
  } catch (error) {
    fail(engine, slot, runnerFailed(slot.stream, error));
  }
}
