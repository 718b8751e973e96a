import type { SignedTransaction } from '../../ports/chain.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import { viewOf } from '../../runtime/swap/runner.ts';
import type { SimChain } from '../chains/types.ts';
import { grabbed } from './grabber.ts';
import type { SimNode } from './node.ts';
import { type ChainName, EPOCH } from './scenario.ts';
import { KEYS, PERSISTENT_KEYS, type World } from './world.ts';

// What a party that breaks the protocol does besides its engine: with allied miners, and bypassing its own node.

/** The next block of a chain; what its miner deliberately leaves out waits. */
export function mineBlock(world: World, name: ChainName): void {
  const chain = onLeg(world.chains, name);
  const { withheld, now, schemers } = world;
  keepLate(world, name);
  const extra = world.grabber === null ? {} : grabbed(world, name);
  if (withheld.size === 0) chain.mine(extra);
  else chain.mine({ ...extra, include: (hash) => (withheld.get(hash) ?? 0) <= now });
  for (const node of schemers) afterBlock(world, node, name);
}

/** What a late watcher sends waits. */
function keepLate({ scenario, chains, withheld }: World, name: ChainName): void {
  const late = scenario.watcher?.late ?? 0;
  if (late === 0) return;
  for (const { hash, status, firstSeen } of onLeg(chains, name).ledger.transactions('watcher'))
    if (status === 'mempool') withheld.set(hash, (firstSeen + late) * 1000);
}

/** Whether a party whose engine is done still waits for an opportunity. */
export function lurks(node: SimNode, now: number): boolean {
  if (node.plan.conduct.kind !== 'race') return false;
  const { ownTerms } = viewOf(node.runner);
  return ownTerms !== null && now < (ownTerms.lock + AFTER_LOCK) * 1000;
}

/** How long after the end of its lock a party looks for an opportunity, in seconds. */
const AFTER_LOCK = 7200;

type Handed = { readonly leg: ChainName; readonly transaction: SignedTransaction };

/** After a schemer's engine has sent a transaction. */
export function afterHanding(world: World, node: SimNode, { leg, transaction }: Handed): void {
  const { conduct } = node.plan;
  const chain = onLeg(world.chains, leg);
  const purpose = chain.ledger.purposeOf(transaction.tx_hex);
  if (conduct.kind === 'replace' && purpose === 'payment' && leg === node.name) {
    world.queue.push(world.now + conduct.after * 1000 + 1, { kind: 'undo', of: node, given: transaction });
  }
  if (conduct.kind !== 'pin' || purpose !== conduct.what || chain.ledger.transaction(transaction.tx_hash) === null)
    return;
  node.strayed = true;
  if (node.schemeUntil === null) node.schemeUntil = world.now + conduct.seconds * 1000;
  world.withheld.set(transaction.tx_hash, node.schemeUntil);
  if (world.now < node.schemeUntil) chain.burden(transaction.tx_hash, conduct.children);
}

/** Removes the own payment from the mempool again. */
export function undo(world: World, node: SimNode, target: SignedTransaction): void {
  const chain = onLeg(world.chains, node.name);
  if (chain.ledger.transaction(target.tx_hash)?.status !== 'mempool') return;
  const instead = voidOf(world, node, target);
  if (instead !== null && chain.submit(instead).ok) node.strayed = true;
}

function voidOf({ uuid }: World, node: SimNode, target: SignedTransaction): string | null {
  const made = onLeg(node.wallets, node.name).prepare({ purpose: 'void', target, urgency: 6 }, { swap: uuid });
  return made.ok ? made.value.tx_hex : null;
}

function afterBlock(world: World, node: SimNode, name: ChainName): void {
  const { conduct } = node.plan;
  if (conduct.kind === 'rewrite' && name === node.name) rewrite(world, node, conduct.depth);
  if (conduct.kind === 'race' && name === node.name) grab(world, node);
  if (conduct.kind === 'frontRun') handOut(world, node, name);
}

