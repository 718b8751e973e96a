import { catalog } from '../../events/catalog.ts';
import { isJsonObject } from '../../primitives/json.ts';
import { isConfirmed } from './evidence.ts';
import { type ExplainFacts, legsOf } from './facts.ts';
import { foreignSpend } from './foreign-spend.ts';

/** What the real node derives from the log, and where and why this explanation differs. */
export function kdfSentences(facts: ExplainFacts): readonly string[] {
  const { finished, success, recoverable } = facts.replayed.kdf;
  const flags = `By the real node's rules: finished ${yes(finished)}, success ${success === null ? 'not known' : yes(success)}, recoverable ${yes(recoverable)}.`;
  return [flags, ...successDifference(facts), ...recoverableDifference(facts), ...printedDifference(facts)];
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** How a settled swap ended, as far as the log shows it. */
function endText(facts: ExplainFacts): string {
  const [own, other] = legsOf(facts);
  if ([own, other].some((leg) => foreignSpend(leg, facts) !== null)) return 'an event tells an end';
  if (facts.replayed.outcome === 'completed') {
    return isConfirmed(other, facts) ? 'the coins arrived' : 'the claim was broadcast';
  }
  return isConfirmed(own, facts) ? 'the payment came back' : 'the refund was broadcast';
}

function* successDifference(facts: ExplainFacts): Generator<string> {
  const { kdf, outcome, role, events } = facts.replayed;
  if (kdf.success === false && outcome === 'completed') {
    const errors = events.filter((type) => catalog[role].get(type)?.errorClass !== false);
    yield `It says success no although ${endText(facts)}: it counts any error event in the log (here ${[...new Set(errors)].join(', ')}), whatever came of it.`;
  }
  if (kdf.success === true && outcome !== 'completed') {
    yield `It says success yes because no error event is in the log, but the log does not show that the coins arrived: ${outcome}.`;
  }
}

function* recoverableDifference(facts: ExplainFacts): Generator<string> {
  const { kdf, outcome, role, events, funds } = facts.replayed;
  const [own] = legsOf(facts);
  if (kdf.recoverable && outcome === 'failed-before-payment') {
    const before = events.at(-2);
    const unsettled = before === undefined ? 'there is none' : `${before} is not one`;
    yield `It says recoverable yes, yet the ${role} payment was never sent: it looks for event names alone, and ${unsettled} that it takes for settled.`;
  }
  if (kdf.recoverable && outcome === 'completed') {
    const name = role === 'maker' ? 'TakerPaymentSpendConfirmed' : 'MakerPaymentSpendConfirmed';
    yield `It says recoverable yes, yet ${endText(facts)}: it looks for ${name}, which this log does not hold${role === 'maker' ? ' (releases before November 2020 did not write it)' : ''}.`;
  }
  if (kdf.recoverable && outcome === 'refunded') {
    yield `It says recoverable yes, yet ${endText(facts)}: it looks for event names alone.`;
  }
  if (kdf.recoverable && outcome === 'lost') {
    yield 'It says recoverable yes, yet neither payment is there any more: it looks for event names alone.';
  }
  if (kdf.recoverable && own.status === 'uncertain') {
    yield `It says recoverable yes, but only the ${own.coin} chain shows whether there is anything to recover.`;
  }
  if (!kdf.recoverable && kdf.finished && outcome === 'funds-at-risk') {
    yield 'It says recoverable no, yet coins may be in the open: it looks for event names alone.';
  }
  const locked = Object.values(funds).some(({ status }) => status === 'locked');
  if (!kdf.finished && locked) {
    yield 'Its recoverable no only says that the swap is not finished; it says nothing about the locked coins.';
  }
}

/** Answers of the RPC print `recoverable` as it was by the rules of their day. */
function* printedDifference({ log, replayed }: ExplainFacts): Generator<string> {
  const head: unknown = log.head;
  const printed = isJsonObject(head) ? head['recoverable'] : undefined;
  if (typeof printed !== 'boolean' || printed === replayed.kdf.recoverable) return;
  yield `The stored text itself says recoverable ${yes(printed)}: it was written by another release, or at an earlier moment.`;
}
