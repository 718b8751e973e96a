import type { Duplex } from 'node:stream';
import type { Clock } from '../../ports/clock.ts';
import { stringifyJson } from '../../primitives/json.ts';
import { type HeldBytes, type LineLimits, LineSplitter } from './line-splitter.ts';
import type { ElectrumSession } from './method.ts';
import { ELECTRUM_CODE } from './rpc-error.ts';

export type ConnectionLimits = LineLimits & {
  /** Most requests of one connection to answer at a time; meanwhile it is not read further. */
  readonly requests: number;
  /** Bytes that a client may leave unread before a notification cuts it off. */
  readonly unread: number;
  /** Most bytes that all clients together may leave unread; the one whose answer exceeds it is cut off. */
  readonly mostUnread: number;
  /** Milliseconds after which a client that reads nothing of what waits for it is cut off. */
  readonly stallMs: number;
  /** Milliseconds after which a client that asks nothing is cut off. */
  readonly idleMs: number;
};

export type ConnectionOptions = {
  readonly limits: ConnectionLimits;
  readonly held: HeldBytes;
  readonly clock: Clock;
  /** The answer to a line; null for none. It never throws. */
  readonly answer: (line: string, session: ElectrumSession) => Promise<string | null>;
  readonly onEnd: (connection: Connection) => void;
};

/** One client: reads lines, answers them as they are ready, and tells what it has subscribed to. */
export class Connection {
  readonly session: ElectrumSession;
  readonly #socket: Duplex;
  readonly #options: ConnectionOptions;
  readonly #splitter: LineSplitter;
  /** Lines that wait for their turn. */
  readonly #waiting: string[] = [];
  #answering = 0;
  /** Bytes that the system has not taken yet. */
  #unread = 0;
  #isGone = false;
  #heardAt: number;
  #sentAt: number;

  constructor(socket: Duplex, options: ConnectionOptions) {
    const { clock, held, limits } = options;
    this.#socket = socket;
    this.#options = options;
    this.#splitter = new LineSplitter(held, limits);
    this.#heardAt = clock.now();
    this.#sentAt = this.#heardAt;
    this.session = {
      version: null,
      ending: false,
      headers: false,
      statuses: new Map(),
      tell: (method, params) => this.#tell(stringifyJson({ jsonrpc: '2.0', method, params })),
    };
    socket.on('data', (chunk: Buffer) => this.#heard(chunk));
    socket.on('drain', () => this.#next());
    // Told by 'close' as well, which always comes; an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#gone());
  }

  /** Cuts off a client that asks nothing, or reads nothing, for too long. */
  sweep(): void {
    const { clock, limits } = this.#options;
    const now = clock.now();
    const isStalled = this.#unread > 0 && now - this.#sentAt > limits.stallMs;
    const isIdle = this.#answering === 0 && now - this.#heardAt > limits.idleMs;
    if (isStalled || isIdle) this.end();
  }

  end(): void {
    this.#socket.destroy();
  }

  #heard(chunk: Buffer): void {
    if (this.session.ending) return;
    this.#heardAt = this.#options.clock.now();
    const { lines, problem } = this.#splitter.take(chunk);
    this.#waiting.push(...lines.filter((line) => line.trim() !== ''));
    if (problem !== undefined) {
      const message =
        problem === 'tooLong'
          ? `a line has at most ${this.#options.limits.most} bytes`
          : 'the server holds too many unfinished lines: try again later';
      this.#send(stringifyJson({ jsonrpc: '2.0', error: { code: ELECTRUM_CODE.request, message }, id: null }));
      this.session.ending = true;
    }
    this.#next();
  }

  /** Answers what waits, as far as may be at a time, and reads on only once nothing waits and the client has read its answers. */
  #next(): void {
    const { limits } = this.#options;
    while (this.#waiting.length > 0 && this.#answering < limits.requests && !this.#isFull() && !this.session.ending) {
      this.#answering += 1;
      void this.#answer(this.#waiting.shift() as string);
    }
    if (this.session.ending) {
      if (this.#answering === 0 && !this.#socket.writableEnded) this.#socket.end();
      // Further input is dropped, so that the end reaches the client.
      this.#waiting.length = 0;
      this.#splitter.release();
    }
    if (this.#waiting.length > 0 || this.#isFull()) this.#socket.pause();
    else this.#socket.resume();
  }

  #isFull(): boolean {
    return this.#socket.writableNeedDrain;
  }

  async #answer(line: string): Promise<void> {
    const text = await this.#options.answer(line, this.session);
    this.#answering -= 1;
    if (text !== null) this.#send(text);
    this.#next();
  }

  #tell(text: string): void {
    if (this.#socket.writableLength > this.#options.limits.unread) this.end();
    else this.#send(text);
  }

  #send(text: string): void {
    const socket = this.#socket;
    const { held, limits, clock } = this.#options;
    if (socket.destroyed || socket.writableEnded) return;
    const bytes = Buffer.from(`${text}\n`);
    if (held.unread + bytes.length > limits.mostUnread) {
      this.end();
      return;
    }
    if (this.#unread === 0) this.#sentAt = clock.now();
    this.#unread += bytes.length;
    held.unread += bytes.length;
    socket.write(bytes, () => {
      if (this.#isGone) return;
      this.#unread -= bytes.length;
      held.unread -= bytes.length;
      this.#sentAt = clock.now();
    });
  }

  #gone(): void {
    this.#isGone = true;
    this.#options.held.unread -= this.#unread;
    this.#splitter.release();
    this.#waiting.length = 0;
    this.session.ending = true;
    this.#options.onEnd(this);
  }
}
