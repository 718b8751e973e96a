import type { EventLog, StreamSummary } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { isJsonObject } from '../primitives/json.ts';
import { type Millis, millisOf, type Seconds } from '../primitives/time.ts';

/** Blocks are read from the tip on: no swap of the log has anything in an earlier one. */
export const FROM_THE_TIP = Number.MAX_SAFE_INTEGER;

/**
 * Blocks before the start of a swap in which its transactions are looked for. They were made after it; but the height may have come from a
 * node that was ahead of others, and a reorganization may give them a place below it.
 */
const BEFORE_THE_START = 144;

/** How long before its end a swap that ended lately may have begun. */
const LONGEST_SWAP = millisOf(31 * 86_400_000);

const OWN_SWAP = /^(?:maker|taker)-swap\/(.*)$/;

export type BirthsOptions = {
  readonly log: EventLog;
  readonly now: () => Millis;
  /** How long the end of a swap is watched after it. */
  readonly guardFor: Seconds;
};

/**
 * From which block on the chain of each coin has to be known for the swaps of a log: a wallet that reads from the tip on would never see what
 * a swap paid before the node was stopped.
 *
 * - J4: the birth of a coin is at most the start of each swap with it that still needs its chain.
 * - J5: it never rises while the coin is active; what comes into the log meanwhile lowers it.
 *
 * A swap of which the log does not tell the start, as records from before June 2019 do not, lowers nothing: its payments are looked for in the
 * whole chain, whatever the birth.
 */
export class Births {
  readonly #options: BirthsOptions;
  readonly #heights = new Map<string, number>();
  /** By coin and swap. */
  readonly #keys = new Map<string, Map<string, string>>();
  /** Until when the end of a swap is watched, by swap; none for a running one. */
  readonly #ends = new Map<string, Millis>();
  /** By coin and swap. */
  readonly #contracts = new Map<string, Map<string, string>>();

  constructor(options: BirthsOptions) {
    this.#options = options;
  }

  /** What is known by now; {@link FROM_THE_TIP} where nothing is. */
  of(coin: string): number {
    return this.#heights.get(coin) ?? FROM_THE_TIP;
  }

  /** Reads it anew for a coin that is about to be activated. @throws what the log throws */
  async load(coin: string): Promise<number> {
    this.#heights.delete(coin);
    this.#keys.delete(coin);
    this.#contracts.delete(coin);
    for (const { stream, lastAt, labels } of await this.#needing(coin)) {
      // A taker's order has the uuid of its swap, and is over when that begins.
      const [, swap] = OWN_SWAP.exec(stream) ?? [];
      if (swap !== undefined && labels.finished === true)
        this.#ends.set(swap, millisOf(lastAt + this.#options.guardFor * 1000));
      else if (swap !== undefined) this.#ends.delete(swap);
      await this.include(stream);
    }
    return this.of(coin);
  }

  /** The chains are needed for this stream as well. One that cannot be read needs nothing. */
  async include(stream: string): Promise<void> {
    const { log } = this.#options;
    if (log.quarantined().some((damaged) => damaged.stream === stream)) return;
    this.note(await log.read(stream));
  }

  /** By the uuid of each own swap that needs the chain of a coin: the own key of its payments there, in hex. */
  keysOf(coin: string): ReadonlyMap<string, string> {
    return this.#keys.get(coin) ?? new Map();
  }

  /** By the uuid of each own swap that needs the chain of a coin: the swap contract of its payments there, in lower-case hex; none of outputs. */
  contractsOf(coin: string): ReadonlyMap<string, string> {
    return this.#contracts.get(coin) ?? new Map();
  }

  /** Until when the end of a swap that needs the chain of a coin is watched; null for one that runs. */
  watchedUntil(swap: string): Millis | null {
    return this.#ends.get(swap) ?? null;
  }

  /** The same for records of one stream, whether or not they are in the log. */
  note(records: readonly Pick<Envelope, 'data'>[]): void {
    for (const { coin, height } of records.flatMap(startsIn)) {
      this.#heights.set(coin, Math.min(this.of(coin), Math.max(0, height - BEFORE_THE_START)));
    }
    for (const { coin, swap, key } of records.flatMap(keysIn)) {
      this.#keys.set(coin, new Map(this.keysOf(coin)).set(swap, key));
    }
    for (const { coin, swap, contract } of contractsIn(records)) {
      this.#contracts.set(coin, new Map(this.contractsOf(coin)).set(swap, contract));
    }
  }

  /** Streams that are not over, or ended so lately that their end is still watched. */
  async #needing(coin: string): Promise<readonly StreamSummary[]> {
    const { log, now, guardFor } = this.#options;
    const since = now() - guardFor * 1000;
    const from = millisOf(Math.max(0, since - LONGEST_SWAP));
    const unfinished = await log.find({ coin, finished: false });
    const ended = await log.find({ coin, finished: true, from });
    return [...unfinished, ...ended.filter(({ lastAt }) => lastAt >= since)];
  }
}

type Start = { readonly coin: string; readonly height: number };

/** An own swap tells it in `Started`. What a watch names is a stranger's word, for which no chain is read from its first block on. */
function startsIn({ data }: Pick<Envelope, 'data'>): readonly Start[] {
  if (!isJsonObject(data)) return [];
  return (['maker', 'taker'] as const).flatMap((leg) => {
    const [coin, height] = [data[`${leg}_coin`], data[`${leg}_coin_start_block`]];
    return typeof coin === 'string' && typeof height === 'number' ? [{ coin, height }] : [];
  });
}

type OwnKey = { readonly coin: string; readonly swap: string; readonly key: string };

/** An own swap tells them in `Started`: of each coin, or one for both. */
function keysIn({ data }: Pick<Envelope, 'data'>): readonly OwnKey[] {
  if (!isJsonObject(data)) return [];
  const { uuid, my_persistent_pub: usual } = data;
  // A request has the node's own key, whatever those of the coins are; only `Started` has a time.
  if (typeof uuid !== 'string' || typeof usual !== 'string' || typeof data['started_at'] !== 'number') return [];
  return (['maker', 'taker'] as const).flatMap((leg) => {
    const coin = data[`${leg}_coin`];
    const key = data[`${leg}_coin_htlc_pubkey`] ?? usual;
    return typeof coin === 'string' && typeof key === 'string' ? [{ coin, swap: uuid, key }] : [];
  });
}

type OwnContract = { readonly coin: string; readonly swap: string; readonly contract: string };

/** An own swap tells in `Started` which it proposes, and in `Negotiated`, which names no coins, what was agreed on. */
function contractsIn(records: readonly Pick<Envelope, 'data'>[]): readonly OwnContract[] {
  const told = records.flatMap(({ data }) => (isJsonObject(data) ? [data] : []));
  const started = told.find((data) => typeof data['started_at'] === 'number' && typeof data['uuid'] === 'string');
  if (started === undefined) return [];
  return (['maker', 'taker'] as const).flatMap((leg) => {
    const coin = started[`${leg}_coin`];
    const agreed = told.map((data) => data[`${leg}_coin_swap_contract_addr`]).find((one) => typeof one === 'string');
    const contract = agreed ?? started[`${leg}_coin_swap_contract_address`];
    if (typeof coin !== 'string' || typeof contract !== 'string') return [];
    return [{ coin, swap: String(started['uuid']), contract: contract.toLowerCase().replace(/^0x/, '') }];
  });
}
