import { MOST_ADDRESSES } from './account-addresses.ts';
import { MOST_TOLD } from './account-order.ts';
import { type AccountState, type AccountsReader, isUsed } from './reader.ts';

/** Most addresses that are asked about together. */
const MOST_AT_ONCE = 500;

export type ScanOptions = {
  /** Number of the first address that is not known. */
  readonly from: number;
  /** More unused addresses in a row than this end the scan. From 0. */
  readonly gapLimit: number;
  readonly addresses: (from: number, count: number) => Promise<readonly string[]>;
  readonly reader: AccountsReader;
  /** @throws once nobody waits for the outcome */
  readonly check: () => void;
};

/** An address that a scan found; its state is null where nobody has used it. */
export type Scanned = { readonly index: number; readonly address: string; readonly state: AccountState | null };

/**
 * Looks for addresses that someone has used, from the first one that is not known, until so many in a row are unused. What is returned ends with
 * the last that is used (`gap_limit`, specification §4.6). A node that calls every address used keeps nobody at work: what is found ends soon above {@link MOST_TOLD}
 * addresses, with those that are known, which are more than are told.
 *
 * - J30: what is found depends on the chain and the gap limit alone, never on how many addresses are asked about together.
 */
export async function scanAddresses({ from, gapLimit, addresses, reader, check }: ScanOptions): Promise<Scanned[]> {
  const found: Scanned[] = [];
  let unused: Scanned[] = [];
  let next = from;
  let size = 0;
  while (unused.length <= gapLimit && from + found.length <= MOST_TOLD && next < MOST_ADDRESSES) {
    check();
    // So many are needed in any case; after some that are used, more in a row are likely.
    const needed = gapLimit + 1 - unused.length;
    size = Math.min(Math.max(needed, size), MOST_AT_ONCE, MOST_ADDRESSES - next);
    const asked = await addresses(next, size);
    const states = await reader.states({ addresses: asked, sent: true });
    let anyUsed = false;
    for (const [place, address] of asked.entries()) {
      const state = states[place];
      if (state === undefined) throw new RangeError('a reader must answer for every address');
      if (unused.length > gapLimit) break;
      const isOne = isUsed(state);
      unused.push({ index: next + place, address, state: isOne ? state : null });
      if (!isOne) continue;
      anyUsed = true;
      found.push(...unused);
      unused = [];
    }
    next += size;
    size = anyUsed ? size * 2 : 0;
  }
  return found;
}
