import { type ExplainFacts, firstEvent, legsOf, timingText } from './facts.ts';

/** What a person should do now. */
export function adviceOf(facts: ExplainFacts): readonly string[] {
  const { replayed, log } = facts;
  const [own, other] = legsOf(facts);
  switch (replayed.outcome) {
    case 'completed':
      return [
        `Nothing: the ${replayed.role} received ${other.text}.${replayed.kdf.finished ? '' : ' Let the node close the swap.'}`,
      ];
    case 'refunded':
      return [`Nothing: the ${replayed.role} has its ${own.text} back, less the fees of the transactions.`];
    case 'failed-before-payment': {
      const paid = replayed.role === 'taker' && firstEvent(log, 'TakerFeeSent') !== undefined;
      return [`Nothing: no coins of the ${replayed.role} are locked${paid ? '; only the taker fee is gone' : ''}.`];
    }
    case 'in-progress':
      return [
        own.status === 'none'
          ? 'Keep the node running. Where it stopped here, start it again with both coins active and it goes on; nothing of its own is locked yet.'
          : 'Keep the node running and online. Where it stopped here, start it again with both coins active, before the lock above ends.',
      ];
    case 'claim-pending':
      return [
        `Keep the node running with both coins active until the claim of ${other.text} is confirmed; where it stopped here, start it again at once.`,
      ];
    case 'refund-pending':
      return [
        `Keep the node running with both coins active until ${own.text} is back; where it stopped here, start it again.`,
      ];
    case 'funds-at-risk':
      return [...rescue(facts)];
  }
}

function* rescue({ replayed, now }: ExplainFacts): Generator<string> {
  const { next } = replayed;
  yield next === null ? 'Look on both chains where the payments are.' : `${next.text}${timingText(next, now)}`;
  if (replayed.kdf.recoverable) {
    yield `On the real node: activate both coins, then call recover_funds_of_swap with the uuid ${replayed.uuid}.`;
  } else if (replayed.kdf.finished) {
    yield 'The real node refuses recover_funds_of_swap for this log, so the transaction has to be made with the keys themselves.';
  } else {
    yield 'The real node refuses recover_funds_of_swap for a swap that is not finished; start the node with both coins active, so that it goes on.';
  }
}
