import { LEGS, type Pair } from './cells.ts';
import { type CrossWorld, crossWorld } from './world.ts';

export type OpenWorld = CrossWorld & { readonly close: () => Promise<void> };

/** Seconds: later than any block of the chains as they begin. */
const FROM = 1_800_010_000;

/** The chains of a pair, which all of its swaps share. */
export async function openCrossWorld({ maker, taker }: Pair): Promise<OpenWorld> {
  const first = await LEGS[maker](FROM);
  try {
    const second = await LEGS[taker](FROM);
    const close = async () => {
      await first.close();
      await second.close();
    };
    return { ...crossWorld({ maker: first, taker: second }, FROM + 60), close };
  } catch (error) {
    await first.close();
    throw error;
  }
}

/** By the two letters of their pair. */
export function byPair<C extends { readonly title: string }>(cells: readonly C[]): ReadonlyMap<string, readonly C[]> {
  const found = new Map<string, C[]>();
  for (const cell of cells) {
    const name = cell.title.slice(0, 2);
    found.set(name, [...(found.get(name) ?? []), cell]);
  }
  return found;
}
