import { knownAs } from '../../primitives/known-as.ts';
import { wasmModule } from './wasm-module.ts';

/** Bytes of a log under examination, with the loops over them. Addresses are positions in `bytes`. */
export type ScanMemory = {
  /** Changes when the memory grows. */
  readonly bytes: Uint8Array;
  /** Address of the first byte that belongs to the log; below it lie the literals and the notes. */
  readonly base: number;
  /** Address of {@link NOTES_LENGTH} bytes for the scanner's own notes. */
  readonly notes: number;
  /** Makes room for so many bytes from `base` on. What lies there is kept. */
  readonly reserve: (capacity: number) => void;
  /** The first address from `at` whose byte is none of 0-9a-f, at most `until`. */
  readonly hexRun: (at: number, until: number) => number;
  /** 1 where both runs hold the same bytes, else 0. */
  readonly same: (left: number, right: number, length: number) => number;
  /** Keeps an ASCII text below `base` and tells its address. */
  readonly literal: (text: string) => number;
  /** The ASCII text of a run. */
  readonly text: (start: number, end: number) => string;
};

const PAGE = 65_536;
const NOTES = PAGE;
const BASE = 2 * PAGE;
/** Bytes kept free for notes. */
export const NOTES_LENGTH = BASE - NOTES;
/** The loops read whole steps of 16 bytes, also at the end of the log. */
const PADDING = 64;

type Instance = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly hexRun: ScanMemory['hexRun'];
  readonly same: ScanMemory['same'];
};
type WasmLike = {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Memory whose loops run 16 bytes a step; undefined where the platform has no WebAssembly with SIMD. */
export function wasmMemory(): ScanMemory | undefined {
  const instance = instantiate();
  if (instance === undefined) return undefined;
  const { memory, hexRun, same } = instance;
  return scanMemoryOf(new Uint8Array(memory.buffer), {
    hexRun: () => hexRun,
    same: () => same,
    grow: (_bytes, length) => {
      memory.grow(Math.ceil((length - memory.buffer.byteLength) / PAGE));
      return new Uint8Array(memory.buffer);
    },
  });
}

function instantiate(): Instance | undefined {
  const wasm = (globalThis as { readonly WebAssembly?: WasmLike }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    return new wasm.Instance(new wasm.Module(wasmModule(BASE / PAGE + 1))).exports as Instance;
  } catch {
    // An engine without SIMD, or a page whose policy forbids WebAssembly: the portable loops do the same.
    return undefined;
  }
}

const IS_HEX = new Uint8Array(256);
for (const digit of '0123456789abcdef') IS_HEX[digit.charCodeAt(0)] = 1;

/** The portable form of {@link wasmMemory}, which answers alike. */
export function portableMemory(): ScanMemory {
  return scanMemoryOf(new Uint8Array(BASE + PAGE), {
    hexRun: (memory) => (at, until) => {
      const { bytes } = memory;
      let position = at;
      while (position < until && IS_HEX[bytes[position] as number] === 1) position++;
      return Math.min(position, until);
    },
    same: (memory) => (left, right, length) => {
      const { bytes } = memory;
      for (let index = 0; index < length; index++) if (bytes[left + index] !== bytes[right + index]) return 0;
      return 1;
    },
    grow: (bytes, length) => {
      const grown = new Uint8Array(length);
      grown.set(bytes);
      return grown;
    },
  });
}

type Parts = {
  readonly hexRun: (memory: { readonly bytes: Uint8Array }) => ScanMemory['hexRun'];
  readonly same: (memory: { readonly bytes: Uint8Array }) => ScanMemory['same'];
  readonly grow: (bytes: Uint8Array<ArrayBuffer>, length: number) => Uint8Array<ArrayBuffer>;
};

function scanMemoryOf(initial: Uint8Array<ArrayBuffer>, parts: Parts): ScanMemory {
  // A plain member, set anew when the memory grows: a getter is not inlined everywhere that the scanner looks at a byte.
  const memory = { bytes: initial };
  let text = textReader(initial);
  const reserve = (capacity: number): void => {
    const length = BASE + capacity + PADDING;
    if (length <= memory.bytes.length) return;
    memory.bytes = parts.grow(memory.bytes, length);
    text = textReader(memory.bytes);
  };
  return Object.assign(memory, {
    base: BASE,
    notes: NOTES,
    reserve,
    hexRun: parts.hexRun(memory),
    same: parts.same(memory),
    literal: literalsOf(memory),
    text: (start: number, end: number) => text(start, end),
  });
}

function literalsOf(memory: { readonly bytes: Uint8Array }): ScanMemory['literal'] {
  const known = new Map<string, number>();
  let free = 0;
  return (text) => {
    const address = known.get(text) ?? free;
    if (address < free) return address;
    if (free + text.length + PADDING > NOTES) throw new RangeError('the literals do not fit');
    for (let index = 0; index < text.length; index++) memory.bytes[free + index] = text.charCodeAt(index);
    known.set(text, free);
    free += text.length;
    return address;
  };
}

type NodeBuffer = { latin1Slice(start: number, end: number): string };
type NodeBufferType = { from(buffer: ArrayBufferLike): NodeBuffer };

const PIECE = 8192;

function textReader(bytes: Uint8Array): ScanMemory['text'] {
  const native = knownAs<{ readonly Buffer?: NodeBufferType }>(globalThis).Buffer;
  if (native !== undefined) {
    const buffer = native.from(bytes.buffer);
    return (start, end) => buffer.latin1Slice(start, end);
  }
  return (start, end) => {
    let text = '';
    for (let at = start; at < end; at += PIECE) {
      text += String.fromCharCode(...bytes.subarray(at, Math.min(at + PIECE, end)));
    }
    return text;
  };
}
