import type { Clock } from '../../../ports/clock.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import { millisOf } from '../../../primitives/time.ts';
import {
  type ConnectionOptions,
  connectElectrum,
  type ElectrumAnswer,
  type ElectrumCall,
  type ElectrumConnection,
} from './connection.ts';
import { Lag } from './lag.ts';
import type { ElectrumVoice, Panel, Told } from './panel.ts';
import { type ElectrumServerEntry, hopeless } from './server.ts';
import { survey } from './survey.ts';
import { ConnectionLost } from './transport.ts';

export type ServersOptions = {
  /** By priority, the best first. Of two with the same URL the later one counts. */
  readonly servers: readonly ElectrumServerEntry[];
  /** Minimum number of connections, at least 1. */
  readonly minConnected: number;
  /** Maximum number of connections, at least `minConnected`. */
  readonly maxConnected: number;
  readonly clock: Clock;
  /** Client name and version to announce to servers. */
  readonly client: string;
  /**
   * How many servers must agree before money depends on an answer; as many are kept connected, whatever `maxConnected` says.
   *
   * @defaultValue 2, or 1 where no more is there
   */
  readonly quorum?: number;
  /** Whose word it is what the server of a url says. Of those with one voice one is kept connected at a time. @defaultValue each has its own */
  readonly voiceOf?: (url: string) => string;
  /** Called for a server that lags or gives false answers. */
  readonly onAlarm?: (alarm: { readonly url: string; readonly why: string }) => void;
  /** @defaultValue over TCP or TLS */
  readonly connect?: (options: ConnectionOptions) => Promise<ElectrumConnection>;
};

/** The servers of one coin, some of them connected. */
export interface ElectrumServers {
  /** Asks connected servers one by one, the best first, then all others. @throws BackendSilent when none answers */
  batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]>;
  readonly panel: Panel;
  /** Called when a server sends a notification, or another server takes over. */
  onNews(told: () => void): { readonly close: () => void };
  /** URLs of the connected servers, the best first. */
  connected(): readonly string[];
  close(): void;
}

/** Supported versions of the protocol. */
const PROTOCOL = ['1.2', '1.4'];

/** Shortest and longest pause before reconnecting to a server that closed the connection, in milliseconds. */
const FIRST_SUSPENSION = 10_000;
const LONGEST_SUSPENSION = 12 * 3_600_000;
/** How often better servers are looked for; and how soon again while too few are connected, at most so often one server. */
const CALM_MS = 300_000;
const HURRY_MS = 1000;
/** A connection that lasts this long resets the pause. The pause grows each time for a server that comes and goes. */
const LASTING_MS = 60_000;
/** First pause for a server that lied or lagged, in milliseconds; it doubles each time. */
const FIRST_BAR = 60_000;
const QUORUM = 2;
/**
 * How soon a server that failed is tried again, in milliseconds, where the others are too few to settle anything: a swap that waits
 * for them has a deadline, and one that lies still settles nothing alone.
 */
const NEEDED_MS = 60_000;

type Known = {
  readonly server: ElectrumServerEntry;
  readonly voice: string;
  readonly priority: number;
  suspension: number;
  suspendedUntil: number;
  bar: number;
  barredUntil: number;
  /** When it was last tried; null if never. */
  dialledAt: number | null;
  /** When it last failed, lied or lagged. */
  failedAt: number;
  readonly lag: Lag;
  /** Why it is never asked again; null otherwise. */
  gone: string | null;
  connection: ElectrumConnection | null;
  /** The connection under way, which all callers share. */
  connecting: Promise<void> | null;
};

/**
 * Keeps some of the servers connected, the best of those that answer (as in the real node): one is connected after another, in
 * the order of their priority, until as many are as may be; a better one takes the place of the worst.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { keepServers, type ServersOptions } from 'swapfold/chains/utxo';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const connect: ServersOptions['connect'] = async ({ server: { url } }) => ({
 *   batch: async (calls) => calls.map(([method]) => ({ result: [`${method} of ${url}`, '1.4'] })),
 *   ...{ ended: new Promise(() => {}), close() {} },
 * });
 * const over = { protocol: 'SSL', disableCertVerification: false, timeoutMs: 20_000 } as const;
 * const list = [{ url: 'a.example:50002', ...over }, { url: 'b.example:50002', ...over }];
 * const kept = { servers: list, minConnected: 1, maxConnected: 1, client: 'example', connect };
 * const servers = keepServers({ ...kept, clock: createVirtualClock(millisOf(1_700_000_000_000)) });
 * await servers.batch([['banner']]); // → [{ result: ['banner of a.example:50002', '1.4'] }]
 * servers.panel.quorum; // → 2
 * servers.close();
 * ```
 */
export function keepServers(options: ServersOptions): ElectrumServers {
  return new KeptServers(options);
}

class KeptServers implements ElectrumServers {
  readonly panel: Panel;
  readonly #options: ServersOptions;
  readonly #known: readonly Known[];
  readonly #voices: number;
  /** Connections, one per voice. */
  readonly #fewest: number;
  readonly #told = new Set<() => void>();
  /** URLs of servers that keep others waiting. */
  readonly #late = new Set<string>();
  #closed = false;
  #wake = (): void => {};

