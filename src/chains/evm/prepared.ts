import { swapCallOf } from './terms.ts';
import { type Made, slotOf } from './transaction.ts';

/**
 * Everything that an account has signed, or that was reported from an earlier process. A node that trades for months holds very many: each look at a payment
 * needs those about its swap, so these are found without the others.
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

  get(id: string): Made | undefined {
    return this.#byId.get(id);
  }

  values(): Iterable<Made> {
    return this.#byId.values();
  }

  /** What has the same nonce of the same account, and it itself. */
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

function push(map: Map<string, Made[]>, key: string, made: Made): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [made]);
  else list.push(made);
}