/** Once: a branch in which its coins went back replaces the blocks that hold the own payment. */
function rewrite(world: World, node: SimNode, depth: number): void {
  if (node.schemeUntil !== null) return;
  const chain = onLeg(world.chains, node.name);
  for (const { tx } of node.runner.journal.prepared.payment) {
    const seen = chain.ledger.transaction(tx.tx_hash);
    if (seen?.status !== 'confirmed' || seen.confirmations !== depth) continue;
    node.schemeUntil = world.now;
    const instead = voidOf(world, node, tx);
    if (instead === null || !branch(chain, { depth, hash: tx.tx_hash, instead })) return;
    node.strayed = true;
    world.reorgs.push({ chain: node.name, depth, at: Math.floor(world.now / 1000) - EPOCH });
    return;
  }
}

type Branch = { readonly depth: number; readonly hash: string; readonly instead: string };

function branch(chain: SimChain, { depth, hash, instead }: Branch): boolean {
  const rest = Array.from({ length: depth }, () => ({}));
  try {
    chain.reorg({ depth, drop: [hash], blocks: [{ extra: [instead], include: 'none' }, ...rest] });
    return true;
  } catch (error) {
    // What the payment spends came in the same blocks, so the branch would be invalid: then there is none.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A refund at a high price, as long as no block holds the end of the own payment. */
function grab(world: World, node: SimNode): void {
  const { ownTerms: terms } = viewOf(node.runner);
  if (terms === null) return;
  const chain = onLeg(world.chains, node.name);
  if (chain.kind === 'autoRefund' || chain.clock() <= terms.lock) return;
  const { fundings, spend } = chain.ledger.payment(terms);
  const [funding] = fundings;
  if (funding === undefined || (spend !== null && (spend.how === 'refund' || spend.confirmations > 0))) return;
  const hex = chain.ledger.transaction(funding.hash)?.hex ?? '';
  const request = {
    purpose: 'refund',
    terms,
    funding: { tx_hex: hex, tx_hash: funding.hash },
    urgency: 6,
    replaces: null,
  } as const;
  const made = onLeg(node.wallets, node.name).prepare(request, { swap: world.uuid });
  if (made.ok && chain.submit(made.value.tx_hex).ok) node.strayed = true;
}

type WatcherMessage = Extract<SwapMessage, { readonly kind: 'watcher' }>;

/** Before a watcher hears the taker, it hears a maker who claims to be the taker and keeps what the taker signed. */
export function overhear(world: World, message: WatcherMessage): void {
  const { maker } = world.nodes;
  if (maker.plan.conduct.kind !== 'frontRun' || world.overheard !== null) return;
  world.overheard = message.watch;
  maker.strayed = true;
  const posed = { ...message, watch: { ...message.watch, taker_pub: PERSISTENT_KEYS.maker } };
  world.queue.push(world.now + HURRY, { kind: 'watch', of: KEYS.maker, given: posed });
}

/** In milliseconds: others take a second to reach a watcher. */
const HURRY = 500 as Millis;

/** What the taker signed for watchers goes to the network as soon as the chain accepts it. */
function handOut(world: World, node: SimNode, name: ChainName): void {
  const watch = world.overheard;
  if (watch === null) return;
  if (name === 'taker') {
    world.chains.taker.submit(watch.taker_payment_refund_preimage);
    return;
  }
  const isOut = world.chains.taker.ledger.transactions('maker').some(({ purpose }) => purpose === 'claim');
  if (!isOut || node.schemeUntil !== null) return;
  const request = {
    purpose: 'completePreimage',
    preimage: watch.maker_payment_spend_preimage,
    secret: world.secret,
  } as const;
  const made = node.wallets.maker.prepare(request, { swap: world.uuid });
  if (!made.ok) return;
  node.schemeUntil = world.now;
  world.chains.maker.submit(made.value.tx_hex);
}