  constructor(options: ServersOptions) {
    this.#options = options;
    const byUrl = new Map(options.servers.map((server, priority) => [server.url, { server, priority }]));
    this.#known = [...byUrl.values()]
      .sort((left, right) => left.priority - right.priority)
      .map((one) => ({
        ...one,
        voice: options.voiceOf?.(one.server.url) ?? one.server.url,
        suspension: FIRST_SUSPENSION,
        suspendedUntil: 0,
        bar: FIRST_BAR,
        barredUntil: 0,
        dialledAt: null,
        failedAt: 0,
        lag: new Lag(),
        gone: hopeless(one.server),
        connection: null,
        connecting: null,
      }));
    this.#voices = new Set(this.#known.map(({ voice }) => voice)).size;
    this.#fewest = Math.min(options.minConnected, this.#voices);
    const quorum = Math.min(options.quorum ?? QUORUM, Math.max(1, this.#voices));
    this.panel = {
      quorum,
      survey: (calls, of) => this.#survey(calls, of),
      distrust: (url, why) => {
        const known = this.#known.find(({ server }) => server.url === url);
        if (known !== undefined) this.#bar(known, why);
      },
    };
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
    return (await this.#first(calls)).answers;
  }

  /** The answer of the best server that gives one. */
  async #first(calls: readonly ElectrumCall[]): Promise<Told> {
    const failures = new Map<string, string>(
      this.#known.flatMap(({ server, gone }) => (gone === null ? [] : [[server.url, gone]])),
    );
    const failed =
      ({ server }: Known) =>
      (error: unknown) =>
        void failures.set(server.url, reasonOf(error));
    const asked = new Set<Known>();
    for (const known of this.#kept()) {
      asked.add(known);
      const answers = await this.#ask(known, calls).catch(failed(known));
      if (answers !== undefined) return { voice: this.#voice(known), answers };
    }
    for (const known of this.#known) {
      if (asked.has(known) || known.gone !== null || this.#isBarred(known) || this.#closed) continue;
      const answers = await this.#askOnce(known, calls).catch(failed(known));
      if (answers !== undefined) return { voice: this.#voice(known), answers };
    }
    const told = [...failures].map(([url, why]) => (why.startsWith(`${url}: `) ? why : `${url}: ${why}`)).join('; ');
    throw new BackendSilent(`no Electrum server answers (${told === '' ? 'none is known' : told})`);
  }

  async #survey(calls: readonly ElectrumCall[], of: 'quorum' | 'all'): Promise<readonly Told[]> {
    this.#barLaggards();
    const voices = this.#speaking().map((known) => this.#voice(known));
    const { clock } = this.#options;
    // Servers that still owe an answer come last, so that they cost time only once.
    const inOrder = [
      ...voices.filter(({ url }) => !this.#late.has(url)),
      ...voices.filter(({ url }) => this.#late.has(url)),
    ];
    const onLate = ({ url }: ElectrumVoice): void => void this.#late.add(url);
    const told = await survey(inOrder, { calls, enough: this.panel.quorum, all: of === 'all', clock, onLate });
    return told.length > 0 ? told : [await this.#first(calls)];
  }

  #voice(known: Known): ElectrumVoice {
    return { url: known.server.url, batch: (calls) => this.#ask(known, calls) };
  }

  #barLaggards(): void {
    const speaking = this.#speaking();
    const heights = speaking.flatMap(({ lag }) => lag.height ?? []).sort((left, right) => right - left);
    // The tip of a single server does not prove that another one lags.
    const best = heights[this.panel.quorum - 1];
    if (best === undefined || this.panel.quorum === 1) return;
    for (const known of speaking) {
      const behind = known.lag.behind(best, this.#options.clock.now());
      if (behind > 0) this.#bar(known, `is ${behind} blocks behind the other servers`);
    }
  }

  /** With all servers of its voice. Where that is the only one it is asked on: there is nobody else. */
  #bar({ server, voice }: Known, why: string): void {
    this.#options.onAlarm?.({ url: server.url, why });
    if (this.#voices === 1) return;
    for (const known of this.#known.filter((other) => other.voice === voice)) {
      known.failedAt = this.#options.clock.now();
      known.barredUntil = known.failedAt + known.bar;
      known.bar = Math.min(2 * known.bar, LONGEST_SUSPENSION);
      known.connection?.close(why);
    }
  }

  #isBarred({ barredUntil }: Known): boolean {
    return barredUntil > this.#options.clock.now();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
    for (const { connection } of this.#known) connection?.close('it is no longer needed');
  }

  #kept(): readonly Known[] {
    return this.#known.filter(({ connection }) => connection !== null);
  }

  /** The best connected server of each voice, so that no voice counts twice. */
  #speaking(): readonly Known[] {
    const kept = this.#kept();
    return kept.filter((known) => kept.find(({ voice }) => voice === known.voice) === known);
  }

  async #ask({ connection, server }: Known, calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    if (connection === null) throw new ConnectionLost('not connected');
    try {
      return await connection.batch(calls);
    } finally {
      this.#late.delete(server.url);
    }
  }

  /** For a server that is not kept: disconnected after the answer, unless there is room for it. */
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
    known.dialledAt = clock.now();
    try {
      const connection = await connect({
        server: known.server,
        clock,
        onNotification: (method, [said]) => {
          if (method === HEADERS) known.lag.hear(said);
          this.#tell();
        },
      });
      await greet(connection, this.#options.client);
      known.lag.forget();
      if (this.panel.quorum > 1) await this.#hearTip(known, connection);
      if (this.#closed) connection.close('it is no longer needed');
      known.connection = connection;
      const since = clock.now();
      void connection.ended.then(() => {
        if (clock.now() - since >= LASTING_MS) known.suspension = FIRST_SUSPENSION;
        this.#lost(known);
      });
      this.#tell();
    } catch (error) {
      if (error instanceof WrongVersion) known.gone = error.message;
      this.#suspend(known);
      throw error;
    }
  }

  /** From then on the server announces each new block. */
  async #hearTip({ lag }: Known, connection: ElectrumConnection): Promise<void> {
    const [answer] = await connection.batch([[HEADERS]]);
    if (answer !== undefined && 'result' in answer) lag.hear(answer.result);
  }

  #lost(known: Known): void {
    known.connection = null;
    this.#suspend(known);
    if (this.#closed) return;
    this.#tell();
    if (this.#kept().length < Math.max(this.#fewest, this.panel.quorum)) this.#wake();
  }

  #tell(): void {
    for (const told of [...this.#told]) told();
  }

  #suspend(known: Known): void {
    known.failedAt = this.#options.clock.now();
    // An early try proves nothing new.
    if (known.suspendedUntil > known.failedAt) return;
    known.suspendedUntil = known.failedAt + known.suspension;
    known.suspension = Math.min(2 * known.suspension, LONGEST_SUSPENSION);
  }

  /** Lets go of all but the best one of each voice, and of the worst ones beyond as many as may be kept. */
  #evict(): void {
    const best = this.#speaking().slice(0, this.#most());
    for (const known of this.#kept())
      if (!best.includes(known)) known.connection?.close('a better server is available');
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
      await this.#pause(this.#calm());
    }
  }

  #most(): number {
    return Math.max(this.#options.maxConnected, this.panel.quorum);
  }

  /** Until better servers are looked for; where too few are there to settle anything, until the next one may be asked again. */
  #calm(): number {
    const { clock } = this.#options;
    const kept = this.#kept().length;
    if (kept < this.#fewest) return HURRY_MS;
    if (kept >= this.panel.quorum) return CALM_MS;
    const free = this.#known
      .filter(({ connection, gone }) => connection === null && gone === null)
      .map((known) => this.#freeAt(known) - clock.now());
    return Math.max(HURRY_MS, Math.min(CALM_MS, ...free));
  }

  /** When to connect to a server again at the earliest. */
  #freeAt({ suspendedUntil, barredUntil, failedAt }: Known): number {
    const usual = Math.max(suspendedUntil, barredUntil);
    return this.#kept().length < this.panel.quorum ? Math.min(usual, failedAt + NEEDED_MS) : usual;
  }

  /** Whom it is worth to connect to next: the best that is not tried yet, and of no voice that a better one has. Suspended ones only where the others are too few. */
  #candidate(tried: ReadonlySet<Known>): Known | undefined {
    const { clock } = this.#options;
    const kept = this.#kept();
    const worst = kept.length < this.#most() ? Number.POSITIVE_INFINITY : (kept.at(-1)?.priority ?? 0);
    const idle = this.#known.filter(
      (known) =>
        known.connection === null &&
        known.gone === null &&
        known.priority < worst &&
        !kept.some(({ voice, priority }) => voice === known.voice && priority < known.priority) &&
        !tried.has(known) &&
        (known.dialledAt === null || clock.now() - known.dialledAt >= HURRY_MS),
    );
    const ready = idle.filter((known) => this.#freeAt(known) <= clock.now());
    const suspended = idle.filter((known) => !this.#isBarred(known));
    return ready[0] ?? (kept.length < this.#fewest ? suspended[0] : undefined);
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

const HEADERS = 'blockchain.headers.subscribe';

/** The server supports no common protocol version. */
class WrongVersion extends Error {}

async function greet(connection: ElectrumConnection, client: string): Promise<void> {
  const [answer] = await connection.batch([['server.version', client, PROTOCOL]]);
  if (answer !== undefined && 'result' in answer && isSpoken(answer.result)) return;
  const why =
    answer !== undefined && 'error' in answer ? answer.error.message : 'it speaks another version of the protocol';
  connection.close(why);
  // One that is busy now speaks it later.
  if (answer !== undefined && 'error' in answer && !/version|protocol/i.test(why)) throw new ConnectionLost(why);
  throw new WrongVersion(why);
}

/** The answer names the server and the protocol version from now on. */
function isSpoken(answer: JsonValue): boolean {
  const version = Array.isArray(answer) ? answer[1] : null;
  return typeof version === 'string' && /^1\.[234](?:\.|$)/.test(version);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
