import { Reservations } from '../../chains/utxo/reservations.ts';
import { bytesToHex } from '../../primitives/hex.ts';

/** A place among those who spend the coins of one key on one chain. */
export type SharedPlace = {
  readonly reservations: Reservations;
  /** It is used no more: what it holds for swaps is free, and once nobody is left all is. Repeated calls change nothing. */
  readonly leave: () => void;
};

type Shared = { readonly reservations: Reservations; users: number };

/**
 * The coins of one key are spent by the coin of the chain, and by each token whose calls they pay for. Each is activated separately, in any order,
 * and has its own connections; none takes what another has signed for.
 */
export class SharedCoins {
  readonly #shared = new Map<string, Shared>();

  /** @param name of its holds: those of a token end with its ticker, those of the chain's own coin have none */
  join({
    platform,
    key,
    token,
  }: {
    readonly platform: string;
    readonly key: Uint8Array;
    readonly token: string | null;
  }): SharedPlace {
    const name = `${platform} ${bytesToHex(key)}`;
    const shared = this.#shared.get(name) ?? { reservations: new Reservations(), users: 0 };
    this.#shared.set(name, shared);
    shared.users += 1;
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      shared.users -= 1;
      const { held, guards } = shared.reservations;
      if (token !== null) guards.delete(token);
      for (const hold of held.keys()) if (isOf(hold, token)) held.delete(hold);
      if (shared.users === 0) this.#shared.delete(name);
    };
    return { reservations: shared.reservations, leave };
  }
}

/** Swaps have names without spaces. */
function isOf(hold: string, token: string | null): boolean {
  return token === null ? !hold.includes(' ') : hold.endsWith(` ${token}`);
}
