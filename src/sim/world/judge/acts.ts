import type { StoredTransaction } from '../../../events/payloads.ts';
import { onLeg, setOnLeg } from '../../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../../primitives/time.ts';
import type { AskResult, Question } from '../../../runtime/command.ts';
import { isOfSomebodyElse } from '../../chains/faults.ts';
import type { SeenPurpose } from '../../chains/types.ts';
import { publishedMargin } from '../assumptions.ts';
import type { SimNode } from '../node.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import { checkFee, type FeeBook, feeBook } from './fees.ts';
import { checkRefused } from './refused.ts';
import type { Report } from './rules.ts';
import {
  canGoBack,
  finalityOf,
  freshLook,
  isFinal,
  oldestLook,
  otherLeg,
  type Scene,
  secondsOf,
  truthOf,
  unconfirmed,
  wasMisled,
} from './truth.ts';

/** How much the clocks of both parties may differ. */
const CLOCKS: Seconds = 60;

/** What a party has handed to its nodes so far. */
export type Acts = {
  /** Whether a node accepted its payment: from then on it only sends that again. */
  paid: boolean;
  /** When its log first held that a claim was about to go out, by {@link heldTo}; null before. */
  notedClaimAt: UnixSeconds | null;
  /** When it first sent a claim to a node; seconds from the start of the world, null before. */
  claimedAt: Seconds | null;
  /** Whether a node of its answered a claim with anything except that it cannot be reached: from then on someone has read the secret. */
  claimRead: boolean;
  /** Ids of the claims that it sent. */
  readonly claims: Set<string>;
  /** When its node last told it about the payment on a chain, and the true state then; null before. */
  readonly looks: Record<ChainName, LastLook | null>;
  /** Whether its nodes made it believe, wrongly, that its refund was due when it first sent it. */
  refundMisled: boolean;
  readonly fees: FeeBook;
  /** What it asked its wallet to sign although only someone else can. */
  readonly strange: Set<string>;
};

/** `at`: seconds from the start of the world. `spend`: how the ledger had the payment spent at that moment. */
export type LastLook = { readonly at: Seconds; readonly spend: Spend };

type Spend = 'secret' | 'refund' | null;

export function noActs(): Acts {
  const claim = { notedClaimAt: null, claimedAt: null, claimRead: false, claims: new Set<string>() };
  const looks = { maker: null, taker: null };
  return { paid: false, ...claim, looks, refundMisled: false, fees: feeBook(), strange: new Set() };
}

/** Keeps when a node last told a party of a payment. */
export function noteLook(
  { looks }: Acts,
  scene: Scene,
  { question, leg }: { readonly question: Question; readonly leg: ChainName },
): void {
  if (question.op !== 'payment') return;
  setOnLeg(looks, leg, { at: secondsOf(scene.world), spend: truthOf(scene, leg).spend?.how ?? null });
}

/** Rule R11 for what a wallet is asked to sign: a wallet that could would spend what belongs to someone else. Reported once. */
export function checkAsked(
  { strange }: Acts,
  { question, result }: { readonly question: Question; readonly result: AskResult },
  report: Report,
): void {
  if (question.op !== 'prepare' || result.ok || !isOfSomebodyElse(result.fault)) return;
  const { purpose } = question.request;
  if (strange.has(purpose)) return;
  strange.add(purpose);
  report('R11', `it asks its wallet for a ${purpose} that is not its own: ${result.fault.message}`);
}

type Durable = { readonly type: string; readonly data: unknown };

/** Keeps when a party's log first held that it was about to send a claim, which may be out from then on. */
export function noteRecords(
  scene: Pick<Scene, 'world' | 'node'>,
  { acts, records }: { readonly acts: Acts; readonly records: readonly Durable[] },
): void {
  if (acts.notedClaimAt !== null || !records.some(isClaimAttempt)) return;
  acts.notedClaimAt = heldTo(scene, otherLeg(scene.node.name));
}

function isClaimAttempt({ type, data }: Durable): boolean {
  return type === 'BroadcastAttempted' && (data as { readonly purpose: string }).purpose === 'claim';
}

export type Handed = {
  readonly leg: ChainName;
  readonly transaction: StoredTransaction;
  readonly result: AskResult;
  readonly acts: Acts;
};

/** Rules about what a party hands to a node: R1, R2, R3, R8, R9, R12. */
export function checkHanding(scene: Scene, { leg, transaction, result, acts }: Handed, report: Report): void {
  const { ledger } = onLeg(scene.world.chains, leg);
  const purpose = ledger.purposeOf(transaction.tx_hex);
  if (purpose === null) return;
  const own = leg === scene.node.name;
  if (purpose === 'payment' && own) handsPayment(scene, { result, acts, hash: transaction.tx_hash }, report);
  if (purpose === 'claim' && !own) {
    noteClaim(acts, { hash: transaction.tx_hash, result });
    handsClaim(scene, acts, report);
  }
  if (purpose === 'refund' && own) handsRefund(scene, acts, report);
  if (isLogged(scene.node, transaction.tx_hash) && !isAttempted(scene.node, transaction.tx_hash)) {
    report('R8', `a ${purpose} is broadcast that the log does not say was about to go out`);
  }
  if (isOwn(purpose, own)) checkRefused(scene, transaction.tx_hash, report);
  if (isOwn(purpose, own)) checkFee(scene, { leg, purpose, hash: transaction.tx_hash, book: acts.fees }, report);
}

