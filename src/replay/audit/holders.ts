import { createCompactTable } from '../../primitives/compact-table.ts';
import { sha256 } from '../../primitives/hash.ts';
import { parseUuid } from '../../primitives/ids.ts';
import { uuidBytes, uuidOfBytes } from '../../primitives/uuid-bytes.ts';

/** Which swap names a thing, by the uuid of the first. */
export type Holders = {
  readonly of: (key: string) => string | undefined;
  readonly note: (key: string, uuid: string) => void;
};

/** For swaps that are all in memory: the quickest way. */
export function plainHolders(): Holders {
  const holders = new Map<string, string>();
  return { of: (key) => holders.get(key), note: (key, uuid) => void holders.set(key, uuid) };
}

const TEXT = new TextEncoder();
const FINGERPRINT_BYTES = 16;

/**
 * For swaps without number: some 30 bytes for each thing and 25 for each swap. A thing is known by the first 16 bytes of the SHA-256 of its key,
 * so that two things are never one by chance.
 */
export function compactHolders(): Holders {
  const holders = createCompactTable(1);
  const swaps = createCompactTable(0);
  /** By their place, swaps whose id is no uuid. */
  const names = new Map<number, string>();
  const placeOf = (uuid: string): number => {
    const known = parseUuid(uuid);
    const place = swaps.take(known === uuid ? uuidBytes(known) : fingerprint(uuid));
    if (known !== uuid) names.set(place, uuid);
    return place;
  };
  return {
    of(key) {
      const place = holders.find(fingerprint(key));
      if (place < 0) return undefined;
      const swap = holders.get(place, 0);
      return names.get(swap) ?? uuidOfBytes(swaps.keyAt(swap));
    },
    note: (key, uuid) => holders.set(holders.take(fingerprint(key)), 0, placeOf(uuid)),
  };
}

function fingerprint(text: string): Uint8Array {
  return sha256(TEXT.encode(text)).subarray(0, FINGERPRINT_BYTES);
}
