import type { Watch } from '../../events/watcher.ts';
import type { Millis } from '../../primitives/time.ts';
import { checkedAnswer } from '../check-answer.ts';
import type { AskResult } from '../command.ts';
import { shortReason } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';
import { settle } from '../loop/settle.ts';
import { feeCheckOf } from './validate.ts';

/** One of the first two is called once, possibly immediately. */
export type FeeAnswered = {
  readonly answered: (result: AskResult) => void;
  /** No answer in time. */
  readonly givenUp: (result: AskResult) => void;
  /** The answer after that. */
  readonly late: () => void;
};

/** Asks the taker's chain whether the fee of a watch was paid. The returned function ends the wait for an answer. */
export function askForFee(
  { gates, steady, metrics, logger, redactor, policy }: Loop,
  watch: Watch,
  { answered, givenUp, late }: FeeAnswered,
): () => void {
  const coin = watch.taker_coin;
  const gate = gates.get(coin);
  if (gate === undefined) {
    answered(unavailable(`${coin} is not active`));
    return () => {};
  }
  const since = steady.now();
  const check = feeCheckOf(watch);
  const question = { op: 'checkFee', check } as const;
  let over = false;
  let stopWaiting = (): void => {};
  const note = (result: AskResult): AskResult => {
    over = true;
    stopWaiting();
    const fault = result.ok ? null : result.fault.kind;
    metrics.asked({ op: 'checkFee', coin, seconds: (steady.now() - since) / 1000, fault });
    return result;
  };
  const take = (result: AskResult): void => {
    if (!over) {
      answered(note(result));
      return;
    }
    metrics.late({ op: 'checkFee', coin });
    late();
  };
  metrics.decided('ask');
  const clean = (text: string): string => redactor.text(text, { driven: null, question });
  settle<unknown>(() => gate.chain.checkFee(check, { swap: watch.uuid }), {
    done: (answer) => take(checkedAnswer(question, answer, { clean })),
    failed(error) {
      logger.error('a chain adapter threw', { coin, reason: shortReason(error) });
      take(unavailable(`the adapter failed with ${shortReason(error)}`));
    },
  });
  if (over) return () => {};
  const { callTimeout } = policy;
  stopWaiting = steady.wakeAt((since + Math.ceil(callTimeout * 1000)) as Millis, () => {
    if (!over) givenUp(note(unavailable(`no answer of ${coin} within ${callTimeout} s`)));
  });
  return () => stopWaiting();
}

function unavailable(message: string): AskResult {
  return { ok: false, fault: { kind: 'unavailable', message } };
}
