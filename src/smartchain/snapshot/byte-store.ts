/** A position beyond the end, or an impossible number: the bytes are not a snapshot. The reader's caller catches it. */
export class NoSnapshot extends Error {}

const FIRST_CAPACITY = 1 << 16;
const TEXT = { encoder: new TextEncoder(), decoder: new TextDecoder() };

/** Writes numbers and bytes one after another; numbers have their least byte first. */
export class ByteSink {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  u8(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  u32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** 128 bits: a sum of amounts can exceed one amount. */
  amount(value: bigint): void {
    this.#room(16);
    this.#view.setBigUint64(this.#length, BigInt.asUintN(64, value), true);
    this.#view.setBigInt64(this.#length + 8, value >> 64n, true);
    this.#length += 16;
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(bytes: Uint8Array): void {
    this.u32(bytes.length);
    this.raw(bytes);
  }

  text(text: string): void {
    this.bytes(TEXT.encoder.encode(text));
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const HASH_BYTES = 32;

/** Bytes within others. A view of them is an object of its own, which most parts of a long chain never need. */
export type Span = { readonly within: Uint8Array; readonly start: number; readonly end: number };

/** Reads what {@link ByteSink} wrote. Every method throws {@link NoSnapshot} behind the end. Byte arrays are views. */
export class ByteSource {
  readonly #bytes: Uint8Array;
  readonly #hex: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** A count of items of at least this many bytes, so that no count alone takes memory. */
  count(least: number): number {
    const count = this.u32();
    if (count * least > this.#bytes.length - this.#at) throw new NoSnapshot('a count exceeds the data');
    return count;
  }

  amount(): bigint {
    const at = this.#take(16);
    return this.#view.getBigUint64(at, true) + (this.#view.getBigInt64(at + 8, true) << 64n);
  }

  hash(): string {
    const at = this.#take(HASH_BYTES);
    return this.#hex.toString('hex', at, at + HASH_BYTES);
  }

  /** Where the next bytes of a count that stands before them are; they are passed over. */
  span(): Span {
    const count = this.u32();
    const start = this.#take(count);
    return { within: this.#bytes, start, end: start + count };
  }

  /** Where so many bytes are; they are passed over. */
  spanOf(count: number): Span {
    const start = this.#take(count);
    return { within: this.#bytes, start, end: start + count };
  }

  raw(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }

  bytes(): Uint8Array {
    return this.raw(this.u32());
  }

  text(): string {
    return TEXT.decoder.decode(this.bytes());
  }

  #take(count: number): number {
    const at = this.#at;
    if (count > this.#bytes.length - at) throw new NoSnapshot('the data ends too early');
    this.#at += count;
    return at;
  }
}

/** The entry of a list that a number points at. @throws NoSnapshot where there is none */
export function entryAt<Entry>(list: readonly Entry[], index: number): Entry {
  const entry = list[index];
  if (entry === undefined) throw new NoSnapshot('a reference points nowhere');
  return entry;
}
