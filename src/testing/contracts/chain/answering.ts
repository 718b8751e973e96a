import type { Chain, ChainFeed } from '../../../ports/chain.ts';
import { unreadable } from '../../../runtime/check-answer.ts';
import type { Question } from '../../../runtime/command.ts';
import { checkedFixture } from './check-fixture.ts';
import { type ChainFixture, expectThat, shortly } from './scene.ts';

type Wallet = Chain & ChainFeed;

function thrown(name: string, error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  const claim = `${name}() must answer with a classified fault when it cannot do its work; it threw: ${text}`;
  return new Error(`the chain adapter breaks its contract: ${claim}`, { cause: error });
}

function asked<A extends unknown[], T>(name: string, call: (...given: A) => T): (...given: A) => T {
  return (...given) => {
    try {
      const answer = call(...given);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        throw thrown(name, error);
      }) as T;
    } catch (error) {
      throw thrown(name, error);
    }
  };
}

function answered<A extends unknown[], T>(call: (...given: A) => T, question: (...given: A) => Question) {
  return (...given: A): T => {
    const about = question(...given);
    const answer = asked(about.op, call)(...given);
    return answer instanceof Promise ? (answer.then((told) => sound(about, told)) as T) : sound(about, answer);
  };
}

/** The wallet with every throw told as what it is: a port answers, also when it has no answer. */
function answering(chain: Wallet): Wallet {
  return {
    traits: chain.traits,
    htlcKey: asked('htlcKey', (swap) => chain.htlcKey(swap)),
    quote: answered(
      () => chain.quote(),
      () => ({ op: 'quote' }),
    ),
    payment: answered(
      (query) => chain.payment(query),
      (query) => ({ op: 'payment', query }),
    ),
    transaction: answered(
      (hash) => chain.transaction(hash),
      (hash) => ({ op: 'transaction', hash }),
    ),
    checkFee: answered(
      (check, forSwap) => chain.checkFee(check, forSwap),
      (check) => ({ op: 'checkFee', check }),
    ),
    prepare: answered(
      (request, forSwap) => chain.prepare(request, forSwap),
      (request) => ({ op: 'prepare', request }),
    ),
    broadcast: answered(
      (transaction, ...sending) => chain.broadcast(transaction, ...sending),
      (transaction) => ({ op: 'broadcast', transaction }),
    ),
    subscribe: asked('subscribe', (onChange) => chain.subscribe(onChange)),
    reserve: asked('reserve', (transactions) => chain.reserve(transactions)),
    release: asked('release', (transactions) => chain.release(transactions)),
    ...(chain.payments === undefined
      ? {}
      : { payments: asked('payments', (queries) => chain.payments?.(queries) ?? []) }),
    ...(chain.hold === undefined ? {} : { hold: asked('hold', (hold) => chain.hold?.(hold)) }),
    ...(chain.resumed === undefined ? {} : { resumed: asked('resumed', () => chain.resumed?.()) }),
    ...(chain.promised === undefined
      ? {}
      : { promised: asked('promised', (hex: string) => chain.promised?.(hex) ?? null) }),
  };
}

/** The answer, where it is one: what a case reads of anything else says nothing about the adapter, and an engine reads none of it. */
function sound<T>(question: Question, answer: T): T {
  const { ok, value, fault } = (answer ?? {}) as {
    readonly ok?: unknown;
    readonly value?: unknown;
    readonly fault?: unknown;
  };
  const right = ok === true ? value !== undefined : ok === false && typeof fault === 'object' && fault !== null;
  const name = question.op;
  const shown = shortly(answer);
  expectThat(right, `${name}() answers { ok: true, value } or { ok: false, fault: { kind } }; it answered ${shown}`);
  const problem = unreadable(question, answer);
  expectThat(problem === null, `an engine reads the answer of ${name}(), and ${problem}, in ${shown}`);
  return answer;
}

/** A fixture whose wallets are {@link answering}. */
export function answeringFixture(given: ChainFixture): ChainFixture {
  const fixture = checkedFixture(given);
  return {
    ...fixture,
    sender: answering(fixture.sender),
    receiver: answering(fixture.receiver),
    watcher: answering(fixture.watcher),
    restartedSender: async () => answering(await fixture.restartedSender()),
  };
}
