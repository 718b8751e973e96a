import type { Readable } from 'node:stream';

/** What the requests that are under way hold together. */
export type Held = { requests: number; bytes: number };

/** Why a body was not read to its end. */
export type BodyProblem = 'tooLong' | 'tooMuchHeld';

/** How the reading of a body ended: with all of it, with a problem, or because the client went away. */
export type BodyEnd = 'whole' | 'gone' | BodyProblem;

export type BodyLimits = {
  /** Longest body, in bytes. */
  readonly most: number;
  /** Bytes that all requests may hold at a time. */
  readonly mostHeld: number;
};

/** The body of a request as far as it has come, counted in what all requests hold together. */
export class HeldBody {
  readonly #held: Held;
  readonly #limits: BodyLimits;
  /** Nearly every body comes in one chunk, which needs no list. */
  #first: Uint8Array | undefined;
  #others: Uint8Array[] | undefined;
  #length = 0;

  constructor(held: Held, limits: BodyLimits) {
    this.#held = held;
    this.#limits = limits;
  }

  /** Reads all of it, or tells why not. @throws when the client goes away */
  async read(body: AsyncIterable<Uint8Array> | null): Promise<BodyProblem | undefined> {
    if (body === null) return undefined;
    // Not a loop over it: leaving one would close the connection before there is an answer.
    const chunks = body[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return undefined;
      const problem = this.#take(value);
      if (problem !== undefined) return problem;
    }
  }

  #take(chunk: Uint8Array): BodyProblem | undefined {
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === undefined) this.#others = [chunk];
    else this.#others.push(chunk);
    this.#length += chunk.length;
    this.#held.bytes += chunk.length;
    if (this.#length > this.#limits.most) return 'tooLong';
    return this.#held.bytes > this.#limits.mostHeld ? 'tooMuchHeld' : undefined;
  }

  /** The same of a request that is being received, for less: a promise for each call would cost as much as to read its body. */
  readFrom(request: Readable, over: (end: BodyEnd) => void): void {
    let isOver = false;
    const finish = (end: BodyEnd): void => {
      if (isOver) return;
      isOver = true;
      over(end);
    };
    // They stay where they are when all is read: each call would pay to have them taken off.
    request
      .on('data', (chunk: Uint8Array) => {
        const problem = isOver ? undefined : this.#take(chunk);
        if (problem === undefined) return;
        request.pause();
        finish(problem);
      })
      .on('end', () => finish('whole'))
      .on('error', () => finish('gone'))
      .on('close', () => finish('gone'));
  }

  bytes(): Uint8Array {
    const first = this.#first ?? new Uint8Array();
    return this.#others === undefined ? first : Buffer.concat([first, ...this.#others]);
  }

  release(): void {
    this.#held.bytes -= this.#length;
  }
}
