import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Peers } from '../../../src/ports/peers.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';
import { type Life, mortalChain, mortalPeers } from '../mortal.ts';

/** What one party comes by at its inputs and outputs in all its lives, and at which of them it falls. */
export class Reaper {
  readonly passed: string[] = [];
  readonly #at: number | null;

  /** @param at from 1; null where it never falls */
  constructor(at: number | null) {
    this.#at = at;
  }

  /** Where it fell; undefined while it has not. */
  get fellAt(): string | undefined {
    return this.#at === null ? undefined : this.passed[this.#at - 1];
  }

  meets(what: string): boolean {
    this.passed.push(what);
    return this.passed.length === this.#at;
  }
}

type Ports = { readonly log: EventLog; readonly peers: Peers; readonly chains: readonly RuntimeChain[] };
type Falling = { readonly life: Life; readonly reaper: Reaper; readonly onFall: () => void };

/** What a party is given that is over between two instructions: it does nothing from then on, and hears of nothing that is under way. */
export function fallible({ log, peers, chains }: Ports, { life, reaper, onFall }: Falling): Ports {
  const never = new Promise<never>(() => {});
  const alive = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (life.over) return never;
    const found = await work();
    return life.over ? never : found;
  };
  const ends = (what: string): boolean => {
    if (!reaper.meets(what)) return false;
    life.over = true;
    onFall();
    return true;
  };
  const between = <T>(what: string, work: () => T | Promise<T>): Promise<T> =>
    alive(async () => {
      if (ends(`${what}, before`)) return never;
      const found = await work();
      return ends(`${what}, after`) ? never : found;
    });
  const heard = mortalPeers(peers, life);
  return {
    log: {
      append: (batch) => between(`append ${batch.records.map(({ type }) => type).join(' ')}`, () => log.append(batch)),
      read: (stream, from) => alive(() => log.read(stream, from)),
      find: (query) => alive(() => log.find(query)),
      subscribe: (options, onEntry) => log.subscribe(options, (entry) => (life.over ? undefined : onEntry(entry))),
      quarantined: () => log.quarantined(),
      close: () => log.close(),
    },
    peers: {
      ...heard,
      send: (topic, message, options) => between(`message ${message.kind}`, () => heard.send(topic, message, options)),
    },
    chains: chains.map((chain) => ({
      ...mortalChain(chain, life),
      quote: () => alive(() => chain.quote()),
      payment: (query) => alive(() => chain.payment(query)),
      transaction: (hash) => alive(() => chain.transaction(hash)),
      checkFee: (check, forSwap) => alive(() => chain.checkFee(check, forSwap)),
      prepare: (request, forSwap) => alive(() => chain.prepare(request, forSwap)),
      broadcast: (transaction, sending) =>
        between(`broadcast of ${chain.traits.coin}`, () => chain.broadcast(transaction, sending)),
    })),
  };
}
