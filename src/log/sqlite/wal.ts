import { readSync } from 'node:fs';
import { isOpenHere, readBytes, sizeOf, withHandle } from './handles.ts';
import { PAGE_BYTES } from './schema.ts';

// Format of the write-ahead log: https://www.sqlite.org/fileformat2.html#walformat
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
const MAGIC = 0x377f0682;
const BIG_ENDIAN_SUMS = 1;
const INDEX_VERSION = 3_007_000;
/** Two copies of the header, and the count of frames that are already in the file. */
export const INDEX_HEADER_BYTES = 100;
/** Frames that are read at once. */
const FRAMES_AT_ONCE = 64;

/** A page image in the write-ahead log. */
export type Frame = {
  readonly page: number;
  /** Offset of the image in the file. */
  readonly offset: number;
};

export type WalReport = {
  /**
   * - `absent`: no file, or none of its frames is in use.
   * - `whole`: SQLite will read all of it.
   * - `torn`: the last transaction is incomplete, as after a power loss; it was never acknowledged.
   * - `damaged`: a transaction that is known to have been durable is damaged.
   */
  readonly state: 'absent' | 'whole' | 'torn' | 'damaged';
  /** Transactions at the end are known to have been durable and are gone. */
  readonly cut: boolean;
  /** Images of all transactions that are proven to have been written completely, in order, including damaged ones. */
  readonly frames: readonly Frame[];
  /** Size of the file in pages after the last of these transactions; undefined if there is none. */
  readonly pages: number | undefined;
};

/** As if nothing lay beside the file. */
export const NO_WAL: WalReport = { state: 'absent', cut: false, frames: [], pages: undefined };

type ReadFrame = Frame & {
  /** Count of pages of the file when the frame ends a transaction, else 0. */
  readonly commit: number;
  readonly salt: bigint;
  /** It belongs to the current generation, by its salt or by its checksum. */
  readonly current: boolean;
  /** Its checksum fits its content and the frame before it. */
  readonly verified: boolean;
  /** It verifies and its salt differs, which the checksum leaves out: the salt is damaged, and SQLite drops the frame. */
  readonly strayed: boolean;
};

/**
 * Reads the write-ahead log of a file as it is, without SQLite, which silently drops everything from the first frame
 * that does not verify: after a power loss that is the transaction under way; after damage it is transactions that were
 * durable.
 */
export function inspectWal(file: string): WalReport {
  const wal = `${file}-wal`;
  const size = sizeOf(wal);
  const witness = isOpenHere(file) ? undefined : readWitness(`${file}-shm`);
  if (size === undefined || size <= HEADER_BYTES) {
    // An empty file is what a log leaves behind that was closed, or lost its power soon after.
    const cut = size === undefined && witness !== undefined && witness.inFile < witness.frames;
    return { state: size === undefined || size === 0 ? 'absent' : 'torn', cut, frames: [], pages: undefined };
  }
  return withHandle(wal, (handle) => {
    const { header, frames } = readWal(handle, size);
    const salt = header.salt ?? frames[0]?.salt;
    const known = witness !== undefined && witness.salt === salt ? witness.frames : 0;
    const partial = (size - HEADER_BYTES) % FRAME_BYTES !== 0;
    return reportOf(frames, { headerSound: header.sound, known, partial });
  });
}

/** Reads all of it; if the header is damaged, in the byte order in which more of it verifies. */
function readWal(handle: number, size: number) {
  const header = readHeader(handle);
  const frames = readFrames(handle, { size, ...header });
  if (header.sound) return { header, frames };
  const other = readFrames(handle, { size, ...header, bigEndian: !header.bigEndian });
  const verified = (all: readonly ReadFrame[]) => all.filter((frame) => frame.verified).length;
  return { header, frames: verified(other) > verified(frames) ? other : frames };
}

type Circumstances = {
  readonly headerSound: boolean;
  /** Frames that were certainly durable. */
  readonly known: number;
  /** The file ends within a frame. */
  readonly partial: boolean;
};

function reportOf(all: readonly ReadFrame[], { headerSound, known, partial }: Circumstances): WalReport {
  const frames = all.slice(0, all.findLastIndex(({ verified }) => verified) + 1);
  const bad = (from: readonly ReadFrame[]) =>
    headerSound ? from.findIndex(({ verified, strayed }) => !verified || strayed) : 0;
  const firstBad = bad(frames);
  // A transaction is on disk before the next one is written; any valid frame after its end proves that.
  const endOfBad = firstBad < 0 ? -1 : frames.findIndex(({ commit }, index) => index >= firstBad && commit !== 0);
  const outlived = (endOfBad >= 0 && endOfBad < frames.length - 1) || frames.some(({ strayed }) => strayed);
  const witnessed = known > 0 && bad(all.slice(0, known)) >= 0;
  const readable = outlived || firstBad < 0 ? frames : frames.slice(0, firstBad);
  const proven = readable.findLastIndex(({ commit, verified }) => commit !== 0 && verified) + 1;
  const taken = all.slice(0, witnessed ? Math.max(known, proven) : proven);
  const rest = partial || all.slice(taken.length).some(({ current }) => current);
  const state = outlived || witnessed ? 'damaged' : rest ? 'torn' : taken.length === 0 ? 'absent' : 'whole';
  return { state, cut: known > all.length, frames: taken, pages: taken.findLast(({ commit }) => commit !== 0)?.commit };
}

