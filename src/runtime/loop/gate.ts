import type { Chain, ChainFeed } from '../../ports/chain.ts';

/** A chain adapter as the runtime needs it. */
export type RuntimeChain = Chain & ChainFeed;

/** The access to one chain: it limits concurrent questions; the others wait for their turn. */
export type ChainGate<V> = {
  readonly coin: string;
  readonly chain: RuntimeChain;
  /** True if the visitor may ask at once; otherwise it is queued, and `grant` is called at its turn. */
  readonly enter: (visitor: V, first: boolean) => boolean;
  /** A visitor gives up its place in the queue. */
  readonly withdraw: () => void;
  /** A question was answered, or a granted place is not needed. */
  readonly leave: () => void;
  /** A question was abandoned. The adapter may still be busy with it. */
  readonly abandon: () => void;
  /** The answer to an abandoned question. */
  readonly lateAnswer: () => void;
  readonly sizes: () => { readonly asking: number; readonly queued: number; readonly abandoned: number };
};

export type ChainGateOptions<V> = {
  readonly coin: string;
  readonly chain: RuntimeChain;
  /** The number of questions at the same time. */
  readonly limit: number;
  readonly grant: (visitor: V, gate: ChainGate<V>) => void;
  /** Whether a visitor still waits at this gate: it may have left the queue. */
  readonly isQueued: (visitor: V, gate: ChainGate<V>) => boolean;
};

/**
 * - A1: visitors in the middle of something go first, so that a few finish instead of all being half done: otherwise
 *   what one saw would be too old by the time it had seen the rest.
 * - A2: an adapter that leaves as many questions unanswered as it may have gets one at a time until it answers, so that
 *   a hanging adapter cannot fill the memory.
 */
export function createChainGate<V>({ coin, chain, limit, grant, isQueued }: ChainGateOptions<V>): ChainGate<V> {
  const first = createQueue<V>();
  const others = createQueue<V>();
  let asking = 0;
  let queued = 0;
  let abandoned = 0;

  const places = () => (abandoned >= limit ? 1 : limit);

  const isWaiting = (visitor: V) => isQueued(visitor, gate);

  const next = (): void => {
    while (asking < places()) {
      const visitor = first.take(isWaiting) ?? others.take(isWaiting);
      if (visitor === undefined) return;
      queued -= 1;
      asking += 1;
      grant(visitor, gate);
    }
  };

  const gate: ChainGate<V> = {
    coin,
    chain,
    enter(visitor, isFirst) {
      if (asking < places()) {
        asking += 1;
        return true;
      }
      (isFirst ? first : others).push(visitor);
      queued += 1;
      return false;
    },
    withdraw() {
      queued -= 1;
    },
    leave() {
      asking -= 1;
      // It answers: what it left unanswered before counts less and less.
      if (abandoned > 0) abandoned -= 1;
      next();
    },
    abandon() {
      asking -= 1;
      abandoned += 1;
      next();
    },
    lateAnswer() {
      if (abandoned > 0) abandoned -= 1;
      next();
    },
    sizes: () => ({ asking, queued, abandoned }),
  };
  return gate;
}

/** First in, first out. A visitor that gave up its place is skipped at its turn. */
function createQueue<V>() {
  let line: V[] = [];
  let head = 0;
  return {
    push: (visitor: V): void => void line.push(visitor),
    take(isWaiting: (visitor: V) => boolean): V | undefined {
      while (head < line.length) {
        const visitor = line[head] as V;
        head += 1;
        if (head > 1024 && head * 2 > line.length) {
          line = line.slice(head);
          head = 0;
        }
        if (isWaiting(visitor)) return visitor;
      }
      line = [];
      head = 0;
      return undefined;
    },
  };
}
