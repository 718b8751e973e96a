import type { Chain, ChainFeed } from '../../ports/chain.ts';
import type { ChainFixture } from './scene.ts';

type Wallet = Chain & ChainFeed;

/** The wallet with every throw told as what it is: a port answers, also when it has no answer. */
function answering(chain: Wallet): Wallet {
  const told = (name: string, error: unknown): Error => {
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
          throw told(name, error);
        }) as T;
      } catch (error) {
        throw told(name, error);
      }
    };
  };
  return {
    traits: chain.traits,
    htlcKey: asked('htlcKey', (swap) => chain.htlcKey(swap)),
    quote: asked('quote', () => chain.quote()),
    payment: asked('payment', (query) => chain.payment(query)),
    transaction: asked('transaction', (hash) => chain.transaction(hash)),
    checkFee: asked('checkFee', (check, forSwap) => chain.checkFee(check, forSwap)),
    prepare: asked('prepare', (request, forSwap) => chain.prepare(request, forSwap)),
    broadcast: asked('broadcast', (transaction) => chain.broadcast(transaction)),
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

/** A fixture whose wallets are {@link answering}. */
export function answeringFixture(fixture: ChainFixture): ChainFixture {
  return {
    ...fixture,
    sender: answering(fixture.sender),
    receiver: answering(fixture.receiver),
    watcher: answering(fixture.watcher),
    restartedSender: async () => answering(await fixture.restartedSender()),
  };
}
