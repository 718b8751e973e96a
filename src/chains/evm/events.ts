import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { type Log, type Look, Unsteady } from './reader.ts';

const topicOf = (signature: string): string => bytesToHex(keccak256(new TextEncoder().encode(signature)));

const TOPICS = {
  paid: topicOf('PaymentSent(bytes32)'),
  claimed: topicOf('ReceiverSpent(bytes32,bytes32)'),
  refunded: topicOf('SenderRefunded(bytes32)'),
} as const;

export type EventKind = keyof typeof TOPICS;

/** Where the swap contract told of a payment. */
export type Found = {
  /** Id of the transaction. */
  readonly transaction: string;
  readonly block: number;
  /** 32 bytes in hex, of a claim. */
  readonly secret: string | null;
};

export type EventQuery = {
  readonly contract: string;
  /** Id of the payment. */
  readonly id: string;
  readonly kind: EventKind;
  /** It is in no block below. */
  readonly from: number;
};

/** Chunks of blocks that one question looks through at most. */
const MOST_CHUNKS = 25;

const WORD = 64;

type Searched = { readonly low: number; readonly high: number; readonly hash: string };

/**
 * Finds the events of payments that are known to be there, from the newest block down, and remembers where they were. What is remembered is
 * looked up again at each look: a block may be gone.
 */
export class EventFinder {
  readonly #range: number;
  /** By kind, contract and id. */
  readonly #found = new Map<string, string>();
  /** By the same, the least block that was looked through, and the head of then. */
  readonly #searched = new Map<string, Searched>();

  /** @param range blocks that a node is asked for at once */
  constructor(range: number) {
    this.#range = range;
  }

  /** Forgets what was looked through: the event is there, and whoever said that it is nowhere does not have all of them. */
  forget({ kind, contract, id }: Pick<EventQuery, 'kind' | 'contract' | 'id'>): void {
    this.#searched.delete(nameOf({ kind, contract, id }));
  }

  /** Null where it is in no block from the first one on; `unread` where too little was looked through. @throws BackendSilent, Unsteady */
  async find(look: Look, query: EventQuery): Promise<Found | null | 'unread'> {
    const name = nameOf(query);
    const known = this.#found.get(name);
    if (known !== undefined) {
      const found = await foundIn(look, known, query);
      if (found !== null) return found;
      this.#found.delete(name);
      this.#searched.delete(name);
    }
    const transaction = await this.#search(look, { ...query, name });
    if (transaction === null || transaction === 'unread') return transaction;
    const found = await foundIn(look, transaction, query);
    if (found === null) throw new Unsteady('the block of an event is gone');
    this.#found.set(name, transaction);
    this.#searched.delete(name);
    return found;
  }

  async #search(
    look: Look,
    { name, ...query }: EventQuery & { readonly name: string },
  ): Promise<string | null | 'unread'> {
    const { head } = look;
    const most = MOST_CHUNKS * this.#range;
    const before = await this.#before(look, name);
    // Goes on below where it stopped, and above it with what is new since, and with the blocks before that, which a node's index may not have had yet.
    const above = before === null ? head.number + 1 : Math.max(before.low, before.high + 1 - this.#range, query.from);
    const below = before === null ? head.number : before.low - 1;
    const low = Math.max(query.from, below - most + 1);
    for (const [from, to] of [
      [above, head.number],
      [low, below],
    ] as const) {
      const found = await this.#searchIn(look, { ...query, from, to });
      if (found !== null) return found;
    }
    this.#searched.set(name, { low, high: head.number, hash: head.hash });
    return low <= query.from ? null : 'unread';
  }

  /** What was looked through earlier, where its blocks are still there and not much has come since. */
  async #before(look: Look, name: string): Promise<Searched | null> {
    const before = this.#searched.get(name);
    if (before === undefined || look.head.number - before.high > MOST_CHUNKS * this.#range) return null;
    return (await look.block(before.high))?.hash === before.hash ? before : null;
  }

  async #searchIn(look: Look, { from, to, ...query }: EventQuery & { readonly to: number }): Promise<string | null> {
    for (let high = to; high >= from; high -= this.#range) {
      const low = Math.max(from, high - this.#range + 1);
      const logs = await look.logs({ contract: query.contract, from: low, to: high });
      const log = logs.findLast((one) => isOf(one, query));
      if (log !== undefined) return log.transaction;
    }
    return null;
  }
}

function nameOf({ kind, contract, id }: Pick<EventQuery, 'kind' | 'contract' | 'id'>): string {
  return `${kind} ${contract} ${id}`;
}

function isOf({ contract, topics, data }: Log, query: Pick<EventQuery, 'contract' | 'id' | 'kind'>): boolean {
  return contract === query.contract && topics[0] === TOPICS[query.kind] && data.slice(0, WORD) === query.id;
}

/** The event in the receipt of its transaction, as far as a block of this look holds it. */
async function foundIn(look: Look, transaction: string, query: EventQuery): Promise<Found | null> {
  const receipt = await look.receipt(transaction);
  const log = receipt?.logs.find((one) => isOf(one, query));
  if (receipt === null || log === undefined || !receipt.succeeded) return null;
  const secret = query.kind === 'claimed' ? log.data.slice(WORD, 2 * WORD) : null;
  return { transaction, block: receipt.block, secret };
}
