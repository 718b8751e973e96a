import { swapCallOf } from './terms.ts';
import { type Made, slotOf } from './transaction.ts';

/** How many are kept if more than twice as many are over. */
export const MOST_PREPARED = 5000;

/**
 * What an account has signed, or what was reported from an earlier process. A node that trades for months makes very many: each look at a payment needs those
 * about its swap, so these are found without the others; and the oldest finished ones are forgotten, as with a restart. What is forgotten is known
 * to the log of its swap, and to the chain.
 */
export class Prepared {
  readonly #byId = new Map<string, Made>();
  readonly #bySlot = new Map<string, Made[]>();
  readonly #byCall = new Map<string, Made[]>();

  get size(): number {
    return this.#byId.size;
  }

  add(made: Made): void {
    if (this.#byId.has(made.id)) return;
    this.#byId.set(made.id, made);
    push(this.#bySlot, slotOf(made), made);
    const call = swapCallOf(made);
    if (call !== undefined) push(this.#byCall, callName(made.to ?? '', call.swapId), made);
  }

  /** Forgets the oldest finished ones, once there are very many, and returns them. */
  forget(isOver: (made: Made) => boolean): readonly Made[] {
    const forgotten: Made[] = [];
    if (this.#byId.size <= 2 * MOST_PREPARED) return forgotten;
    for (const made of this.#byId.values()) {
      if (this.#byId.size <= MOST_PREPARED) break;
      if (!isOver(made)) continue;
      this.#byId.delete(made.id);
      pull(this.#bySlot, slotOf(made), made);
      const call = swapCallOf(made);
      if (call !== undefined) pull(this.#byCall, callName(made.to ?? '', call.swapId), made);
      forgotten.push(made);
    }
    return forgotten;
  }

  get(id: string): Made | undefined {
    return this.#byId.get(id);
  }

  values(): Iterable<Made> {
    return this.#byId.values();
  }

  /** Those with the same nonce of the same account, including itself. */
  withNonceOf(made: Pick<Made, 'from' | 'nonce'>): readonly Made[] {
    return this.#bySlot.get(slotOf(made)) ?? [];
  }

  /** Calls of a swap contract about the payment with this id. */
  callsAbout({ contract, id }: { readonly contract: string; readonly id: string }): readonly Made[] {
    return this.#byCall.get(callName(contract, id)) ?? [];
  }
}

function callName(contract: string, id: string): string {
  return `${contract} ${id}`;
}

function pull(map: Map<string, Made[]>, key: string, made: Made): void {
  const others = (map.get(key) ?? []).filter((one) => one !== made);
  if (others.length === 0) map.delete(key);
  else map.set(key, others);
}

function push(map: Map<string, Made[]>, key: string, made: Made): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [made]);
  else list.push(made);
}
