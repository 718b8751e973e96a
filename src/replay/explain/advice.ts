import { type ExplainFacts, firstEvent, type Leg, legsOf, timingText, whenText } from './facts.ts';

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
      return progressAdvice(facts);
    case 'claim-pending':
      if (replayed.next?.who === 'operator') return [...rescue(facts)];
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

/** Advice while all is on time, or once the time of the step has passed. */
function progressAdvice(facts: ExplainFacts): readonly string[] {
  const { replayed, now } = facts;
  const [own, other] = legsOf(facts);
  const late = now !== undefined && replayed.next?.until !== null && now > (replayed.next?.until ?? now);
  if (own.status === 'none' || own.status === 'uncertain') {
    return late
      ? ['The time of this step has passed. Do not send a payment now: let the node close the swap.']
      : [
          'Keep the node running. Where it stopped here, start it again with both coins active and it goes on; nothing of its own is locked yet.',
        ];
  }
  const back = `Its own payment can be refunded from ${lockOf(own, now)} on; the other side can take back its own from ${lockOf(other, now)} on.`;
  if (!late)
    return [`Keep the node running and online. Where it stopped here, start it again with both coins active. ${back}`];
  return [
    `The time of this step has passed. Look first whether the ${own.claimant} has spent the ${own.owner} payment: if so, take the secret from that spend and claim ${other.text} at once; if not, refund it when its lock has passed. ${back}`,
  ];
}

function lockOf({ claimable }: Leg, now: ExplainFacts['now']): string {
  const from = claimable.find(({ how }) => how === 'refund')?.from ?? null;
  return from === null ? 'a time that this log does not hold' : whenText(from, now);
}

function* rescue({ replayed, now }: ExplainFacts): Generator<string> {
  const { next } = replayed;
  yield next === null ? 'Look on both chains where the payments are.' : `${next.text}${timingText(next, now)}`;
  if (replayed.kdf.recoverable) {
    yield `On the real node: activate both coins, then call recover_funds_of_swap with the uuid ${replayed.uuid}.`;
  } else if (replayed.kdf.finished) {
    yield 'The real node refuses recover_funds_of_swap for this log, so the transaction has to be made with the keys themselves.';
  } else {
    yield 'The real node refuses recover_funds_of_swap for a swap that is not finished, and started again it may head for a refund: make the transaction with the keys themselves, or let the node close the swap first.';
  }
}
