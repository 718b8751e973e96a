import type { Clock } from '../../../ports/clock.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import { millisOf } from '../../../primitives/time.ts';
import { BackendSilent } from '../reader.ts';
import {
  ConnectionLost,
  type ConnectionOptions,
  connectElectrum,
  type ElectrumAnswer,
  type ElectrumCall,
  type ElectrumConnection,
} from './connection.ts';
import { type ElectrumServer, hopeless } from './server.ts';

export type ServersOptions = {
  /** By priority: the first one is the best. Of two with one url the later one counts. */
  readonly servers: readonly ElectrumServer[];
  /** Fewest connections that are kept, at least 1. */
  readonly minConnected: number;
  /** Most connections that are kept, at least `minConnected`. */
  readonly maxConnected: number;
  readonly clock: Clock;
  /** Name and version that servers are told. */
  readonly client: string;
  /** @defaultValue over TCP or TLS */
  readonly connect?: (options: ConnectionOptions) => Promise<ElectrumConnection>;
};

/** The servers of one coin, of which some are connected. */
export interface ElectrumServers {
  /** Asks connected servers one by one, the best first, then all others. @throws BackendSilent when none answers */
  batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]>;
  /** Called when a server says something of its own accord, or another one is asked from now on. */
  onNews(told: () => void): { readonly close: () => void };
  /** Urls of the servers that are kept connected, the best first. */
  connected(): readonly string[];
  close(): void;
}

/** Versions of the protocol that are spoken. */
const PROTOCOL = ['1.2', '1.4'];

/** First and longest time for which a server that let the connection go is left alone, in milliseconds. */
const FIRST_SUSPENSION = 10_000;
const LONGEST_SUSPENSION = 12 * 3_600_000;
/** How often better servers are looked for, and how soon again while too few are connected. */
const CALM_MS = 300_000;
const HURRY_MS = 1000;

type Known = {
  readonly server: ElectrumServer;
  readonly priority: number;
  suspension: number;
  suspendedUntil: number;
  /** Why it is never asked again; null while it may be. */
  gone: string | null;
  connection: ElectrumConnection | null;
  /** While it is being connected to: whoever needs it waits for the same. */
  connecting: Promise<void> | null;
};

/**
 * Keeps some of the servers connected, the best of those that answer (`activation.md` §6): one is connected after another, in
 * the order of their priority, until as many are as may be; a better one takes the place of the worst.
 */
export function keepServers(options: ServersOptions): ElectrumServers {
  return new KeptServers(options);
}

class KeptServers implements ElectrumServers {
  readonly #options: ServersOptions;
  readonly #known: readonly Known[];
  readonly #told = new Set<() => void>();
  #closed = false;
  #wake = (): void => {};

  constructor(options: ServersOptions) {
    this.#options = options;
    const byUrl = new Map(options.servers.map((server, priority) => [server.url, { server, priority }]));
    this.#known = [...byUrl.values()]
      .sort((left, right) => left.priority - right.priority)
      .map((one) => ({
        ...one,
        suspension: FIRST_SUSPENSION,
        suspendedUntil: 0,
        gone: hopeless(one.server),
        connection: null,
        connecting: null,
      }));
    void this.#maintain();
  }

