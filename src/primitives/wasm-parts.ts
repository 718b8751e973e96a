// Building blocks of hand-written WebAssembly modules. Sections are a number, the length of the body and the body
// (WebAssembly specification 2.0, §5.5).

/** The header of every module. */
export const WASM_HEADER: readonly number[] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** An unsigned number in LEB128. */
export function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

/** A signed number in LEB128, as constants are written. */
export function signedLeb(value: number): number[] {
  const last = value >= -0x40 && value < 0x40;
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signedLeb(value >> 7)];
}

/** Items preceded by their count. */
export function list(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

/** A section of a module. */
export function section(id: number, body: readonly number[]): number[] {
  return [id, ...leb(body.length), ...body];
}

/** A name in ASCII. */
export function name(text: string): number[] {
  return [...leb(text.length), ...[...text].map((character) => character.charCodeAt(0))];
}

export const get = (local: number): readonly number[] => [0x20, local];
export const set = (local: number): readonly number[] => [0x21, local];
/** Sets a local, and leaves its value on the stack. */
export const tee = (local: number): readonly number[] => [0x22, local];

/** The code of a function: its locals by type, and its instructions without the last `end`. */
export function func(locals: readonly (readonly number[])[], ...body: readonly (readonly number[])[]): number[] {
  const code = [...list(locals), ...body.flat(), 0x0b];
  return [...leb(code.length), ...code];
}
