import { isSwapEvent, type SwapEventKind, type SwapEventQuery, secretTold } from '../../htlc/contract-events.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { RecentMap } from '../accounts/recent-map.ts';
import { type EvmLook, type Log, type LogRange, type Logs, RangeTooWide, Unsteady } from './reader.ts';

/** Where the swap contract reported a payment. */
export type Found = {
  /** Id of the transaction. */
  readonly transaction: string;
  readonly block: number;
  /** 32 bytes in hex, for a claim. */
  readonly secret: string | null;
  /** No node gives its receipt, which may exceed the size limit: whoever calls the contract can put anything else into a transaction. @defaultValue false */
  readonly isUnread?: boolean;
};

export type EventQuery = {
  readonly contract: string;
  /** Id of the payment. */
  readonly id: string;
  readonly kind: SwapEventKind;
  /** It is in no lower block. */
  readonly from: number;
  /** Ids of transactions that may have made it, which are checked before a search of blocks. @defaultValue none */
  readonly likely?: readonly string[];
};

/** The most chunks of blocks that one question searches. */
const MOST_CHUNKS = 25;
/** How many events are remembered with their place, or their absence; others are searched again. */
const MOST_EVENTS = 10_000;
/** How many chunks to request at the same time after the newest one. */
const AT_ONCE = 8;

type Searching = EventQuery & {
  readonly to: number;
  /** Collects transactions that a node names and no block holds. */
  readonly gone: Set<string>;
  readonly note?: (lowest: number) => void;
};
type Searched = { readonly low: number; readonly high: number; readonly hash: string };

/**
 * Finds the events of payments that are known to exist, from the newest block down, and remembers where they were. Each look checks that place again:
 * a block may be gone.
 */
export class EventFinder {
  readonly #most: number;
  /** How many blocks to ask for at once: fewer if nodes refuse as many. */
  #range: number;
  /** By kind, contract and id. */
  readonly #found = new RecentMap<string>(MOST_EVENTS);
  /** By the same, the lowest block searched, and the head at that time. */
  readonly #searched = new RecentMap<Searched>(MOST_EVENTS);

  /** @param range how many blocks to ask a node for at once, at most */
  constructor(range: number) {
    this.#most = range;
    this.#range = range;
  }

  /** Forgets what was searched: the event exists, and the node that did not find it lacks some. */
  forget({ kind, contract, id }: Pick<EventQuery, 'kind' | 'contract' | 'id'>): void {
    this.#searched.delete(nameOf({ kind, contract, id }));
  }

  /** The transaction in which it was last found, which may be gone. */
  known(query: Pick<EventQuery, 'kind' | 'contract' | 'id'>): string | null {
    return this.#found.get(nameOf(query)) ?? null;
  }

  /** Null if it is in no block from the first one on; `unread` if too little was searched. @throws BackendSilent, Unsteady */
  async find(look: EvmLook, query: EventQuery): Promise<Found | null | 'unread'> {
    const name = nameOf(query);
    const known = this.#found.get(name);
    let silence: BackendSilent | null = null;
    const found = await firstIn(look, { ...query, ids: known === undefined ? (query.likely ?? []) : [known] }).catch(
      (error: unknown) => {
        if (!(error instanceof BackendSilent)) throw error;
        silence = error;
        return null;
      },
    );
    if (found !== null) return this.#note(name, found);
    if (known !== undefined) {
      this.#searched.delete(name);
      if (silence === null) this.#found.delete(name);
    }
    const gone = new Set<string>();
    const searched = await this.#searchFitting(look, { ...query, name, gone });
    if (searched !== null && searched !== 'unread') return this.#note(name, searched);
    if (silence !== null) throw silence;
    if (searched === 'unread') return searched;
    if (gone.size === 0) return null;
    this.#searched.delete(name);
    throw new Unsteady('no block of the chain holds an event that a node reports');
  }

