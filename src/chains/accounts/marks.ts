import type { ChainFeed, SignedTransaction } from '../../ports/chain.ts';
import type { Joined } from './joined-coins.ts';
import type { Unmarked } from './unmarked.ts';

export type Marking<Made extends { readonly id: string }> = {
  readonly madeOf: (hex: string) => Made | null;
  readonly account: {
    take(made: Made): void;
    giveBack(made: Made): void;
    inTurn<T>(work: () => Promise<T>): Promise<T>;
  };
  readonly unmarked: Unmarked<Made>;
  readonly joined: Joined;
};

export type Marks = Required<Pick<ChainFeed, 'reserve' | 'release' | 'resumed'>> & {
  /** It is no longer used: if it was not told of the resumption, the account's other coins do not wait for that. May be repeated. */
  leave(): void;
};

/** What the log says to one coin of an account about what it has signed. */
export function marksOf<Made extends { readonly id: string }>(marking: Marking<Made>): Marks {
  const { madeOf, account, unmarked, joined } = marking;
  const each =
    (action: (made: Made) => void) =>
    (transactions: readonly SignedTransaction[]): void => {
      for (const { tx_hex } of transactions) {
        const made = madeOf(tx_hex);
        if (made === null) continue;
        unmarked.keep(made.id);
        action(made);
      }
    };
  return {
    reserve: each((made) => account.take(made)),
    release: each((made) => account.giveBack(made)),
    resumed: () => {
      void account.inTurn(() => unmarked.giveBack()).catch(() => undefined);
      joined.told();
    },
    leave: joined.leave,
  };
}
