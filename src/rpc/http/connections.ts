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
    this.#links.set(socket, { answering: 0, since: ++this.#moment });
    socket.once('close', () => this.#links.delete(socket));
  }

  /** Looked for only where one more is too many, so that a request moves nothing. */
  #oldestIdle(): Socket | undefined {
    let oldest: Socket | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [socket, link] of this.#links) {
      if (link.answering > 0 || link.since >= since) continue;
      oldest = socket;
      since = link.since;
    }
    return oldest;
  }

  /** A whole request of the connection is being answered until what is returned is called; it may send several behind each other. */
  answering(socket: Socket): () => void {
    const link = this.#links.get(socket);
    if (link === undefined) return () => {};
    link.answering += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      link.answering -= 1;
      link.since = ++this.#moment;
    };
  }
}

type Link = {
  /** Requests that are being answered. */
  answering: number;
  /** When it came, or last had an answer. */
  since: number;
};
