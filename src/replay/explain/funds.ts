import { isJsonObject } from '../../primitives/json.ts';
import { blockOf, blockText, denialOf, isConfirmed, isKnownToNode, strayPayment } from './evidence.ts';
import { type ExplainFacts, firstEvent, type Leg, legsOf, lowerFirst, timingText, whenText } from './facts.ts';
import { foreignSentence, foreignSpend } from './foreign-spend.ts';
import { handedOut, handedOutSentence, mayBeLocked } from './handed-out.ts';
import { impossibleAmount } from './impossible-amount.ts';

/** Who holds what on which chain, and who can move it, from when and until when. */
export function fundsSentences(facts: ExplainFacts): readonly string[] {
  const legs = legsOf(facts);
  const sentences = legs.map((leg) => legSentences(leg, facts).join(' '));
  const fee = feeSentence(facts);
  if (fee !== undefined) sentences.push(fee);
  for (const { owner } of legs) {
    const impossible = impossibleAmount(owner, facts.log);
    if (impossible !== null) sentences.push(impossible);
  }
  const open = legs.some(
    (leg) => leg.status === 'locked' || leg.status === 'uncertain' || mayBeLocked(handedOut(leg, facts)),
  );
  if (open)
    sentences.push(
      ...watcherSentences(facts),
      'This is what the log tells: what others did on the chains since then is not in it.',
    );
  return sentences;
}

/** What watchers may have done for a taker that gave them what they need; no event in its own log says so. */
function watcherSentences({ log }: ExplainFacts): readonly string[] {
  if (log.role !== 'taker' || firstEvent(log, 'WatcherMessageSent') === undefined) return [];
  return [
    'A watcher may have acted for the taker already, if one got the message of the taker: it can claim the maker payment once the maker has shown the secret, and refund the taker payment once its lock has passed. Both pay the taker.',
  ];
}

function legSentences(leg: Leg, facts: ExplainFacts): string[] {
  const { status, owner, text } = leg;
  const foreign = foreignSpend(leg, facts);
  if (foreign !== null) {
    return [foreignSentence(foreign, owner), `This log does not show where the ${owner} payment of ${text} is.`];
  }
  switch (status) {
    case 'none':
      return [noPaymentSentence(leg, facts)];
    case 'uncertain':
      return uncertainSentences(leg, facts);
    case 'locked':
      return lockedSentences(leg, facts);
    case 'spent':
      return [spentSentence(leg, facts)];
    case 'refunded':
      return [refundedSentence(leg, facts)];
  }
}

function noPaymentSentence(leg: Leg, facts: ExplainFacts): string {
  const stray = strayPayment(leg, facts);
  const handed = handedOut(leg, facts);
  if (stray === null && handed !== null) return handedOutSentence(handed, leg);
  if (stray === null) return `This log knows of no payment of the ${leg.owner} (${leg.text}).`;
  return `Event ${stray.seq} holds a payment of the ${leg.owner} (${stray.hash}), but in a place where it cannot be read: this log does not show where its coins are.`;
}

const UNCONFIRMED = 'the log shows that this was broadcast, and no confirmation.';

function spentSentence(leg: Leg, facts: ExplainFacts): string {
  const { owner, claimant, text, tx, by } = leg;
  const transaction = tx === null ? '' : ` (${tx})`;
  const isSure = isConfirmed(leg, facts);
  if (by === 'watcher') {
    const spent = `A watcher spent the ${owner} payment of ${text} to the ${claimant}'s address${transaction}: `;
    return `${spent}${isSure ? `the ${claimant} has it.` : UNCONFIRMED}`;
  }
  const spent = `The ${claimant} spent the ${owner} payment of ${text}${transaction}`;
  return isSure
    ? `${spent}${blockOf(leg, facts) === null ? '' : `${blockText(leg, facts)},`} and has it.`
    : `${spent}: ${UNCONFIRMED}`;
}

function refundedSentence(leg: Leg, facts: ExplainFacts): string {
  const { owner, text, tx, by } = leg;
  if (tx === null)
    return `The ${owner} payment of ${text} goes back to the ${owner} by itself; the log shows no transaction.`;
  const back = `The refund of the ${owner} payment of ${text}${by === 'watcher' ? ' by a watcher' : ''} (${tx})`;
  const block = blockOf(leg, facts);
  if (block !== null) return `${back} was confirmed in block ${block}.`;
  return isConfirmed(leg, facts) ? `${back} is final.` : `${back} was broadcast, and the log shows no confirmation.`;
}

