import { type DecimalText, toBigNumber } from '../../../primitives/decimal.ts';
import { onLeg, type Pair } from '../../../primitives/pair.ts';
import type { Millis, Seconds } from '../../../primitives/time.ts';
import type { AskResult, Command } from '../../../runtime/command.ts';
import type { ChainName } from '../scenario.ts';

// Rule R17 for what a watch asks: when it looks at a fee again, and for which payments.

/** The pause between two looks at a wrong fee, and how many there may be after the first, as in the real node. */
const FEE_PAUSE: Seconds = 10;
const FEE_RETRIES = 6;

/** What a watch has asked of its nodes. */
export type WatchAsks = {
  /** The last look of this process at a fee that was found wrong; null before. */
  wrongFee: { readonly at: Millis; readonly times: number } | null;
  /** What was wrong with such looks. */
  feeProblem: string | null;
  /** Amounts of the payments that it looked for. */
  readonly amounts: Record<ChainName, Set<DecimalText>>;
};

export function noAsks(): WatchAsks {
  return { wrongFee: null, feeProblem: null, amounts: { maker: new Set(), taker: new Set() } };
}

type Answered = {
  readonly command: Extract<Command, { readonly kind: 'ask' }>;
  readonly result: AskResult;
  readonly now: Millis;
};

/** Keeps a question with its answer. */
export function noteAsk(asks: WatchAsks, { command: { question, leg }, result, now }: Answered): void {
  if (question.op === 'payment') onLeg(asks.amounts, leg).add(question.query.terms.amount);
  if (question.op !== 'checkFee' || !result.ok || result.value === null) return;
  const before = asks.wrongFee;
  const times = (before?.times ?? 0) + 1;
  asks.wrongFee = { at: now, times };
  if (times > FEE_RETRIES + 1) asks.feeProblem ??= `a watch looks ${times} times at a wrong fee`;
  const pause = before === null ? FEE_PAUSE : (now - before.at) / 1000;
  if (pause < FEE_PAUSE) asks.feeProblem ??= `a watch looks at a wrong fee again after ${pause} s`;
}

/** A new process does not know what it asked. */
export function forgetAsks(asks: WatchAsks): void {
  asks.wrongFee = null;
}

/** The agreed terms that matter here. */
type Agreed = Pair<{ readonly terms: { readonly amount: DecimalText } }>;

/** What is wrong with what the watch of an honest taker asked, or null. */
export function asksProblem({ feeProblem, amounts }: WatchAsks, agreement: Agreed): string | null {
  if (feeProblem !== null) return feeProblem;
  for (const leg of ['maker', 'taker'] as const) {
    const agreed = onLeg(agreement, leg).terms.amount;
    for (const amount of onLeg(amounts, leg)) {
      if (!toBigNumber(amount).eq(agreed))
        return `a watch looks for a ${leg} payment of ${amount} instead of ${agreed}`;
    }
  }
  return null;
}
