import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeWith } from './optional-part.ts';

/** The folder with recorded swaps and golden vectors, which lives beside a checkout and is not part of the package. */
export const SHARED_DIR = resolve(process.env['SWAPFOLD_SHARED'] ?? join(import.meta.dirname, '../../../shared'));

const present = existsSync(join(SHARED_DIR, 'swaps/manifest.json'));

/**
 * A suite over the recorded swaps. Where they are absent it says so in one line and is skipped, or fails when
 * `SWAPFOLD_REQUIRE=all` is set.
 */
export function describeShared(name: string, body: () => void): void {
  const absence = `no recorded swaps in ${SHARED_DIR} (set SWAPFOLD_SHARED to their folder)`;
  describeWith({ present, absence }, name, body);
}

export type ManifestRow = {
  readonly file: string;
  readonly role: 'Maker' | 'Taker';
  readonly form: string;
  readonly uuid: string;
  readonly makerCoin: string;
  readonly takerCoin: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** The last event before `Finished`. */
  readonly finalEvent: string;
  readonly lastEvent: string;
  readonly eventTypes: readonly string[];
  readonly finished: boolean;
  readonly success: boolean | null;
  readonly recoverable: boolean;
  readonly kickstartCommand: string | null;
  readonly loadable: boolean;
  readonly loadError: string | null;
  readonly loadableTagged: boolean;
  readonly canonical: boolean;
  readonly synthetic: boolean;
  readonly txidMatches: number;
  readonly txidNotDsha256: number;
  readonly secretMatchesHash: boolean | null;
  readonly dexFee: { readonly paidSat: number; readonly formulaSat: number; readonly match: boolean } | null;
  readonly htlc: Readonly<Record<string, Readonly<Record<string, boolean>>>> | null;
  readonly resaved: string | null;
};

/** Rows of the manifest, empty where the folder is absent. */
export function manifest(): readonly ManifestRow[] {
  return present ? (JSON.parse(readShared('swaps/manifest.json')) as ManifestRow[]) : [];
}

/** Text of a file below the shared folder. */
export function readShared(path: string): string {
  return readFileSync(join(SHARED_DIR, path), 'utf8');
}

/** Path of a recorded swap. */
export function swapPath(file: string): string {
  return join(SHARED_DIR, 'swaps', file);
}
