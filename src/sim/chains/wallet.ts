import type {
  Answer,
  PaymentQuery,
  PaymentView,
  PrepareRequest,
  SignedTransaction,
  TransactionView,
} from '../../ports/chain.ts';
import type { ChainModel } from './chain-model.ts';
import { type Acceptance, markFired, refused, SENT } from './faults.ts';
import { liedPayment, liedTransaction } from './lies.ts';
import type { Listener } from './network.ts';
import {
  ask,
  broadcastEffect,
  doubted,
  doubtOf,
  isDeaf,
  isSilent,
  latencyOf,
  liesAbout,
  type Node,
  readBlocks,
} from './node.ts';
import { shallowPayment, shallowTransaction } from './shallow.ts';
import type { NodeFault, SimWallet } from './types.ts';

/** A wallet that asks an engine through its own node. */
export function simWallet(model: ChainModel): SimWallet {
  const node: Node = { model, faults: [] };
  const { network } = model;
  let listeners: Listener[] = [];
  const unsubscribe = (gone: (listener: Listener) => boolean) => {
    network.listeners = network.listeners.filter((listener) => !listeners.includes(listener) || !gone(listener));
    listeners = listeners.filter((listener) => !gone(listener));
  };
  return {
    traits: model.traits,
    party: model.party,
    htlcKey: model.htlcKey,
    quote: () => doubted(node, ask(node, model.quote)),
    payment: (query) => doubtedPayment(node, query),
    // By `this`: a wrapper that changes the answer for one payment then changes it for many.
    payments(queries) {
      const answers = queries.map((query) => this.payment(query));
      return answers.some((answer) => (answer as unknown) instanceof Promise) ? Promise.all(answers) : answers;
    },
    transaction: (hash) => doubted(node, askTransaction(node, hash)),
    checkFee: (check, given) =>
      doubted(
        node,
        ask(node, (view) => model.checkFee(check, { view, swap: given?.swap ?? null })),
      ),
    // Made once, from what the first node says: two answers would reserve twice.
    prepare: (request, given) => {
      if (isSilent(node)) return refused('unavailable', 'the node does not answer');
      // Before it is made: what nobody receives must not be marked as taken.
      const early = isDoubtful(request) ? NOTHING_WRONG : doubted(node, NOTHING_WRONG);
      if (!early.ok) return early;
      return ask({ ...node, faults: node.faults.filter(({ kind }) => kind === 'lag') }, (view) => {
        return model.prepare(request, { view, swap: given?.swap ?? null });
      });
    },
    broadcast: (transaction, sending) => {
      const early = sending?.doubtful === true ? NOTHING_WRONG : doubted(node, NOTHING_WRONG);
      return early.ok ? broadcast(node, transaction) : early;
    },
    reserve: model.reserve,
    release: model.release,
    hold: model.hold,
    resumed: model.resumed,
    ...(model.promised === undefined ? {} : { promised: model.promised }),
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
      model.forget();
    },
  };
}

const NOTHING_WRONG: Answer<null> = { ok: true, value: null };

function isDoubtful(request: PrepareRequest): boolean {
  return (request.purpose === 'claim' || request.purpose === 'refund') && request.doubtful === true;
}

function doubtedPayment(node: Node, query: PaymentQuery): Answer<PaymentView> {
  const truth = askPayment(node, query);
  return doubted(node, truth, (value) => {
    const says = doubtOf(node)?.says;
    const told = says === undefined ? truth : liedPayment(node.model, query, { truth, says });
    return { doubtful: told.ok ? told.value : value };
  });
}

function askPayment(node: Node, query: PaymentQuery): Answer<PaymentView> {
  const { model } = node;
  if (node.faults.length === 0) return model.payment(query, model.truth());
  const truth = ask(node, (view) => model.payment(query, view));
  let answer = truth;
  for (const says of liesAbout(node, model.addressOf(query.terms.sender))) {
    answer = liedPayment(model, query, { truth: answer, says });
  }
  return shallow(node, answer, (blocks) => shallowPayment(answer, { query, blocks }));
}

function askTransaction(node: Node, hash: string): Answer<TransactionView> {
  const { model } = node;
  if (node.faults.length === 0) return model.transaction(hash, model.truth());
  let answer = ask(node, (view) => model.transaction(hash, view));
  const described = model.describe(hash);
  if (described !== null && described.payer !== null) {
    const spends = described.purpose !== 'payment';
    for (const says of liesAbout(node, described.payer)) answer = liedTransaction(answer, { says, spends });
  }
  return shallow(node, answer, (blocks) => shallowTransaction(answer, blocks));
}

/** What remains of an answer if the adapter has not read all blocks. */
function shallow<T>(node: Node, answer: Answer<T>, cut: (blocks: number) => Answer<T>): Answer<T> {
  const fault = readBlocks(node);
  const left = fault === null ? answer : cut(fault.blocks);
  if (fault !== null && left !== answer) markFired(fault);
  return left;
}

function broadcast(node: Node, transaction: SignedTransaction): Acceptance {
  const { model, faults } = node;
  if (faults.length === 0) return model.submit(transaction);
  const silent = refused('unavailable', 'the node does not answer');
  if (isSilent(node)) return silent;
  const purpose = model.describe(transaction.tx_hex)?.purpose ?? 'transfer';
  const effect = broadcastEffect(node, purpose);
  if (effect === 'refused') return silent;
  if (effect === 'lost' || doubtOf(node)?.keeps === true) return model.standing(transaction) ?? SENT;
  const answer = model.submit(transaction);
  return effect === 'unanswered' ? silent : answer;
}
