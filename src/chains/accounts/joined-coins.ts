/** A coin's part in when the numbers of its account may be filled. */
export type Joined = {
  /** All that the coin had signed before is marked. */
  readonly told: () => void;
  /** The coin is closed: if it has not told, nobody waits for it any more. */
  readonly leave: () => void;
};

/** The coins of one account, and whether each of them has marked what it had signed before. */
export class JoinedCoins {
  readonly #onEnd: () => void;
  /** Coins that have not told of all that they had signed before. */
  #untold = 0;
  #isTold = false;
  /** Whether any coin has told. */
  #hasHeard = false;

  /** @param onEnd called after each that has told or left */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Whether all that the account signed before is marked. Where none of its coins has ever told, nobody knows. */
  isTold(): boolean {
    return this.#isTold;
  }

  join(onLeave: () => void): Joined {
    this.#untold += 1;
    this.#isTold = false;
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.#untold -= 1;
      isOver = true;
      this.#isTold = this.#hasHeard && this.#untold === 0;
      this.#onEnd();
    };
    return {
      told: () => {
        this.#hasHeard = true;
        end();
      },
      leave: () => {
        onLeave();
        end();
      },
    };
  }
}
