import { isJsonObject } from '../../primitives/json.ts';
import { type ExplainFacts, firstEvent, type Leg, legsOf, timingText, whenText } from './facts.ts';

/** Who holds what on which chain, and who can move it, from when and until when. */
export function fundsSentences(facts: ExplainFacts): readonly string[] {
  const legs = legsOf(facts);
  const sentences = legs.map((leg) => legSentences(leg, facts).join(' '));
  const fee = feeSentence(facts);
  if (fee !== undefined) sentences.push(fee);
  const open = legs.some(({ status }) => status === 'locked' || status === 'uncertain');
  if (open) sentences.push('This is what the log tells: what others did on the chains since then is not in it.');
  return sentences;
}

function legSentences(leg: Leg, facts: ExplainFacts): string[] {
  const { owner, claimant, text, status, tx, by } = leg;
  const transaction = tx === null ? '' : ` (${tx})`;
  switch (status) {
    case 'none':
      return [`This log knows of no payment of the ${owner} (${text}).`];
    case 'uncertain':
      return uncertainSentences(leg, facts);
    case 'locked':
      return [
        `The ${owner} payment of ${text} is locked on the ${leg.coin} chain${transaction}.`,
        claimSentence(leg, facts),
      ];
    case 'spent':
      return by === 'watcher'
        ? [
            `A watcher spent the ${owner} payment of ${text} to the ${claimant}'s address${transaction}: the ${claimant} has it.`,
          ]
        : [`The ${claimant} spent the ${owner} payment of ${text}${transaction} and has it.`];
    case 'refunded':
      return [
        `The ${owner} payment of ${text} went back to the ${owner}${by === 'watcher' ? ' by a watcher' : ''}${transaction}.`,
      ];
  }
}

/** Why a payment is uncertain: a failed sending, a claim that was not confirmed, or an announcement nobody checked. */
function uncertainSentences(leg: Leg, facts: ExplainFacts): string[] {
  const { owner, claimant, text, coin, tx } = leg;
  const claim = lowerFirst(claimSentence(leg, facts));
  const unconfirmed = owner === 'maker' ? 'MakerPaymentSpendConfirmFailed' : 'TakerPaymentSpendConfirmFailed';
  if (owner !== facts.log.role && firstEvent(facts.log, unconfirmed) !== undefined) {
    return [
      `The ${claimant} broadcast a spend of the ${owner} payment of ${text} (${tx}), but its confirmation failed.`,
      `If it is not on the ${coin} chain: ${claim}`,
    ];
  }
  if (owner !== facts.log.role) {
    return [
      `The ${owner} announced its payment of ${text} (${tx}), which was not found valid and confirmed.`,
      `If it is on the ${coin} chain all the same: ${claim}`,
    ];
  }
  return [
    `Whether the ${owner} payment of ${text} is on the ${coin} chain is not known: sending it was reported as failed, and a node's answer is no proof.`,
    `If it is there: ${claim}`,
  ];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function claimSentence({ owner, claimant, claimable }: Leg, { now }: ExplainFacts): string {
  const claim = claimable.find(({ how }) => how === 'secret');
  const lock = claimable.find(({ how }) => how === 'refund')?.from ?? null;
  const passed = lock !== null && now !== undefined && now > lock;
  const refund =
    lock === null
      ? `the ${owner} can refund it once its lock has passed, which this log does not date`
      : `the ${owner} ${passed ? 'has been able to refund it since' : 'can refund it from'} ${whenText(lock, now)}${passed ? '' : ' on'}, by the chain's own time`;
  if (claim === undefined)
    return `The ${claimant} cannot take it without the secret, which it does not know; ${refund}.`;
  const first = lock === null ? '' : `, and ${passed ? 'whoever' : 'then whoever'} is first has it`;
  return `The ${claimant} can take it with the secret at once; ${refund}${first}.`;
}

function feeSentence({ log }: ExplainFacts): string | undefined {
  const fee = firstEvent(log, 'TakerFeeSent', 'TakerFeeValidated')?.data;
  if (!isJsonObject(fee) || fee['tx_hex'] === '') return undefined;
  return `The taker fee is paid (${String(fee['tx_hash'])}) and does not come back.`;
}

/** What happens next by itself, or that nothing does. */
export function nextSentences({ replayed, now }: ExplainFacts): readonly string[] {
  const { next, state } = replayed;
  if (next === null) return ['Nothing: the swap is closed.'];
  if (next.who === 'engine') {
    const late = now !== undefined && next.until !== null && now > next.until;
    const does = late ? ' A running node would have done this by itself.' : ' A running node does this by itself.';
    return [`${next.text}${does}${timingText(next, now)}`];
  }
  return [
    state === 'finished'
      ? 'Nothing by itself: for every node the swap is closed, so a person has to act.'
      : 'Nothing by itself that would settle it: a person has to look.',
  ];
}
