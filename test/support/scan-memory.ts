import type { ScanMemory } from '../../src/replay/jsonl/wasm-hex.ts';

/** Puts a text into scan memory, with the line feed that ends every run of lines. */
export function loadText(memory: ScanMemory, text: string): { readonly at: number; readonly until: number } {
  const bytes = new TextEncoder().encode(`${text}\n`);
  memory.reserve(bytes.length);
  memory.bytes.set(bytes, memory.base);
  return { at: memory.base, until: memory.base + bytes.length };
}

/** The end of what a scan of the text accepts, counted from its start; undefined where it accepts nothing. */
export function scanned(
  memory: ScanMemory,
  text: string,
  scan: (at: number, until: number) => number,
): number | undefined {
  const { at, until } = loadText(memory, text);
  const end = scan(at, until);
  return end < 0 ? undefined : end - at;
}