  onNews(told: () => void): { readonly close: () => void } {
    this.#told.add(told);
    return { close: () => void this.#told.delete(told) };
  }

  connected(): readonly string[] {
    return this.#kept().map(({ server }) => server.url);
  }

  async batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    const failures = new Map<string, string>(
      this.#known.flatMap(({ server, gone }) => (gone === null ? [] : [[server.url, gone]])),
    );
    const asked = new Set<Known>();
    for (const known of this.#kept()) {
      asked.add(known);
      const answers = await this.#ask(known, calls).catch(
        (error: unknown) => void failures.set(known.server.url, reasonOf(error)),
      );
      if (answers !== undefined) return answers;
    }
    for (const known of this.#known) {
      if (asked.has(known) || known.gone !== null || this.#closed) continue;
      const answers = await this.#askOnce(known, calls).catch(
        (error: unknown) => void failures.set(known.server.url, reasonOf(error)),
      );
      if (answers !== undefined) return answers;
    }
    const told = [...failures].map(([url, why]) => `${url}: ${why}`).join('; ');
    throw new BackendSilent(`no Electrum server answers (${told === '' ? 'none is known' : told})`);
  }

  close(): void {
    this.#closed = true;
    this.#wake();
    for (const { connection } of this.#known) connection?.close('not needed any more');
  }

  #kept(): readonly Known[] {
    return this.#known.filter(({ connection }) => connection !== null);
  }

  async #ask({ connection }: Known, calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    if (connection === null) throw new ConnectionLost('not connected');
    return connection.batch(calls);
  }

  /** Of a server that is not kept: it is let go after the answer, unless there is room for it. */
  async #askOnce(known: Known, calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    if (known.connection === null) await this.#connect(known);
    try {
      return await this.#ask(known, calls);
    } finally {
      this.#evict();
    }
  }

  /** @throws ConnectionLost */
  #connect(known: Known): Promise<void> {
    known.connecting ??= this.#open(known).finally(() => {
      known.connecting = null;
    });
    return known.connecting;
  }

  async #open(known: Known): Promise<void> {
    const { clock, connect = connectElectrum } = this.#options;
    try {
      const connection = await connect({ server: known.server, clock, onNotification: () => this.#tell() });
      await greet(connection, this.#options.client);
      if (this.#closed) connection.close('not needed any more');
      known.connection = connection;
      known.suspension = FIRST_SUSPENSION;
      void connection.ended.then(() => this.#lost(known));
      this.#tell();
    } catch (error) {
      if (error instanceof WrongVersion) known.gone = error.message;
      this.#suspend(known);
      throw error;
    }
  }

  #lost(known: Known): void {
    known.connection = null;
    this.#suspend(known);
    if (this.#closed) return;
    this.#tell();
    if (this.#kept().length < this.#options.minConnected) this.#wake();
  }

  #tell(): void {
    for (const told of [...this.#told]) told();
  }

  #suspend(known: Known): void {
    known.suspendedUntil = this.#options.clock.now() + known.suspension;
    known.suspension = Math.min(2 * known.suspension, LONGEST_SUSPENSION);
  }

  /** Lets go of the worst ones beyond as many as may be kept. */
  #evict(): void {
    for (const { connection } of this.#kept().slice(this.#options.maxConnected))
      connection?.close('a better server is there');
  }

  async #maintain(): Promise<void> {
    while (!this.#closed) {
      const tried = new Set<Known>();
      for (let next = this.#candidate(tried); next !== undefined; next = this.#candidate(tried)) {
        tried.add(next);
        await this.#connect(next).catch(() => undefined);
        if (this.#closed) return;
        this.#evict();
      }
      await this.#pause(this.#kept().length < this.#options.minConnected ? HURRY_MS : CALM_MS);
    }
  }

  /** Whom it is worth to connect to next: the best that is not tried yet. Suspended ones only where the others are too few. */
  #candidate(tried: ReadonlySet<Known>): Known | undefined {
    const { minConnected, maxConnected, clock } = this.#options;
    const kept = this.#kept();
    const worst = kept.length < maxConnected ? Number.POSITIVE_INFINITY : (kept.at(-1)?.priority ?? 0);
    const idle = this.#known.filter(
      (known) => known.connection === null && known.gone === null && known.priority < worst && !tried.has(known),
    );
    const ready = idle.filter(({ suspendedUntil }) => suspendedUntil <= clock.now());
    return ready[0] ?? (kept.length < minConnected ? idle[0] : undefined);
  }

  #pause(milliseconds: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.wakeAt(millisOf(clock.now() + milliseconds), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** The server speaks no version that is spoken here. */
class WrongVersion extends Error {}

async function greet(connection: ElectrumConnection, client: string): Promise<void> {
  const [answer] = await connection.batch([['server.version', client, PROTOCOL]]);
  if (answer !== undefined && 'result' in answer && isSpoken(answer.result)) return;
  const why =
    answer !== undefined && 'error' in answer ? answer.error.message : 'it speaks another version of the protocol';
  connection.close(why);
  throw new WrongVersion(why);
}

/** The answer is the server's own name and the version that both speak from now on. */
function isSpoken(answer: JsonValue): boolean {
  const version = Array.isArray(answer) ? answer[1] : null;
  return typeof version === 'string' && /^1\.[234](?:\.|$)/.test(version);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
