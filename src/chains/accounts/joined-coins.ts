/** A coin's part in deciding when the numbers of its account may be filled. */
export type Joined = {
  /** Everything that the coin had signed before is marked. */
  readonly told: () => void;
  /** The coin is closed: if it has not reported, nobody waits for it any more. */
  readonly leave: () => void;
};

/** The coins of one account, and whether each of them has marked what it had signed before. */
export class JoinedCoins {
  readonly #onEnd: () => void;
  /** Coins that have not reported everything that they had signed before. */
  #untold = 0;
  #isTold = false;
  /** Whether any coin has reported. */
  #hasHeard = false;

  /** @param onEnd called after each that has told or left */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Whether everything that the account signed before is marked. If none of its coins has ever reported, this is unknown. */
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
