import type { Clock } from '../../../ports/clock.ts';
import { foreignText } from '../../../primitives/foreign-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText, parseJson } from '../../../primitives/json.ts';
import { millisOf } from '../../../primitives/time.ts';
import type { ElectrumServerEntry } from './server.ts';
import { ConnectionLost, LONGEST_MESSAGE, openTransport, type Transport } from './transport.ts';

/** The outcome of a call: its result, or the server's own error. */
export type ElectrumAnswer =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

export type ElectrumCall = readonly [method: string, ...params: unknown[]];

/** One connection to one server. It ends for good when anything is wrong with it. */
export interface ElectrumConnection {
  /** Answers in the order of the calls. @throws ConnectionLost */
  batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]>;
  /** Called once when it has ended, with the reason. */
  readonly ended: Promise<string>;
  close(reason: string): void;
}

export type ConnectionOptions = {
  readonly server: ElectrumServerEntry;
  readonly clock: Clock;
  /** Called with every notification. */
  readonly onNotification: (method: string, params: readonly JsonValue[]) => void;
};

/** How long an answer may take, in milliseconds, and for how much longer the rest is waited for with each answer that has come. */
const ANSWER_MS = 20_000;
const EACH_MS = 2000;
/** How long a connection may stay without an answer before it is cut. */
const SILENCE_MS = 60_000;
const PING_MS = 30_000;
/** Maximum number of calls in one request. */
const BATCH = 100;
/**
 * Methods whose answers may be long. Servers limit what they answer on one line, all of a batch together, and so does this side: each of these is
 * asked on a line of its own, or someone who sends a wallet many large transactions would keep it from reading any.
 */
const LONG = new Set([
  'blockchain.transaction.get',
  // Its real name.
  'blochchain.transaction.get_receipt',
  'blockchain.scripthash.get_history',
  'blockchain.contract.event.get_history',
]);

/** Connects to a server. @throws ConnectionLost if this takes longer than the server's timeout, or fails */
export async function connectElectrum(options: ConnectionOptions): Promise<ElectrumConnection> {
  const { server, clock } = options;
  return new LineConnection(await openTransport(server, clock), options);
}

type Waiting = { readonly done: (answer: ElectrumAnswer) => void };

class LineConnection implements ElectrumConnection {
  readonly ended: Promise<string>;
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<number, Waiting>();
  #end: (reason: string) => void = () => {};
  #over: string | null = null;
  #next = 0;
  readonly #pieces: string[] = [];
  #length = 0;
  #heardAt: number;
  #cancelPing = (): void => {};

  constructor(transport: Transport, options: ConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#heardAt = options.clock.now();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    transport.listen({ heard: (text) => this.#hear(text), ended: (reason) => this.close(reason) });
    this.#keepAlive();
  }

  async batch(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    const answers: ElectrumAnswer[] = [];
    for (let from = 0; from < calls.length; from += BATCH)
      answers.push(...(await this.#ask(calls.slice(from, from + BATCH))));
    return answers;
  }

  close(reason: string): void {
    if (this.#over !== null) return;
    this.#over = reason;
    this.#cancelPing();
    this.#transport.destroy();
    const failed = { error: { code: 0, message: reason } };
    for (const { done } of [...this.#waiting.values()]) done(failed);
    this.#end(reason);
  }

  async #ask(calls: readonly ElectrumCall[]): Promise<readonly ElectrumAnswer[]> {
    if (this.#over !== null) throw new ConnectionLost(this.#over);
    const { clock } = this.#options;
    const requests = calls.map(([method, ...params]) => {
      const id = this.#next;
      this.#next += 1;
      return { jsonrpc: '2.0', id, method, params };
    });
    let left = requests.length;
    let cancel = (): void => {};
    const extend = (): void => {
      cancel();
      const until = started + ANSWER_MS + EACH_MS * (requests.length - left);
      if (left > 0) cancel = clock.wakeAt(millisOf(until), () => this.close('no answer in time'));
    };
    const started = clock.now();
    const answers = requests.map(
      ({ id }) =>
        new Promise<ElectrumAnswer>((resolve) => {
          const done = (answer: ElectrumAnswer): void => {
            this.#waiting.delete(id);
            left -= 1;
            extend();
            resolve(answer);
          };
          this.#waiting.set(id, { done });
        }),
    );
    const short = requests.filter(({ method }) => !LONG.has(method));
    const [only] = short;
    if (only !== undefined) this.#transport.send(JSON.stringify(short.length === 1 ? only : short));
    for (const request of requests) if (LONG.has(request.method)) this.#transport.send(JSON.stringify(request));
    extend();
    try {
      const found = await Promise.all(answers);
      if (this.#over !== null) throw new ConnectionLost(this.#over);
      return found;
    } finally {
      cancel();
      for (const { id } of requests) this.#waiting.delete(id);
    }
  }

  #hear(chunk: string): void {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0 && this.#over === null; end = chunk.indexOf('\n', from)) {
      const line = [...this.#pieces.splice(0), chunk.slice(from, end)].join('');
      this.#length = 0;
      from = end + 1;
      if (line.trim() !== '') this.#take(line);
    }
    // Joins the pieces of a line once, at its end: searching all of them each time is quadratic in its length.
    this.#pieces.push(chunk.slice(from));
    this.#length += chunk.length - from;
    if (this.#length > LONGEST_MESSAGE) this.close('it sent a line above the size limit');
  }

  #take(line: string): void {
    let value: JsonValue;
    try {
      value = parseJson(line);
    } catch {
      this.close('it sent a line that is not JSON');
      return;
    }
    this.#heardAt = this.#options.clock.now();
    const messages: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    for (const message of messages) if (isJsonObject(message)) this.#deliver(message);
  }

  #deliver(message: JsonObject): void {
    const { id = null, method, params, error = null, result = null } = message;
    if (typeof method === 'string') {
      this.#options.onNotification(method, Array.isArray(params) ? params : []);
      return;
    }
    const waiting = this.#waiting.get(Number(numberText(id) ?? Number.NaN));
    waiting?.done(error === null ? { result } : { error: readError(error) });
  }

  #keepAlive(): void {
    const { clock } = this.#options;
    this.#cancelPing = clock.wakeAt(millisOf(clock.now() + PING_MS), () => {
      if (clock.now() - this.#heardAt >= SILENCE_MS) {
        this.close('it sent nothing for a minute');
        return;
      }
      void this.batch([['server.ping']]).catch(() => {});
      this.#keepAlive();
    });
  }
}

/** Some servers send an object, others a text, of any length. */
function readError(error: JsonValue): { readonly code: number; readonly message: string } {
  if (!isJsonObject(error)) {
    return { code: 1, message: foreignText(typeof error === 'string' ? error : JSON.stringify(error)) };
  }
  const { code = null, message = '' } = error;
  const text = typeof message === 'string' ? message : message === null ? '' : JSON.stringify(message);
  return { code: Number(numberText(code) ?? 1), message: foreignText(text) };
}
