import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections of a listener, of which there are at most so many. When one more comes, the oldest goes that has sent no whole request which is being
 * answered: who says nothing keeps nobody out.
 */
export class Connections {
  readonly #most: number;
  readonly #links = new Map<Socket, Link>();
  /** Grows with each connection and each answer. */
  #moment = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#links.size;
  }

  add(socket: Socket): void {
    if (this.count >= this.#most) {
      const oldest = this.#oldestIdle() ?? socket;
      this.#links.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#links.set(socket, { requests: [], since: ++this.#moment });
    socket.once('close', () => this.#links.delete(socket));
  }

  /** Looked for only where one more is too many, so that a request moves nothing. */
  #oldestIdle(): Socket | undefined {
    let oldest: Socket | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [socket, link] of this.#links) {
      if (link.since >= since || link.requests.some(({ complete }) => complete)) continue;
      oldest = socket;
      since = link.since;
    }
    return oldest;
  }

  /** A request has begun on the connection; there may be several behind each other. It counts as being answered from when it is complete. */
  begin(socket: Socket, request: Request): void {
    this.#links.get(socket)?.requests.push(request);
  }

  /** It has its answer. */
  end(socket: Socket, request: Request): void {
    const link = this.#links.get(socket);
    if (link === undefined) return;
    const { requests } = link;
    if (requests.length === 1) requests.pop();
    else requests.splice(requests.indexOf(request), 1);
    link.since = ++this.#moment;
  }
}

/** Complete once all of it is there. */
type Request = Pick<IncomingMessage, 'complete'>;

type Link = {
  /** Those that have no answer yet. */
  readonly requests: Request[];
  /** When it came, or last had an answer. */
  since: number;
};
