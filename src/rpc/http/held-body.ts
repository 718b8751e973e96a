/** What the requests that are under way hold together. */
export type Held = { requests: number; bytes: number };

/** Why a body was not read to its end. */
export type BodyProblem = 'tooLong' | 'tooMuchHeld';

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
  readonly #chunks: Uint8Array[] = [];
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
      this.#chunks.push(value);
      this.#length += value.length;
      this.#held.bytes += value.length;
      if (this.#length > this.#limits.most) return 'tooLong';
      if (this.#held.bytes > this.#limits.mostHeld) return 'tooMuchHeld';
    }
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  release(): void {
    this.#held.bytes -= this.#length;
  }
}
