import type { Chain, ChainFeed } from '../ports/chain.ts';
import type { Slot } from './slot.ts';

/** A chain adapter as the runtime needs it. */
export type RuntimeChain = Chain & ChainFeed;

/** The way to one chain: only so many questions are there at a time, the others wait for their turn. */
export type ChainGate = {
  readonly coin: string;
  readonly chain: RuntimeChain;
  /** True when the slot may ask at once; else it is queued and `grant` is called when its turn has come. */
  readonly enter: (slot: Slot, first: boolean) => boolean;
  /** A slot gives up its place in the queue; its mode says so. */
  readonly withdraw: () => void;
  /** A question was answered, or a place that was granted is not needed. */
  readonly leave: () => void;
  /** A question was given up. The adapter may still be busy with it. */
  readonly abandon: () => void;
  /** The answer to a question that was given up. */
  readonly lateAnswer: () => void;
  readonly sizes: () => { readonly asking: number; readonly queued: number; readonly abandoned: number };
};

export type ChainGateOptions = {
  readonly coin: string;
  readonly chain: RuntimeChain;
  /** Questions at the same time. */
  readonly limit: number;
  readonly grant: (slot: Slot, gate: ChainGate) => void;
};

/**
 * - G1: those who are in the middle of something go first, so that a few finish instead of all being half done: what one
 *   saw would be too old by the time that it had seen the rest.
 * - G2: an adapter that leaves as many questions unanswered as it may have is asked one at a time until it answers, so that
 *   one that hangs cannot fill the memory.
 */
export function createChainGate({ coin, chain, limit, grant }: ChainGateOptions): ChainGate {
  const first = createQueue();
  const others = createQueue();
  let asking = 0;
  let queued = 0;
  let abandoned = 0;

  const places = () => (abandoned >= limit ? 1 : limit);

  const isWaiting = (slot: Slot) => slot.mode === 'queued' && slot.gate === gate;

  const next = (): void => {
    while (asking < places()) {
      const slot = first.take(isWaiting) ?? others.take(isWaiting);
      if (slot === undefined) return;
      queued -= 1;
      asking += 1;
      grant(slot, gate);
    }
  };

  const gate: ChainGate = {
    coin,
    chain,
    enter(slot, isFirst) {
      if (asking < places()) {
        asking += 1;
        return true;
      }
      (isFirst ? first : others).push(slot);
      queued += 1;
      return false;
    },
    withdraw() {
      queued -= 1;
    },
    leave() {
      asking -= 1;
      next();
    },
    abandon() {
      asking -= 1;
      abandoned += 1;
      next();
    },
    lateAnswer() {
      abandoned -= 1;
      next();
    },
    sizes: () => ({ asking, queued, abandoned }),
  };
  return gate;
}

/** First in, first out. A slot that gave up its place is passed over when its turn comes. */
function createQueue() {
  let slots: Slot[] = [];
  let head = 0;
  return {
    push: (slot: Slot): void => void slots.push(slot),
    take(isWaiting: (slot: Slot) => boolean): Slot | undefined {
      while (head < slots.length) {
        const slot = slots[head] as Slot;
        head += 1;
        if (head > 1024 && head * 2 > slots.length) {
          slots = slots.slice(head);
          head = 0;
        }
        if (isWaiting(slot)) return slot;
      }
      slots = [];
      head = 0;
      return undefined;
    },
  };
}
