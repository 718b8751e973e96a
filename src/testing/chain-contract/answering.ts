import type { Chain, ChainFeed } from '../../ports/chain.ts';
import { checkedFixture } from './check-fixture.ts';
import { type ChainFixture, expectThat } from './scene.ts';

type Wallet = Chain & ChainFeed;

/** The wallet with every throw told as what it is: a port answers, also when it has no answer. */
function answering(chain: Wallet): Wallet {
  const thrown = (name: string, error: unknown): Error => {
    const text = error instanceof Error ? error.message : String(error);
    const claim = `${name}() answers with a fault of a kind where it cannot; it threw: ${text}`;
    return new Error(`the chain adapter breaks its contract: ${claim}`, { cause: error });
  };
  const asked = <A extends unknown[], T>(name: string, call: (...given: A) => T) => {
    return (...given: A): T => {
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
  };
  const answered = <A extends unknown[], T>(name: string, call: (...given: A) => T) => {
    const ask = asked(name, call);
    return (...given: A): T => {
      const answer = ask(...given);
      return answer instanceof Promise ? (answer.then((told) => sound(name, told)) as T) : sound(name, answer);
    };
  };
  return {
    traits: chain.traits,
    htlcKey: asked('htlcKey', (swap) => chain.htlcKey(swap)),
    quote: answered('quote', () => chain.quote()),
    payment: answered('payment', (query) => chain.payment(query)),
    transaction: answered('transaction', (hash) => chain.transaction(hash)),
    checkFee: answered('checkFee', (check, forSwap) => chain.checkFee(check, forSwap)),
    prepare: answered('prepare', (request, forSwap) => chain.prepare(request, forSwap)),
    broadcast: answered('broadcast', (transaction) => chain.broadcast(transaction)),
    subscribe: asked('subscribe', (onChange) => chain.subscribe(onChange)),
    reserve: asked('reserve', (transactions) => chain.reserve(transactions)),
    release: asked('release', (transactions) => chain.release(transactions)),
    ...(chain.payments === undefined
      ? {}
      : { payments: asked('payments', (queries) => chain.payments?.(queries) ?? []) }),
    ...(chain.hold === undefined ? {} : { hold: asked('hold', (hold) => chain.hold?.(hold)) }),
    ...(chain.resumed === undefined ? {} : { resumed: asked('resumed', () => chain.resumed?.()) }),
  };
}

/** The answer, where it is one: what a case reads of anything else says nothing about the adapter. */
function sound<T>(name: string, answer: T): T {
  const { ok, value, fault } = (answer ?? {}) as {
    readonly ok?: unknown;
    readonly value?: unknown;
    readonly fault?: unknown;
  };
  const right = ok === true ? value !== undefined : ok === false && typeof fault === 'object' && fault !== null;
  const text = JSON.stringify(answer, (_, held) => (typeof held === 'bigint' ? String(held) : held)) ?? String(answer);
  const shown = text.length <= 200 ? text : `${text.slice(0, 199)}…`;
  expectThat(right, `${name}() answers { ok: true, value } or { ok: false, fault: { kind } }; it answered ${shown}`);
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
