import type { Recovery } from '../../../../machines/recovery/facts.ts';
import { type RecoverableSwap, type RecoveryMode, recoverFunds } from '../../../../machines/recovery/recover.ts';
import type { JournalPayloads } from '../../../events/journal.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { hashOf } from '../judge/agreement.ts';
import type { Report } from '../judge/rules.ts';
import { otherLeg, type Scene } from '../judge/truth.ts';
import { SOUND } from '../node.ts';
import { type Chains, chainsOf, factsFrom, SILENCE } from './chains-say.ts';
import { type Story, TELLING, toldHash } from './story.ts';

// Rule R15: what a party is told that it can recover, checked against what the ledgers let it have.

/** Recovery never needs more facts than exist. */
const MOST_LOOKS = 8;

/** What the answer must be: an action, or one of these reasons. Null if the judge leaves it open. */
type Due = 'spendOtherPayment' | 'refundOwnPayment' | 'tooEarly' | 'automatic' | 'refunded' | 'ownPaymentNotFound';

/**
 * Asks the recovery table as an operator would who looks at the chains now, also if one of them does not answer, and as one would who asks a real
 * node on which the swap has ended here.
 */
export function checkRecovery(scene: Scene, story: Story, report: Report): void {
  if (!story.said.has('Started') || !story.said.has('Negotiated')) return;
  const chains = chainsOf(scene);
  if (!isClear(scene, story, chains)) return;
  const { position } = scene.node.runner;
  const shown = shownBy(chains);
  if (story.asked?.position === position && story.asked.shown === shown) return;
  if (scene.node.behaviour === SOUND) story.asked = { position, shown };
  const facts = factsFrom(scene, chains, null);
  const heard = asked(scene, 'engine', facts);
  for (const mode of ['engine', 'kdf'] as const) {
    const answer = () => (mode === 'engine' ? heard : asked(scene, mode, facts));
    const problem = problemOf(scene, { story, chains, mode, answer });
    if (problem !== null) report('R15', problem);
  }
  for (const silent of ['own', 'other'] as const) {
    const problem = silenceProblem(scene, { story, chains, silent, heard });
    if (problem !== null) report('R15', problem);
  }
}

/** Distinguishes what the ledgers can show: the answers follow from this and the log alone. */
function shownBy({ own, other, ownCanGoBack, otherCanGoBack }: Chains): string {
  const spends = `${own.spend?.how} ${own.spend?.hash} ${other.spend?.how} ${other.spend?.hash}`;
  return `${own.fundings[0]?.hash} ${other.fundings[0]?.hash} ${spends} ${ownCanGoBack} ${otherCanGoBack}`;
}

/** At most one payment of each side, which the log names: else the log and the ledgers describe different things. */
function isClear({ node: { name } }: Scene, story: Story, { own, other }: Chains): boolean {
  const names = onLeg(TELLING, name);
  const told = [
    [own, toldHash(story, ...names.own)],
    [other, toldHash(story, ...names.other)],
  ] as const;
  return told.every(([{ fundings }, hash]) => {
    return fundings.length <= 1 && (hash === null || fundings[0]?.hash === hash);
  });
}

function swapOf({ node }: Scene, mode: RecoveryMode): RecoverableSwap {
  const { context } = node.runner.position;
  const ended = mode === 'kdf' ? { finishedAt: 0 } : {};
  return { role: node.name, context: { ...(context as object), ...ended } } as RecoverableSwap;
}

function asked(scene: Scene, mode: RecoveryMode, facts: ReturnType<typeof factsFrom>): Recovery {
  const swap = swapOf(scene, mode);
  let known: Parameters<typeof recoverFunds>[1] = { autoRefund: facts.autoRefund };
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const answer = recoverFunds(swap, known, { mode });
    if (!('look' in answer)) return answer;
    known = { ...known, [answer.look]: facts[answer.look] };
  }
  return recoverFunds(swap, known, { mode });
}

type Asked = {
  readonly story: Story;
  readonly chains: Chains;
  readonly mode: RecoveryMode;
  /** What the table says if both chains answer. */
  readonly answer: () => Recovery;
};

function problemOf(scene: Scene, { story, chains, mode, ...given }: Asked): string | null {
  const due = mode === 'engine' ? dueOf(scene, story, chains) : dueOfKdf(scene, story, chains);
  if (due === null) return null;
  const answer = given.answer();
  if ('look' in answer) return `recovery (${mode}) asks for ${answer.look} again and again`;
  const told = 'action' in answer ? answer.action : answer.reason;
  if (told !== due) return `recovery (${mode}) says ${told} where the chains say ${due}`;
  return detailProblem(scene, chains, answer);
}

