import { func, get, leb, list, name, section, set, tee, WASM_HEADER } from './wasm-parts.ts';

/** The part of WebAssembly that is used here. */
type WasmLike = {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** BLAKE2b of 32 bytes under a personalization of 16 bytes. */
export type Blake2b = (bytes: Uint8Array, personalization: Uint8Array) => Uint8Array;

/** The fractional parts of square roots that are the initial state of SHA-512, lowest byte first (RFC 7693, §2.6). */
const START = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
/** The message words that each round uses (RFC 7693, §2.7). */
const SCHEDULE = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
];
const ROUNDS = 12;
/** The state words that the eight steps of a round mix: columns, then diagonals. */
const MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const BLOCK_BYTES = 128;
const HASH_BYTES = 32;
// Memory layout.
const STATE = 0;
const BLOCK = 64;
const COUNT = 192;
const LAST = 200;
const IV = 208;

const PLUS = [0x7c];
const XOR = [0x85];
/** The 8-byte word at a constant address. */
const load = (address: number) => [0x41, 0, 0x29, 3, ...leb(address)];
const turn = (bits: number) => [0x42, bits, 0x8a];

type Words = readonly [a: number, b: number, c: number, d: number];

/** One step: mixes two words of the block into four words of the state (RFC 7693, §3.1). */
function mix([a, b, c, d]: Words, first: number, second: number): number[] {
  const half = (word: number, [turnD, turnB]: readonly [number, number]) => [
    ...[...get(a), ...get(b), ...PLUS, ...load(BLOCK + 8 * word), ...PLUS, ...tee(a)],
    ...[...get(d), ...XOR, ...turn(turnD), ...tee(d)],
    ...[...get(c), ...PLUS, ...tee(c), ...get(b), ...XOR, ...turn(turnB), ...set(b)],
  ];
  return [...half(first, [32, 24]), ...half(second, [16, 63])];
}

/** Compresses the block into the state. */
function compression(): number[] {
  const code: number[][] = [];
  for (let word = 0; word < 8; word++) {
    code.push([...load(STATE + 8 * word), ...set(word)], [...load(IV + 8 * word), ...set(8 + word)]);
  }
  code.push([...get(12), ...load(COUNT), ...XOR, ...set(12)], [...get(14), ...load(LAST), ...XOR, ...set(14)]);
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...(SCHEDULE[round % SCHEDULE.length] as string)].map((digit) => Number.parseInt(digit, 16));
    for (const [step, words] of MIXED.entries()) {
      code.push(mix(words, order[2 * step] as number, order[2 * step + 1] as number));
    }
  }
  for (let word = 0; word < 8; word++) {
    const sum = [...load(STATE + 8 * word), ...get(word), ...XOR, ...get(8 + word), ...XOR];
    code.push([0x41, 0, ...sum, 0x37, 3, ...leb(STATE + 8 * word)]);
  }
  return func([[16, 0x7e]], ...code);
}

function moduleBytes(): Uint8Array {
  return Uint8Array.from([
    ...WASM_HEADER,
    ...section(1, list([[0x60, 0, 0]])),
    ...section(3, list([[0]])),
    ...section(5, list([[0x00, 1]])),
    ...section(
      7,
      list([
        [...name('memory'), 0x02, 0],
        [...name('compress'), 0x00, 0],
      ]),
    ),
    ...section(10, list([compression()])),
  ]);
}

type Instance = { readonly memory: { readonly buffer: ArrayBuffer }; readonly compress: () => void };

function instantiate(): Instance | undefined {
  const wasm = (globalThis as { readonly WebAssembly?: WasmLike }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    return new wasm.Instance(new wasm.Module(moduleBytes())).exports as Instance;
  } catch {
    // The page's policy forbids WebAssembly.
    return undefined;
  }
}

/** In WebAssembly, which has the 64-bit numbers of the hash; undefined without WebAssembly. */
export function compiledBlake2b(): Blake2b | undefined {
  const instance = instantiate();
  if (instance === undefined) return undefined;
  const { memory, compress } = instance;
  const bytes = new Uint8Array(memory.buffer);
  const words = new DataView(memory.buffer);
  for (const [word, value] of START.entries()) words.setBigUint64(IV + 8 * word, value, true);
  return (message, personalization) => {
    if (personalization.length !== 16)
      throw new RangeError(`a personalization has 16 bytes, not ${personalization.length}`);
    bytes.copyWithin(STATE, IV, IV + 64);
    // 32 bytes of hash, no key, no tree (RFC 7693, §2.5).
    words.setUint32(STATE, words.getUint32(STATE, true) ^ 0x0101_0020, true);
    for (let at = 0; at < 16; at++) {
      bytes[STATE + 48 + at] = (bytes[STATE + 48 + at] as number) ^ (personalization[at] as number);
    }
    bytes.fill(0, LAST, LAST + 8);
    const { length } = message;
    let taken = 0;
    for (; length - taken > BLOCK_BYTES; taken += BLOCK_BYTES) {
      bytes.set(message.subarray(taken, taken + BLOCK_BYTES), BLOCK);
      words.setUint32(COUNT, taken + BLOCK_BYTES, true);
      compress();
    }
    bytes.fill(0, BLOCK, BLOCK + BLOCK_BYTES);
    bytes.set(message.subarray(taken), BLOCK);
    words.setUint32(COUNT, length, true);
    bytes.fill(0xff, LAST, LAST + 8);
    compress();
    return bytes.slice(STATE, STATE + HASH_BYTES);
  };
}
