import type { Socket } from 'node:net';

/**
 * Connections of a listener, of which there are at most so many. When one more comes, the oldest goes that has sent no whole request which is being
 * answered: who says nothing keeps nobody out.
 */
export class Connections {
  readonly #most: number;
  /** In the order in which they came, or last had an answer. */
  readonly #idle = new Set<Socket>();
  readonly #busy = new Map<Socket, number>();

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#idle.size + this.#busy.size;
  }

  add(socket: Socket): void {
    if (this.count >= this.#most) {
      const [oldest = socket] = this.#idle;
      this.#idle.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#idle.add(socket);
    socket.once('close', () => {
      this.#idle.delete(socket);
      this.#busy.delete(socket);
    });
  }

  /** A whole request of the connection is being answered until what is returned is called; it may send several behind each other. */
  answering(socket: Socket): () => void {
    if (!this.#idle.delete(socket) && !this.#busy.has(socket)) return () => {};
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
    let isOver = false;
    return () => {
      const left = this.#busy.get(socket);
      if (isOver || left === undefined) return;
      isOver = true;
      if (left > 1) this.#busy.set(socket, left - 1);
      else {
        this.#busy.delete(socket);
        this.#idle.add(socket);
      }
    };
  }
}
