import { connect, type Socket } from 'node:net';

/** Answers a body that is posted, without a connection. */
export type Answering = (body: string) => Promise<{ readonly status: number; readonly body: string }>;

type Answer = { readonly status: number; readonly text: string };
/** `isLast`: the node closes the connection after it, and perhaps itself. */
type Heard = Answer & { readonly isLast: boolean };

/**
 * What a cell asks costs more by the platform's `fetch` than by all that engine and chains make of it. In its place, for the loopback alone: what is posted
 * goes over connections that are kept, or straight to a node of this process.
 */
export function quickFetch(): {
  readonly serve: (url: string, answer: Answering) => void;
  readonly restore: () => void;
} {
  const plain = globalThis.fetch;
  const served = new Map<string, Answering>();
  const lines = new Map<string, Line>();
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const { body } = init ?? {};
    const { hostname, port, host, pathname, protocol } = new URL(url);
    if (protocol !== 'http:' || hostname !== '127.0.0.1' || init?.method !== 'POST' || typeof body !== 'string')
      return plain(input, init);
    const answering = served.get(host);
    if (answering !== undefined) {
      const { status, body: text } = await answering(body);
      return responseOf({ status, text });
    }
    let line = lines.get(host);
    if (line === undefined) {
      line = new Line(Number(port));
      lines.set(host, line);
    }
    return responseOf(await line.post({ pathname, headers: new Headers(init.headers), body }));
  };
  return {
    serve: (url, answer) => void served.set(new URL(url).host, answer),
    restore() {
      globalThis.fetch = plain;
      for (const line of lines.values()) line.close();
    },
  };
}

function responseOf({ status, text }: Answer): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

type Posted = { readonly pathname: string; readonly headers: Headers; readonly body: string };

/** Milliseconds for which a connection may lie idle and be used again: Node's server closes it after five seconds, perhaps while a request is on its way. */
const MOST_IDLE = 3_000;

/** Connections to one node, each of which carries one request at a time. */
class Line {
  readonly #port: number;
  readonly #free: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(port: number) {
    this.#port = port;
  }

  async post({ pathname, headers, body }: Posted): Promise<Answer> {
    const named = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const head = `POST ${pathname} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\n${named}`;
    const connection = this.#idle() ?? this.#open();
    const answer = await connection.ask(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    if (answer.isLast) {
      // One that ends waits until nobody is connected to it.
      for (const each of [connection, ...this.#free.splice(0)]) each.end();
    } else if (!connection.isOver) this.#free.push(connection);
    return answer;
  }

  close(): void {
    for (const connection of this.#all) connection.end();
  }

  /** The one that was used last, unless even that lay idle for too long. */
  #idle(): Connection | undefined {
    const last = this.#free.pop();
    if (last === undefined || last.idle() < MOST_IDLE) return last;
    for (const each of [last, ...this.#free.splice(0)]) each.end();
    return undefined;
  }

  #open(): Connection {
    const connection = new Connection(connect(this.#port, '127.0.0.1'), () => {
      this.#all.delete(connection);
      const place = this.#free.indexOf(connection);
      if (place >= 0) this.#free.splice(place, 1);
    });
    this.#all.add(connection);
    return connection;
  }
}

type Waiting = { readonly done: (answer: Heard) => void; readonly failed: (error: Error) => void };

const END_OF_HEAD = '\r\n\r\n';

class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: Waiting | null = null;
  #usedAt = performance.now();
  isOver = false;

  constructor(socket: Socket, onEnd: () => void) {
    this.#socket = socket.setNoDelay(true);
    const end = (error: Error): void => {
      this.isOver = true;
      this.#waiting?.failed(new TypeError('fetch failed', { cause: error }));
      this.#waiting = null;
      onEnd();
    };
    socket.on('data', (bytes) => this.#hear(bytes));
    socket.on('error', end);
    socket.on('close', () => end(new Error('the connection is closed')));
  }

  ask(request: string): Promise<Heard> {
    return new Promise((done, failed) => {
      this.#waiting = { done, failed };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Milliseconds since its last answer. */
  idle(): number {
    return performance.now() - this.#usedAt;
  }

  #hear(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const head = this.#received.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const told = this.#received.toString('latin1', 0, head);
    const length = /^content-length: *(\d+)/im.exec(told)?.[1];
    if (length === undefined) {
      this.#socket.destroy(new Error('the node does not say how long its answer is'));
      return;
    }
    const from = head + END_OF_HEAD.length;
    if (this.#received.length < from + Number(length)) return;
    const text = this.#received.toString('utf8', from, from + Number(length));
    this.#received = Buffer.alloc(0);
    this.#usedAt = performance.now();
    const waiting = this.#waiting;
    this.#waiting = null;
    const isLast = /^connection: *close/im.test(told);
    waiting?.done({ status: Number(told.split(' ', 2)[1]), text, isLast });
  }
}