/** Whether a party pays the fee of what it sends: it may also send the other side's payment again. */
function isOwn(purpose: SeenPurpose, own: boolean): boolean {
  return own ? purpose !== 'claim' : purpose === 'claim';
}

function handsPayment(
  scene: Scene,
  { result, acts, hash }: { readonly result: AskResult; readonly acts: Acts; readonly hash: string },
  report: Report,
): void {
  // A node that lies about the own payment may have invented one, which the party tries to refund in vain.
  if (acts.paid || !isLogged(scene.node, hash)) return;
  acts.paid = result.ok || onLeg(scene.world.chains, scene.node.name).ledger.transaction(hash) !== null;
  if (scene.node.name === 'taker') checkPaying(scene, acts, report);
}

function isLogged({ records }: SimNode, hash: string): boolean {
  return records.some(
    ({ type, data }) => type === 'TransactionPrepared' && (data as { tx: { tx_hash: string } }).tx.tx_hash === hash,
  );
}

function isAttempted({ records }: SimNode, hash: string): boolean {
  return records.some(
    ({ type, data }) => type === 'BroadcastAttempted' && (data as { readonly tx_hash: string }).tx_hash === hash,
  );
}

/**
 * By how much the last look is too old at a payment on which a party acts now; null if it is fresh enough. A party whose clock jumps cannot know how
 * old a look is.
 */
function staleLook(
  { world, node }: Scene,
  { looks, leg }: Pick<Acts, 'looks'> & { readonly leg: ChainName },
): string | null {
  if (node.plan.jumps.length > 0) return null;
  const look = onLeg(looks, leg);
  if (look === null) return `on no look at the ${leg} payment`;
  const age = secondsOf(world) - look.at;
  return age > freshLook(node) ? `on a look at the ${leg} payment of ${age} s ago` : null;
}

/**
 * How a payment is spent, as far as a party can know that acts now: with slow answers, nobody learns in time of what came after a sufficiently recent
 * look.
 */
function knownSpend(scene: Scene, { looks, leg }: Pick<Acts, 'looks'> & { readonly leg: ChainName }): Spend {
  const look = onLeg(looks, leg);
  const isFresh = look !== null && secondsOf(scene.world) - look.at <= freshLook(scene.node);
  return isFresh ? look.spend : (truthOf(scene, leg).spend?.how ?? null);
}

function checkPaying(scene: Scene, acts: Acts, report: Report): void {
  const { world, node, agreement } = scene;
  const stale = staleLook(scene, { ...acts, leg: 'maker' });
  if (stale !== null) report('R1', `the taker pays ${stale}`);
  const state = truthOf(scene, 'maker');
  if (!wasMisled(scene, 'maker', secondsOf(world) - freshLook(node))) {
    const problem = unconfirmed(world, 'maker', { agreed: agreement.maker, state });
    if (problem !== null) report('R1', `the taker pays while ${problem}`);
    if (knownSpend(scene, { ...acts, leg: 'maker' }) !== null) {
      report('R1', 'the taker pays although the maker payment is spent');
    }
  }
  const limit = agreement.started.taker + Math.floor((2 * world.scenario.lockDuration) / 5);
  const late = heldTo(scene, 'maker') - limit;
  if (late > CLOCKS) report('R1', `the taker pays ${late} s too late`);
}

function trueSeconds({ world }: Pick<Scene, 'world'>): UnixSeconds {
  return (secondsOf(world) + EPOCH) as UnixSeconds;
}

/**
 * The moment by which to judge whether a party is late: the true one. If its own clock is behind, the clock of the chain at which it last looked is
 * all that it can know.
 */
function heldTo({ world, node }: Pick<Scene, 'world' | 'node'>, leg: ChainName): UnixSeconds {
  const now = trueSeconds({ world });
  return node.skew < -CLOCKS ? (Math.min(now, onLeg(world.chains, leg).clock()) as UnixSeconds) : now;
}

function noteClaim(acts: Acts, { hash, result }: { readonly hash: string; readonly result: AskResult }): void {
  acts.claims.add(hash);
  if (result.ok || result.fault.kind !== 'unavailable') acts.claimRead = true;
}

/** Whether anyone has a claim: a node answered it, or the network received it without an answer. */
function isClaimOut({ world, node }: Scene, { claimRead, claims }: Acts): boolean {
  const { ledger } = onLeg(world.chains, otherLeg(node.name));
  return claimRead || [...claims].some((hash) => ledger.transaction(hash) !== null);
}

