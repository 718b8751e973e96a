import { amountText } from '../../../machines/swap-verdict.ts';
import type { StoredErrorKind } from '../../events/stored-errors/kinds.ts';
import { toBigNumber } from '../../primitives/decimal.ts';
import { type Brought, broughtBy } from './amounts.ts';
import { blockOf, isConfirmed, type Stray, strayPayment } from './evidence.ts';
import { type ExplainFacts, firstEvent, type Leg, legsOf, lockText, lowerFirst } from './facts.ts';
import { type ForeignSpend, foreignSpend } from './foreign-spend.ts';
import { handedOut, mayBeLocked, mayHavePaidUnseen } from './handed-out.ts';
import { lateClaim } from './late-claim.ts';
import { loadAdvice } from './real-node.ts';
import { cureOf, isLate, rescue } from './rescue.ts';

/** What a person should do now. */
export function adviceOf(facts: ExplainFacts): readonly string[] {
  const [own, other] = legsOf(facts);
  const foreign = [own, other].flatMap((leg) => {
    const found = foreignSpend(leg, facts);
    return found === null ? [] : [foreignAdvice(leg, found, facts)];
  });
  if (foreign.length > 0) return foreign;
  return [...secretAdvice(facts, other), ...outcomeAdvice(facts)];
}

/** Nobody can run or claim from a log without the secret. */
function secretAdvice({ secretMissing, replayed, log }: ExplainFacts, other: Leg): readonly string[] {
  const isOpen = ['in-progress', 'claim-pending', 'funds-at-risk'].includes(replayed.outcome);
  if (secretMissing !== true || !isOpen) return [];
  const keeper = log.journal === undefined ? "the maker's node stores itself" : 'holds the secret';
  return [
    `Find the log that ${keeper} before all else: this one does not hold the secret, so the maker cannot claim ${other.text} from it.`,
  ];
}

function outcomeAdvice(facts: ExplainFacts): readonly string[] {
  const { replayed, log } = facts;
  const [own, other] = legsOf(facts);
  switch (replayed.outcome) {
    case 'completed':
      return [...completedAdvice(facts, other)];
    case 'refunded':
      return [...refundedAdvice(facts, own)];
    case 'failed-before-payment': {
      const stray = strayPayment(own, facts);
      if (stray !== null) return [strayAdvice(own, stray)];
      const paid = replayed.role === 'taker' && firstEvent(log, 'TakerFeeSent') !== undefined;
      const cure = cureForNext(facts);
      return [
        `Nothing: no coins of the ${replayed.role} are locked${paid ? '; only the taker fee is gone' : ''}.`,
        ...(cure === null ? [] : [`Before the next swap: ${lowerFirst(cure)}`]),
      ];
    }
    case 'in-progress':
      return [...progressAdvice(facts), ...loadAdvice(facts)];
    case 'claim-pending':
      if (replayed.next?.who === 'operator') return [...rescue(facts)];
      return [...pendingClaim(facts), ...loadAdvice(facts)];
    case 'refund-pending':
      return [
        `Keep the node running with both coins active until ${own.text} is back; where it stopped here, start it again.`,
        ...stoppedRefund(facts, { own, other }),
        ...loadAdvice(facts),
      ];
    case 'funds-at-risk':
      return [...rescue(facts)];
    case 'lost':
      return [
        `Nothing on the chains brings ${own.text} back: the ${own.claimant} took the ${own.owner} payment with the secret, and the ${other.owner} payment went back. Keep the log of the engine as evidence.`,
      ];
  }
}

function foreignAdvice(
  { owner, claimant, coin, text }: Leg,
  { seq, kind, hash }: ForeignSpend,
  facts: ExplainFacts,
): string {
  const paid = facts.view.payments[owner].transaction?.hash;
  const payment = paid === undefined ? '' : ` (${paid})`;
  const look = `Look on the ${coin} chain which transaction spent the ${owner} payment${payment}: event ${seq} calls ${hash} its ${kind}, but this transaction does not spend that payment.`;
  const isOwn = owner === facts.log.role;
  const unspent = isOwn
    ? `Where nothing has, ${text} may still be locked and has to be refunded; where the ${claimant} did, its spend shows the secret.`
    : `Where nothing has, ${text} may still be there to be claimed; where the ${owner} has refunded it, it cannot be claimed any more.`;
  return `${look} ${unspent}`;
}