/** Coins, payments, secrets and moments of an answer. */
function detailProblem({ node, agreement, world }: Scene, chains: Chains, answer: Recovery): string | null {
  const { name } = node;
  const spends = 'action' in answer && answer.action === 'spendOtherPayment';
  const leg = spends ? otherLeg(name) : name;
  const { coin } = onLeg(world.scenario.chains, leg);
  const { terms } = onLeg(agreement, leg);
  if ('action' in answer) {
    const funding = (spends ? chains.other : chains.own).fundings[0]?.hash;
    if (answer.coin !== coin) return `recovery names ${answer.coin} instead of ${coin}`;
    if (answer.payment.tx_hash !== funding) return `recovery names another payment than ${funding}`;
    const wrong =
      'secret' in answer && hashOf(answer.secret, terms.secretHash.length === 64 ? 32 : 20) !== terms.secretHash;
    return wrong ? 'recovery tells another secret than the one that was agreed on' : null;
  }
  if (!('refused' in answer)) return null;
  if (answer.reason === 'tooEarly' && answer.from !== terms.lock) {
    return `recovery says from ${answer.from} on where the lock ends at ${terms.lock}`;
  }
  const names = answer.reason === 'automatic' || answer.reason === 'refunded';
  const payment = name === 'maker' ? 'Maker payment' : 'Taker payment';
  return names && !answer.refused.startsWith(payment) ? `recovery speaks of another payment: ${answer.refused}` : null;
}

/** What remains of the own payment if nothing can be claimed. */
function ownDue({ own, ownCanGoBack, autoRefund }: Chains): Due {
  if (own.fundings.length === 0) return 'ownPaymentNotFound';
  if (own.spend?.how === 'refund') return 'refunded';
  if (autoRefund) return 'automatic';
  return ownCanGoBack ? 'refundOwnPayment' : 'tooEarly';
}

/** How a log says that the time for a claim was over. */
const PAST_DEADLINE = /Timeout \d+ > \d+/;

function hasTriedClaim({ node: { records } }: Scene): boolean {
  return records.some(
    ({ type, data }) =>
      type === 'BroadcastAttempted' && (data as JournalPayloads['BroadcastAttempted']).purpose === 'claim',
  );
}

function dueOf(scene: Scene, story: Story, chains: Chains): Due | null {
  const { name } = scene.node;
  const { own, other } = chains;
  const open = other.fundings.length > 0 && other.spend === null;
  const taken = own.spend?.how === 'secret';
  const { claim, ownTaken, validated } = onLeg(TELLING, name);
  const shown = name === 'taker' ? toldHash(story, ...ownTaken) !== null : toldHash(story, ...claim) !== null;
  if (taken || (shown && name === 'taker')) return open ? 'spendOtherPayment' : null;
  if (name === 'taker' || own.fundings.length === 0 || own.spend !== null) return ownDue(chains);
  if (!open) return other.spend?.how === 'secret' ? null : ownDue(chains);
  if (shown) return 'spendOtherPayment';
  const failed = story.failures.filter(({ event }) => event === 'TakerPaymentSpendFailed');
  // A claim that its deadline prevented shows nobody the secret.
  if (failed.some(({ error }) => !PAST_DEADLINE.test(error)) || (failed.length > 0 && hasTriedClaim(scene)))
    return null;
  if (toldHash(story, ...onLeg(TELLING, name).other) === null || !story.said.has(validated)) return ownDue(chains);
  return chains.otherCanGoBack ? ownDue(chains) : 'spendOtherPayment';
}

/** The real node trusts its log about what is settled, and claims only with the other side's spend of the own payment. */
function dueOfKdf({ node: { name } }: Scene, story: Story, chains: Chains): Due | null {
  const { own, other } = chains;
  const names = onLeg(TELLING, name);
  const settled = [...names.refund, ...names.claim].some((type) => story.said.has(type));
  if (settled || toldHash(story, ...names.own) === null || toldHash(story, ...names.other) === null) return null;
  const known = name === 'taker' && toldHash(story, ...names.ownTaken) !== null;
  const open = other.fundings.length > 0 && other.spend === null;
  if (own.spend?.how === 'secret' || known) return open ? 'spendOtherPayment' : null;
  return own.fundings.length === 0 ? null : ownDue(chains);
}

type Silent = Pick<Asked, 'story' | 'chains'> & { readonly silent: 'own' | 'other'; readonly heard: Recovery };

/**
 * If a chain does not answer, recovery assumes nothing about it, but still does what the log already allows: a side with the secret needs no look at
 * its own chain to claim.
 */
function silenceProblem(scene: Scene, { story, chains, silent, heard }: Silent): string | null {
  const answer = asked(scene, 'engine', factsFrom(scene, chains, silent));
  if ('look' in answer) return `recovery asks for ${answer.look} again and again`;
  if ('refused' in answer) {
    if (silent === 'own' && knowsSecret(scene, story) && 'action' in heard && heard.action === 'spendOtherPayment') {
      return `recovery says ${answer.reason} while the own chain is silent, and the log holds the secret`;
    }
    if (answer.reason !== 'lookUpFailed') return null;
    return answer.refused.includes(SILENCE) ? null : `recovery does not say what failed: ${answer.refused}`;
  }
  const same = 'action' in heard && heard.action === answer.action;
  return same || answer.action === 'spendOtherPayment'
    ? null
    : `recovery says ${answer.action} while a chain is silent`;
}

function knowsSecret({ node: { name } }: Scene, story: Story): boolean {
  return name === 'taker' && toldHash(story, ...onLeg(TELLING, name).ownTaken) !== null;
}
