import { nibbleOf } from '../primitives/hex.ts';
import { writeBytes } from './byte-writer.ts';

const FIRST_ROOM = 1024;

/**
 * Puts bytes together in memory that is used again and again: where many short parts are hashed together, an array for each of them costs more than
 * the hash. Numbers are written least significant byte first.
 */
export class ScratchWriter {
  #room = new Uint8Array(FIRST_ROOM);
  #view = new DataView(this.#room.buffer);
  #length = 0;

  /** Begins anew. */
  clear(): void {
    this.#length = 0;
  }

  /** What was written since the last {@link clear}; a view that the next write after a clear changes. */
  written(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    writeBytes(this.#room, bytes, at);
  }

  /** @throws RangeError when it does not fit 4 bytes. */
  uint32(value: number): void {
    if (value >>> 0 !== value) throw new RangeError(`${value} does not fit 4 bytes`);
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
  }

  /** In 8 bytes, signed or not. @throws RangeError when it does not fit. */
  int64(value: bigint): void {
    if (value < LEAST || value > MOST) throw new RangeError(`${value} does not fit 8 bytes`);
    const at = this.#take(8);
    this.#view.setBigInt64(at, value, true);
  }

  /** Bytes with their length before them. */
  varBytes(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length < 0xfd) {
      const at = this.#take(1);
      this.#room[at] = length;
    } else if (length < 0x1_0000) {
      const at = this.#take(3);
      this.#room[at] = 0xfd;
      this.#view.setUint16(at + 1, length, true);
    } else {
      const at = this.#take(5);
      this.#room[at] = 0xfe;
      this.#view.setUint32(at + 1, length, true);
    }
    this.bytes(bytes);
  }

  /** The bytes of a hex text, the last one first. @throws RangeError for what is not hex of whole bytes. */
  reversedHex(text: string): void {
    const at = this.#take(text.length >> 1);
    let from = text.length - 2;
    for (; from >= 0; from -= 2) {
      const high = nibbleOf(text, from);
      const low = nibbleOf(text, from + 1);
      if (high > 0x0f || low > 0x0f) break;
      this.#room[at + ((text.length - 2 - from) >> 1)] = (high << 4) | low;
    }
    if (from !== -2) throw new RangeError(`not a hex text of whole bytes (${text.length} characters)`);
  }

  /** Makes room for so many bytes, and returns where they start. */
  #take(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#room.length) {
      const room = new Uint8Array(2 * this.#length);
      room.set(this.#room.subarray(0, at));
      this.#room = room;
      this.#view = new DataView(room.buffer);
    }
    return at;
  }
}

const LEAST = -(1n << 63n);
const MOST = (1n << 64n) - 1n;