function strayAdvice({ owner, coin }: Leg, { hash }: Stray): string {
  const chain = coin === null ? 'its chain' : `the ${coin} chain`;
  return `Look on ${chain} for the ${owner} payment (${hash}): the log holds it, but its events are out of order or incomplete. Put them in the order of their times, or get the log anew from the node, and explain it again.`;
}

function* completedAdvice(facts: ExplainFacts, other: Leg): Generator<string> {
  const { role, kdf } = facts.replayed;
  const arrived = arrivedText(other, broughtBy(facts.view, { kind: 'claim', payer: other.owner }));
  const close = kdf.finished ? '' : ' Let the node close the swap.';
  if (isConfirmed(other, facts)) {
    const block = blockOf(other, facts);
    yield block === null
      ? `Nothing: the ${role} received ${arrived}.${close}`
      : `Nothing: the claim was confirmed in block ${block}, and the ${role} received ${arrived}.${close}`;
    return;
  }
  yield `Check whether the claim${transactionText(other)} is confirmed on the ${other.coin} chain: the log shows that it was broadcast, and no confirmation. If it is, there is nothing to do: the ${role} received ${arrived}.${close}`;
}

function* refundedAdvice(facts: ExplainFacts, own: Leg): Generator<string> {
  const { role } = facts.replayed;
  const arrived = arrivedText(own, broughtBy(facts.view, { kind: 'refund', payer: own.owner }));
  if (isConfirmed(own, facts)) {
    const block = blockOf(own, facts);
    yield block === null
      ? `Nothing: the ${role} got back ${arrived}.`
      : `Nothing: the refund was confirmed in block ${block}, and the ${role} got back ${arrived}.`;
    return;
  }
  yield own.tx === null
    ? `Check whether ${own.text} is back on the ${own.coin} chain, which gives it back by itself: the log shows no transaction. If it is, there is nothing to do.`
    : `Check whether the refund${transactionText(own)} is confirmed on the ${own.coin} chain: the log shows that it was broadcast, and no confirmation. If it is, there is nothing to do: the ${role} got back ${arrived}.`;
}

function transactionText({ tx }: Leg): string {
  return tx === null ? '' : ` (${tx})`;
}

/** `23.50112688 RVN (23.50122688 RVN less the network fee)`. */
function arrivedText(leg: Leg, { net, feeInside }: Brought): string {
  // Komodo pays interest, so its transactions may bring more than was locked; no other chain adds anything.
  const isMore =
    net !== null && leg.amount !== null && leg.coin !== 'KMD' && toBigNumber(net).gt(toBigNumber(leg.amount));
  if (net !== null && leg.coin !== null && !isMore) {
    const text = amountText({ coin: leg.coin, amount: net });
    return net === leg.amount ? text : `${text} (${leg.text} less the network fee)`;
  }
  if (feeInside === false) return `${leg.text} (the network fee was paid apart)`;
  return `${leg.text} before network fees, which this log does not tell`;
}

function pendingClaim(facts: ExplainFacts): readonly string[] {
  const { next, role } = facts.replayed;
  const [own, other] = legsOf(facts);
  const isOver = next !== null && isLate(next, facts);
  // A maker past its time no longer shows the secret, whichever node it runs on.
  if (isOver && role === 'maker' && next.action.startsWith('spend')) {
    return [
      `Start the node again with both coins active: the time to claim ${other.text} has passed, and it takes ${own.text} back instead.`,
      lateClaim(facts),
    ];
  }
  return [
    `Keep the node running with both coins active until the claim of ${other.text} is confirmed; where it stopped here, start it again at once.`,
    ...(isOver ? [lateClaim(facts)] : []),
  ];
}

/** A restarted taker of the real node that used watchers takes a payment that is spent after all for an error (stored-swap restart traps). */
function stoppedRefund(
  { log }: ExplainFacts,
  { own, other }: { readonly own: Leg; readonly other: Leg },
): readonly string[] {
  const isWatched = log.role === 'taker' && firstEvent(log, 'WatcherMessageSent') !== undefined;
  if (!isWatched || log.journal !== undefined) return [];
  return [
    `Where the real node stops at each start with “Taker payment is not expected to be spent at this point”, the ${own.claimant} has taken ${own.text} after all: its spend shows the secret, with which ${other.text} can be claimed.`,
  ];
}