  #note(name: string, found: Found): Found {
    this.#found.set(name, found.transaction);
    this.#searched.delete(name);
    return found;
  }

  /** With half as many blocks at once if nodes refuse as many, and with more again next time. */
  async #searchFitting(look: EvmLook, query: EventQuery & { readonly name: string; readonly gone: Set<string> }) {
    for (;;) {
      try {
        const found = await this.#search(look, query);
        this.#range = Math.min(this.#most, this.#range * 2);
        return found;
      } catch (error) {
        if (!(error instanceof RangeTooWide) || this.#range === 1) throw error;
        this.#range = Math.ceil(this.#range / 2);
      }
    }
  }

  async #search(
    look: EvmLook,
    { name, ...query }: EventQuery & { readonly name: string; readonly gone: Set<string> },
  ): Promise<Found | null | 'unread'> {
    const { head } = look;
    const most = MOST_CHUNKS * this.#range;
    const before = await this.#before(look, name);
    // Continues below the last search, and above it with new blocks and the last ones before them, which a node may not have indexed yet.
    const above = before === null ? head.number + 1 : Math.max(before.low, before.high + 1 - this.#again(), query.from);
    const below = before === null ? head.number : before.low - 1;
    const low = Math.max(query.from, below - most + 1);
    const found = await this.#searchIn(look, { ...query, from: above, to: head.number });
    if (found !== null) return found;
    const note = (lowest: number): void =>
      void this.#searched.set(name, { low: lowest, high: head.number, hash: head.hash });
    const older = await this.#searchIn(look, { ...query, from: low, to: below, note });
    if (older !== null) return older;
    note(low);
    return low <= query.from ? null : 'unread';
  }

  /** How many of the newest searched blocks are searched again. */
  #again(): number {
    return Math.min(this.#most, AT_ONCE * this.#range);
  }

  /** What was searched earlier, if its blocks still exist and little has come since. */
  async #before(look: EvmLook, name: string): Promise<Searched | null> {
    const before = this.#searched.get(name);
    if (before === undefined || look.head.number - before.high > MOST_CHUNKS * this.#range) return null;
    return (await look.block(before.high))?.hash === before.hash ? before : null;
  }

  /** `note` hears how far down the search got, so that a search that is too slow continues there. */
  async #searchIn(look: EvmLook, { from, to, note, gone, ...query }: Searching): Promise<Found | null> {
    let atOnce = 1;
    for (let high = to; high >= from; atOnce = AT_ONCE) {
      const chunks: LogRange[] = [];
      for (; high >= from && chunks.length < atOnce; high -= this.#range)
        chunks.push({ contract: query.contract, from: Math.max(from, high - this.#range + 1), to: high });
      for (const logs of await Promise.all(chunks.map((chunk) => look.logs(chunk)))) {
        const found = await reportedIn(look, { ...query, logs, gone });
        if (found !== null) return found;
      }
      note?.(Math.max(from, high + 1));
    }
    return null;
  }
}

function nameOf({ kind, contract, id }: Pick<EventQuery, 'kind' | 'contract' | 'id'>): string {
  return `${kind} ${contract} ${id}`;
}

type Candidates = SwapEventQuery & { readonly ids: readonly string[] };

async function firstIn(look: EvmLook, { ids, ...query }: Candidates): Promise<Found | null> {
  const found = await Promise.all(ids.map((id) => foundIn(look, id, query)));
  return found.find((one) => one !== null) ?? null;
}

type Reported = SwapEventQuery & Pick<Searching, 'gone'> & { readonly logs: Logs };

/**
 * The event among what nodes report about some blocks. An event occurs once, so each node may name one transaction, and its receipt decides: one that a node
 * makes up must not hide the one that others name. If no receipt can be read, what enough nodes report alike counts.
 */
async function reportedIn(look: EvmLook, { logs, gone, ...query }: Reported): Promise<Found | null> {
  const named = logs.told.flatMap((one) => one.findLast((log) => isSwapEvent(log, query)) ?? []);
  const ids = [...new Set(named.map(({ transaction }) => transaction))].filter((id) => !gone.has(id));
  // A caller that looks for it also needs its bytes.
  const [found] = await Promise.all([
    firstIn(look, { ...query, ids }).catch((error: unknown) => {
      const alike = alikeIn(named, { ...query, need: logs.need });
      if (error instanceof BackendSilent && alike !== null) return alike;
      throw error;
    }),
    ...ids.map((id) => look.transaction(id).catch(() => null)),
  ]);
  if (found === null) for (const id of ids) gone.add(id);
  return found;
}

type Alike = Pick<SwapEventQuery, 'kind'> & { readonly need: number };

function alikeIn(named: readonly Log[], { kind, need }: Alike): Found | null {
  const nameOfLog = ({ transaction, block, data }: Log): string => `${transaction} ${block} ${data}`;
  const log = named.find((one) => named.filter((other) => nameOfLog(other) === nameOfLog(one)).length >= need);
  if (log === undefined) return null;
  const { transaction, block } = log;
  return { transaction, block, secret: secretTold(log, kind), isUnread: true };
}

/** The event in the receipt of its transaction, if a block of this look holds it. */
async function foundIn(look: EvmLook, transaction: string, query: SwapEventQuery): Promise<Found | null> {
  const receipt = await look.receipt(transaction);
  const log = receipt?.logs.find((one) => isSwapEvent(one, query));
  if (receipt === null || log === undefined || !receipt.succeeded) return null;
  return { transaction, block: receipt.block, secret: secretTold(log, query.kind) };
}
