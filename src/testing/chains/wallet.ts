import type { Answer, PaymentQuery, PaymentView, SignedTransaction, TransactionView } from '../../ports/chain.ts';
import type { Engine } from './engine.ts';
import { type Acceptance, markFired, refused, SENT } from './faults.ts';
import { liedPayment, liedTransaction } from './lies.ts';
import type { Listener } from './network.ts';
import { ask, broadcastEffect, isDeaf, isSilent, latencyOf, liesAbout, type Node, readBlocks } from './node.ts';
import { shallowPayment, shallowTransaction } from './shallow.ts';
import type { NodeFault, SimWallet } from './types.ts';

/** A wallet that asks an engine through a node of its own. */
export function simWallet(engine: Engine): SimWallet {
  const node: Node = { engine, faults: [] };
  const { network } = engine;
  let listeners: Listener[] = [];
  const unsubscribe = (gone: (listener: Listener) => boolean) => {
    network.listeners = network.listeners.filter((listener) => !listeners.includes(listener) || !gone(listener));
    listeners = listeners.filter((listener) => !gone(listener));
  };
  return {
    traits: engine.traits,
    party: engine.party,
    htlcKey: engine.htlcKey,
    quote: () => ask(node, engine.quote),
    payment: (query) => askPayment(node, query),
    // By `this`: what wraps a wallet and answers otherwise for one payment does so for many.
    payments(queries) {
      const answers = queries.map((query) => this.payment(query));
      return answers.some((answer) => (answer as unknown) instanceof Promise) ? Promise.all(answers) : answers;
    },
    transaction: (hash) => askTransaction(node, hash),
    checkFee: (check, given) => ask(node, (view) => engine.checkFee(check, { view, swap: given?.swap ?? null })),
    // Made once, by what the first of the asked nodes says: two answers would reserve twice.
    prepare: (request, given) => {
      if (isSilent(node)) return refused('unavailable', 'the node does not answer');
      return ask({ ...node, faults: node.faults.filter(({ kind }) => kind === 'lag') }, (view) => {
        return engine.prepare(request, { view, swap: given?.swap ?? null });
      });
    },
    broadcast: (transaction) => broadcast(node, transaction),
    reserve: engine.reserve,
    release: engine.release,
    hold: engine.hold,
    resumed: engine.resumed,
    subscribe: (onChange, { everyBlock = false } = {}) => {
      const listener: Listener = { onChange, isDeaf: () => isDeaf(node), everyBlock };
      listeners.push(listener);
      network.listeners = [...network.listeners, listener];
      return { close: () => unsubscribe((other) => other === listener) };
    },
    latency: () => latencyOf(node),
    setFaults: (faults: readonly NodeFault[]) => {
      node.faults = faults;
    },
    restart: () => {
      unsubscribe(() => true);
      engine.forget();
    },
  };
}

function askPayment(node: Node, query: PaymentQuery): Answer<PaymentView> {
  const { engine } = node;
  if (node.faults.length === 0) return engine.payment(query, engine.truth());
  const truth = ask(node, (view) => engine.payment(query, view));
  let answer = truth;
  for (const says of liesAbout(node, engine.addressOf(query.terms.sender))) {
    answer = liedPayment(engine, query, { truth: answer, says });
  }
  return shallow(node, answer, (blocks) => shallowPayment(answer, { query, blocks }));
}

function askTransaction(node: Node, hash: string): Answer<TransactionView> {
  const { engine } = node;
  if (node.faults.length === 0) return engine.transaction(hash, engine.truth());
  let answer = ask(node, (view) => engine.transaction(hash, view));
  const described = engine.describe(hash);
  if (described !== null && described.payer !== null) {
    const spends = described.purpose !== 'payment';
    for (const says of liesAbout(node, described.payer)) answer = liedTransaction(answer, { says, spends });
  }
  return shallow(node, answer, (blocks) => shallowTransaction(answer, blocks));
}

/** What is left of an answer where the adapter has not read all blocks. */
function shallow<T>(node: Node, answer: Answer<T>, cut: (blocks: number) => Answer<T>): Answer<T> {
  const fault = readBlocks(node);
  const left = fault === null ? answer : cut(fault.blocks);
  if (fault !== null && left !== answer) markFired(fault);
  return left;
}

function broadcast(node: Node, transaction: SignedTransaction): Acceptance {
  const { engine, faults } = node;
  if (faults.length === 0) return engine.submit(transaction);
  const silent = refused('unavailable', 'the node does not answer');
  if (isSilent(node)) return silent;
  const purpose = engine.describe(transaction.tx_hex)?.purpose ?? 'transfer';
  const effect = broadcastEffect(node, purpose);
  if (effect === 'refused') return silent;
  if (effect === 'lost') return engine.standing(transaction) ?? SENT;
  const answer = engine.submit(transaction);
  return effect === 'unanswered' ? silent : answer;
}
