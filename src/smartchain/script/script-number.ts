/** Bytes that an operand of arithmetic may have. */
export const NUMBER_BYTES = 4;
/** Bytes that a lock time may have, so that it reaches beyond 2038 (BIP 65). */
export const LOCK_TIME_BYTES = 5;

const EMPTY = new Uint8Array(0);

export type ScriptNumberOptions = {
  /** Most bytes that are read as a number, up to 6; {@link NUMBER_BYTES} by default. */
  readonly maxBytes?: number;
  /** Whether a number in a longer form than needed, such as a negative zero, is refused. No by default. */
  readonly minimal?: boolean;
};

/**
 * The number in bytes of a script: least significant byte first, the sign in the top bit of the last one. No bytes are 0.
 * Undefined where {@link ScriptNumberOptions} forbid the bytes. Exact, since six bytes stay below 2^47.
 */
export function decodeScriptNumber(bytes: Uint8Array, options: ScriptNumberOptions = {}): number | undefined {
  const { maxBytes = NUMBER_BYTES, minimal = false } = options;
  if (bytes.length > maxBytes || (minimal && !isMinimal(bytes))) return undefined;
  let value = 0;
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index] as number;
    value = value * 256 + (index === bytes.length - 1 ? byte & 0x7f : byte);
  }
  // Adding nothing keeps a negative zero from becoming JavaScript's -0.
  return isNegative(bytes) ? 0 - value : value;
}

/** The shortest bytes of a number, none for 0. @throws RangeError when it is not a safe integer. */
export function encodeScriptNumber(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a script cannot hold the number ${value}`);
  if (value === 0) return EMPTY;
  const bytes: number[] = [];
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  const sign = value < 0 ? 0x80 : 0;
  const last = bytes.length - 1;
  const top = bytes[last] as number;
  // A top bit that belongs to the number needs one more byte, which then holds nothing but the sign.
  if (top & 0x80) bytes.push(sign);
  else bytes[last] = top | sign;
  return Uint8Array.from(bytes);
}

/** Whether an element of the stack counts as true: any byte is set, other than the sign of a negative zero. */
export function scriptBoolean(bytes: Uint8Array): boolean {
  const last = bytes.length - 1;
  return bytes.some((byte, index) => byte !== 0 && !(index === last && byte === 0x80));
}

function isNegative(bytes: Uint8Array): boolean {
  return ((bytes.at(-1) ?? 0) & 0x80) !== 0;
}

function isMinimal(bytes: Uint8Array): boolean {
  const top = bytes.at(-1);
  if (top === undefined || (top & 0x7f) !== 0) return true;
  return ((bytes.at(-2) ?? 0) & 0x80) !== 0;
}