function lockedSentences(leg: Leg, facts: ExplainFacts): string[] {
  const { owner, claimant, text, tx, coin } = leg;
  const transaction = tx === null ? '' : ` (${tx})`;
  const denied = denialOf(leg, facts);
  if (denied === null) {
    const sent = `The ${owner} payment of ${text} was sent to the ${coin} chain${transaction}, and the log shows no spend of it.`;
    return [sent, claimSentence(leg, facts)];
  }
  const isOwn = owner === facts.log.role;
  const attempt = isOwn ? `the ${owner} tried to refund it` : `the ${claimant} tried to claim it`;
  const found =
    denied.kind === 'outputSpent'
      ? 'that it is spent'
      : 'that it does not find it: it is spent, or that node does not know the payment';
  const other = isOwn ? `the ${claimant}, with the secret,` : `the ${owner}, by a refund,`;
  const when = denied.kind === 'outputSpent' ? 'Unless' : 'If it is spent, then unless';
  return [
    `The ${owner} payment of ${text} was sent to the ${coin} chain${transaction}.`,
    `When ${attempt}, a node answered ${found} (event ${denied.seq}).`,
    `${when} an earlier ${isOwn ? 'refund' : 'claim'} of the ${facts.log.role} did it, only ${other} can have taken it.`,
  ];
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
      `The ${owner} announced its payment of ${text} (${tx}), ${checkText(leg, facts)}`,
      `If it is on the ${coin} chain: ${claim}`,
    ];
  }
  const known = isKnownToNode(leg, facts)
    ? `A node of the ${coin} chain refused the ${owner} payment of ${text} because it has the same transaction already: an earlier attempt reached it.`
    : `It is not known whether the ${owner} payment of ${text} is on the ${coin} chain: sending it was reported as failed, and a node's answer is no proof.`;
  return [known, `If it is there: ${claim}`];
}

/** How far the check of an announced payment came. */
function checkText({ owner }: Leg, { log, replayed, now, errors }: ExplainFacts): string {
  const name = owner === 'maker' ? 'MakerPayment' : 'TakerPayment';
  if (firstEvent(log, `${name}ValidateFailed`) !== undefined) {
    const kind = errors.find(({ type }) => type === `${name}ValidateFailed`)?.kind;
    if (kind === 'notConfirmed') return 'which was not confirmed in time.';
    // A check that could not be made says nothing of the payment.
    return kind === 'unreachable' ? 'whose check failed.' : 'which was not found valid.';
  }
  if (firstEvent(log, `${name}WaitConfirmFailed`) !== undefined) return 'which was not confirmed in time.';
  if (firstEvent(log, 'Finished') !== undefined) return 'and closed before it was checked.';
  const until = replayed.next?.until ?? null;
  const isOver = now !== undefined && until !== null && now > until;
  return isOver ? 'which was being checked where the log ends.' : 'which is still being checked.';
}

/** Whether the moment for which things are told lies behind the lock of a payment. */
function hasPassed({ claimable }: Leg, { now }: ExplainFacts): boolean {
  const lock = claimable.find(({ how }) => how === 'refund')?.from ?? null;
  return lock !== null && now !== undefined && now > lock;
}

function claimSentence(leg: Leg, facts: ExplainFacts): string {
  const { owner, claimant, claimable } = leg;
  const { now } = facts;
  const claim = claimable.find(({ how }) => how === 'secret');
  // No log is told for the other side's knowledge: a maker alone starts with the secret.
  const held = facts.secretMissing === true ? ', which this log does not hold,' : '';
  const lock = claimable.find(({ how }) => how === 'refund')?.from ?? null;
  if (lock !== null && hasPassed(leg, facts)) {
    const refund = `since ${whenText(lock, now)}, by the chain's own time, the ${owner} could refund it`;
    return claim === undefined
      ? `The ${claimant} could not take it without the secret, which is not public by this log; ${refund}. The log does not show whether it did.`
      : `The ${claimant} could take it with the secret${held} at once, and ${refund} as well: whoever was first has it, and the log does not show who.`;
  }
  const refund =
    lock === null
      ? `the ${owner} can refund it once its lock has passed, which this log does not date`
      : `the ${owner} can refund it from ${whenText(lock, now)} on, by the chain's own time`;
  if (claim === undefined)
    return `The ${claimant} cannot take it without the secret, which is not public by this log; ${refund}.`;
  const first = lock === null ? '' : ', and then whoever is first has it';
  return `The ${claimant} can take it with the secret${held} at once; ${refund}${first}.`;
}

function feeSentence({ log }: ExplainFacts): string | undefined {
  const fee = firstEvent(log, 'TakerFeeSent', 'TakerFeeValidated')?.data;
  if (!isJsonObject(fee) || fee['tx_hex'] === '') return undefined;
  return `The taker fee is paid (${String(fee['tx_hash'])}) and does not come back.`;
}

/** What happens next automatically, or that nothing does. */
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
      ? 'Nothing happens automatically: every node considers the swap closed, so someone must act.'
      : 'Nothing happens automatically that would settle it: someone must look.',
  ];
}