/** A maker's first claim shows its secret; from then on only the claim is safe, and it may be sent at any time. */
function handsClaim(scene: Scene, acts: Acts, report: Report): void {
  const { world, node, agreement } = scene;
  if (acts.claimedAt !== null) return;
  acts.claimedAt = secondsOf(world);
  if (node.name !== 'maker') return;
  const stale = staleLook(scene, { ...acts, leg: 'taker' });
  if (stale !== null) report('R9', `the secret goes out ${stale}`);
  const state = truthOf(scene, 'taker');
  if (!wasMisled(scene, 'taker', secondsOf(world) - freshLook(node))) {
    const problem = unconfirmed(world, 'taker', { agreed: agreement.taker, state });
    if (problem !== null) report('R9', `the secret goes out while ${problem}`);
    if (knownSpend(scene, { ...acts, leg: 'taker' }) === 'refund')
      report('R9', 'the secret goes out although the taker payment is on its way back');
    if (canGoBack(scene, 'taker')) report('R9', 'the secret goes out although the taker payment can go back already');
  }
  // What the log says was about to be sent may be out, so the time of that counts; not the log's own time, which never
  // goes back.
  const until = agreement.taker.terms.lock - publishedMargin(world.scenario.lockDuration);
  const late = (acts.notedClaimAt ?? heldTo(scene, 'taker')) - until;
  if (late > CLOCKS) report('R9', `the secret goes out ${late} s too late`);
}

function handsRefund(scene: Scene, acts: Acts, report: Report): void {
  const { world, node, agreement } = scene;
  const own = node.name;
  const early = onLeg(agreement, own).terms.lock - onLeg(world.chains, own).clock();
  const since = secondsOf(world) - oldestLook(node);
  if (!canGoBack(scene, own)) {
    if (wasMisled(scene, own, since)) acts.refundMisled = true;
    else if (!acts.refundMisled || !isKeptInBelief(scene, since))
      report('R3', `a refund is broadcast ${early} s before the chain can take it`);
  }
  if (own === 'taker') takerRefunds(scene, report);
  else makerRefunds(scene, acts, report);
}

/** Whether one of too few nodes went on saying that the own payment can go back: what a lie began continues on that word alone. */
function isKeptInBelief({ world, node }: Scene, since: Seconds): boolean {
  const now = secondsOf(world);
  return onLeg(node.plan.nodes, node.name).some(
    (fault) => fault.kind === 'doubt' && fault.says === 'refundable' && fault.from <= now && fault.until > since,
  );
}

function takerRefunds(scene: Scene, report: Report): void {
  const { world, node } = scene;
  if (node.records.some(({ type }) => type === 'TakerPaymentSpent')) {
    // The secret buys nothing any more. If the block with the maker's claim was replaced as well, its own payment can go back.
    if (!isFinal(scene, 'maker', 'refund')) report('R2', 'a refund is broadcast although the log holds the secret');
    return;
  }
  const { spend } = truthOf(scene, 'taker');
  if (spend?.how !== 'secret' || spend.hash === null) return;
  const since = trueSeconds(scene) - oldestLook(node);
  const shown = world.chains.taker.ledger.transaction(spend.hash)?.firstSeen ?? Number.POSITIVE_INFINITY;
  if (shown > since || hadTrouble(scene, 'taker', since - EPOCH)) return;
  report('R2', 'a refund is broadcast although the chain has shown the secret for long');
}

/** Whether anything was wrong between a party and one chain since a moment. */
function hadTrouble({ world, node }: Scene, leg: ChainName, since: Seconds): boolean {
  const now = secondsOf(world);
  return (
    onLeg(node.plan.nodes, leg).some(({ from, until }) => from <= now && until > since) ||
    world.reorgs.some(({ chain, at }) => chain === leg && at >= since)
  );
}

/**
 * A maker whose claim is out refunds only once the chain shows that the claim has lost. A claim that reached no node has shown nobody the secret, and
 * is not sent once the other side can refund: from then on, the refund competes with nothing.
 */
function makerRefunds(scene: Scene, acts: Acts, report: Report): void {
  const { world, node } = scene;
  if (acts.claimedAt === null) return;
  if (!isClaimOut(scene, acts) && canGoBack(scene, otherLeg(node.name))) return;
  const { fundings, spend } = truthOf(scene, otherLeg(node.name));
  if (fundings.length === 0 || spend?.how === 'refund') return;
  // Whether the other payment is gone takes as many blocks to see as make a spend final.
  const { blockTime } = world.scenario.chains.taker;
  const since = secondsOf(world) - oldestLook(node) - 4 * finalityOf(scene, 'taker') * blockTime;
  if (!wasMisled(scene, 'taker', since)) report('R2', 'a refund is broadcast beside the own claim');
}
