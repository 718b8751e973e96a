// The two loops that touch every byte of a log, as a WebAssembly module put together by hand: 16 bytes a step.
// SIMD instructions are the prefix 0xfd and a number in LEB128 (WebAssembly specification 2.0, §5.4.9).

import { func, get, leb, list, name, section, set, signedLeb, tee, WASM_HEADER } from '../../primitives/wasm-parts.ts';

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;

const number = (value: number) => [0x41, ...signedLeb(value)];
const repeated = (byte: number) => [0xfd, 0x0c, ...Array<number>(16).fill(byte)];
/** 16 bytes from the address on the stack, at any alignment. */
const LOAD_16 = [0xfd, 0x00, 0x00, 0x00];
const BYTES_NOT_EQUAL = [0xfd, 0x24];
const BYTES_BELOW = [0xfd, 0x26];
const EITHER = [0xfd, 0x50];
/** One bit for each byte whose top bit is set. */
const BITMASK = [0xfd, 0x64];
const BYTES_MINUS = [0xfd, 0x71];
const BLOCK = [0x02, VOID];
const LOOP = [0x03, VOID];
const IF = [0x04, VOID];
const END = [0x0b];
const RETURN = [0x0f];
const SELECT = [0x1b];
const LESS = [0x49];
const LESS_SIGNED = [0x48];
const AT_MOST_SIGNED = [0x4c];
const AT_LEAST = [0x4f];
const ZEROS_BELOW = [0x68];
const PLUS = [0x6a];
const MINUS = [0x6b];
const AND = [0x71];
const XOR = [0x73];
const SHIFT_LEFT = [0x74];
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];

const [AT, UNTIL, CHUNK, MISSES] = [0, 1, 2, 3];

/** hexRun(at, until): the first address from `at` whose byte is none of 0-9a-f, at most `until`. */
const HEX_RUN = func(
  [
    [1, V128],
    [1, I32],
  ],
  BLOCK,
  LOOP,
  [...get(AT), ...get(UNTIL), ...AT_LEAST, ...branchIf(1)],
  [...get(AT), ...LOAD_16, ...set(CHUNK)],
  [...get(CHUNK), ...repeated(0x30), ...BYTES_MINUS, ...repeated(10), ...BYTES_BELOW],
  [...get(CHUNK), ...repeated(0x61), ...BYTES_MINUS, ...repeated(6), ...BYTES_BELOW],
  [...EITHER, ...BITMASK, ...number(0xffff), ...XOR, ...tee(MISSES)],
  [...IF, ...get(AT), ...get(MISSES), ...ZEROS_BELOW, ...PLUS, ...set(AT), ...branch(2), ...END],
  [...get(AT), ...number(16), ...PLUS, ...set(AT), ...branch(0)],
  END,
  END,
  [...get(AT), ...get(UNTIL), ...get(AT), ...get(UNTIL), ...LESS, ...SELECT],
);

const [LEFT, RIGHT, LENGTH, DIFFERENT] = [0, 1, 2, 3];

/** same(left, right, length): 1 where both runs hold the same bytes, else 0. */
const SAME = func(
  [[1, I32]],
  BLOCK,
  LOOP,
  [...get(LENGTH), ...number(0), ...AT_MOST_SIGNED, ...branchIf(1)],
  [...get(LEFT), ...LOAD_16, ...get(RIGHT), ...LOAD_16, ...BYTES_NOT_EQUAL, ...BITMASK, ...set(DIFFERENT)],
  [...get(LENGTH), ...number(16), ...LESS_SIGNED, ...IF],
  [...get(DIFFERENT), ...number(1), ...get(LENGTH), ...SHIFT_LEFT, ...number(1), ...MINUS, ...AND, ...set(DIFFERENT)],
  END,
  [...get(DIFFERENT), ...IF, ...number(0), ...RETURN, ...END],
  [...get(LEFT), ...number(16), ...PLUS, ...set(LEFT)],
  [...get(RIGHT), ...number(16), ...PLUS, ...set(RIGHT)],
  [...get(LENGTH), ...number(16), ...MINUS, ...set(LENGTH), ...branch(0)],
  END,
  END,
  number(1),
);

/** The module: a memory of `pages` pages of 64 KiB, exported as `memory`, with `hexRun` and `same` over it. */
export function wasmModule(pages: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...WASM_HEADER,
    ...section(
      1,
      list([
        [0x60, 2, I32, I32, 1, I32],
        [0x60, 3, I32, I32, I32, 1, I32],
      ]),
    ),
    ...section(3, list([[0], [1]])),
    ...section(5, list([[0x00, ...leb(pages)]])),
    ...section(
      7,
      list([
        [...name('memory'), 0x02, 0],
        [...name('hexRun'), 0x00, 0],
        [...name('same'), 0x00, 1],
      ]),
    ),
    ...section(10, list([HEX_RUN, SAME])),
  ]);
}