type Witness = {
  /** Frames of the write-ahead log that were durable. */
  readonly frames: number;
  /** Those of them that are already in the file. */
  readonly inFile: number;
  readonly salt: bigint;
};

/**
 * What the index of the write-ahead log, which a killed process leaves behind, knows about it: SQLite notes there that frames
 * are in use only after they are on the disk. https://www.sqlite.org/walformat.html#the_wal_index_file_format
 */
function readWitness(file: string): Witness | undefined {
  const read = readBytes(file, { length: INDEX_HEADER_BYTES });
  if (read === undefined || read.length < INDEX_HEADER_BYTES) return undefined;
  const bytes = Uint8Array.from(read);
  // The numbers are in the byte order of the machine, the salt as in the write-ahead log.
  const words = new Uint32Array(bytes.buffer);
  const copy = Array.from({ length: 12 }, (_, index) => words[index] === words[index + 12]);
  if (words[0] !== INDEX_VERSION || copy.includes(false)) return undefined;
  const salt = new DataView(bytes.buffer).getBigUint64(32);
  return { frames: words[4] as number, inFile: words[24] as number, salt };
}

type WalHeader = {
  readonly sound: boolean;
  readonly bigEndian: boolean;
  /** Marks the frames of the current generation; undefined if the header is not trustworthy. */
  readonly salt: bigint | undefined;
  readonly sums: Sums;
};

function readHeader(handle: number): WalHeader {
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(handle, header, 0, HEADER_BYTES, 0);
  const magic = header.readUInt32BE(0);
  const bigEndian = (magic & 1) === BIG_ENDIAN_SUMS;
  const sums = checksum(header.subarray(0, 24), [0, 0], bigEndian);
  const sound =
    magic - (magic & 1) === MAGIC &&
    header.readUInt32BE(8) === PAGE_BYTES &&
    sums[0] === header.readUInt32BE(24) &&
    sums[1] === header.readUInt32BE(28);
  return { sound, bigEndian, salt: sound ? header.readBigUInt64BE(16) : undefined, sums };
}

/** All frames of the file: a log that starts over leaves older ones, with another salt, after its end. */
function readFrames(
  handle: number,
  { size, bigEndian, salt, sums }: WalHeader & { readonly size: number },
): ReadFrame[] {
  const frames: ReadFrame[] = [];
  let generation = salt;
  let before = sums;
  for (const { bytes, offset } of chunks(handle, size)) {
    for (let at = 0; at + FRAME_BYTES <= bytes.length; at += FRAME_BYTES) {
      const frame = bytes.subarray(at, at + FRAME_BYTES);
      const stated: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
      const ownSalt = frame.readBigUInt64BE(8);
      generation ??= ownSalt;
      const found = sumsOfFrame(frame, before, bigEndian);
      const fits = found[0] === stated[0] && found[1] === stated[1];
      // Frames of zeros, as a disk may leave after the end, fit one another.
      const verified = fits && (ownSalt === generation || frames.at(-1)?.verified !== false);
      frames.push({
        page: frame.readUInt32BE(0),
        commit: frame.readUInt32BE(4),
        offset: offset + at + FRAME_HEADER_BYTES,
        salt: ownSalt,
        current: ownSalt === generation || verified,
        verified,
        strayed: verified && ownSalt !== generation,
      });
      before = stated;
    }
  }
  return frames;
}

function sumsOfFrame(frame: Buffer, before: Sums, bigEndian: boolean): Sums {
  return checksum(frame.subarray(FRAME_HEADER_BYTES), checksum(frame.subarray(0, 8), before, bigEndian), bigEndian);
}

function* chunks(handle: number, size: number) {
  const buffer = Buffer.alloc(FRAMES_AT_ONCE * FRAME_BYTES);
  for (let offset = HEADER_BYTES; offset < size; offset += buffer.length) {
    const read = readSync(handle, buffer, 0, buffer.length, offset);
    yield { bytes: buffer.subarray(0, read), offset };
  }
}

type Sums = readonly [number, number];

function checksum(bytes: Buffer, [first, second]: Sums, bigEndian: boolean): Sums {
  let s0 = first;
  let s1 = second;
  for (let at = 0; at < bytes.length; at += 8) {
    s0 = (s0 + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + s1) >>> 0;
    s1 = (s1 + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + s0) >>> 0;
  }
  return [s0, s1];
}