/** Advice while everything is on time, or once the time of the step has passed. */
function progressAdvice(facts: ExplainFacts): readonly string[] {
  const { replayed, now } = facts;
  const [own, other] = legsOf(facts);
  const late = now !== undefined && replayed.next?.until !== null && now > (replayed.next?.until ?? now);
  const restart = restartText(facts);
  const handed = handedOut(own, facts);
  if (mayBeLocked(handed)) {
    const settles = `it looks for the ${own.owner} payment (${handed.hash}) on the ${own.coin} chain and takes ${own.text} back where nothing else settles it.`;
    return late
      ? [`The time of this step has passed. Start the node again with both coins active: ${settles}`]
      : [
          `Keep the node running and online. ${restart} Its payment (${handed.hash}) may be on the ${own.coin} chain already.`,
        ];
  }
  if (own.status === 'none' || own.status === 'uncertain') {
    if (late && failsAtEachStart(facts)) {
      return [
        `The time of this step has passed, and the real node cannot close the swap: ${FAILS} Nothing of its own is locked; only the taker fee is gone.`,
      ];
    }
    const unseen = mayHavePaidUnseen(facts)
      ? ` A node writes its payment down only after it sent it: if it stopped here for good, check on the ${own.coin} chain whether it is there.`
      : '';
    return late
      ? [`The time of this step has passed. Do not send a payment now: let the node close the swap.${unseen}`]
      : [
          `Keep the node running. ${restart} ${unseen === '' ? 'Nothing' : 'By this log, nothing'} of its own is locked yet.${unseen}`,
        ];
  }
  const theirs =
    other.status === 'none' ? '' : `; the ${other.owner}'s payment can be refunded ${lockText(other, now)}`;
  const back = `The ${own.owner}'s payment can be refunded ${lockText(own, now)}${theirs}.`;
  if (!late) return [`Keep the node running and online. ${restart} ${back}`];
  // A maker knows the secret: what the other side did not do in time, it does not wait for any more.
  if (replayed.role === 'maker') {
    return [
      `The time of this step has passed. Start the node again with both coins active: it takes ${own.text} back. ${back}`,
    ];
  }
  const isWatched = firstEvent(facts.log, 'WatcherMessageSent') !== undefined;
  const watched = isWatched ? ', unless a watcher did either for the taker' : '';
  return [
    `The time of this step has passed. Check first whether the ${own.claimant} has spent the ${own.owner} payment: if so, take the secret from that spend and claim ${other.text} at once; if not, refund it when its lock has passed${watched}. ${back}`,
    'A node that starts again with this log and both coins active looks and does so by itself.',
  ];
}

/** What to do against the last error before another swap; null where it is about a transaction of this one. */
function cureForNext(facts: ExplainFacts): string | null {
  const kind = facts.errors.at(-1)?.kind;
  return kind === undefined || ABOUT_TRANSACTIONS.has(kind) ? null : cureOf(facts);
}

const ABOUT_TRANSACTIONS: ReadonlySet<StoredErrorKind> = new Set([
  ...(['alreadyKnown', 'outputSpent', 'inputsMissing', 'nonceUsed', 'notFinal', 'reverted'] as const),
  ...(['notConfirmed', 'notSpent', 'noSecret'] as const),
]);

/** What a restart does to a swap that stopped where the log ends. */
function restartText(facts: ExplainFacts): string {
  if (facts.log.events.length === 0)
    return 'The log holds no event, so it does not say whether a node that starts again goes on.';
  if (failsAtEachStart(facts)) return `Where it stopped here, the real node cannot go on: ${FAILS}`;
  if (facts.secretMissing === true) return 'A node that starts with this log cannot claim.';
  return 'Where it stopped here, start it again with both coins active and it goes on.';
}

const FAILS = 'it fails at each start, since the payment that belongs to the instructions was not stored.';

function failsAtEachStart({ log }: ExplainFacts): boolean {
  const last = log.events.at(-1)?.type;
  return log.role === 'taker' && last === 'TakerPaymentInstructionsReceived' && log.journal === undefined;
}
