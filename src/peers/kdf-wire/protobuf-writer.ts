/** Writes the fields of a protobuf message, each as it comes. */
export type ProtobufWriter = {
  /** A whole number of at least 0, at most 2^53 - 1. */
  readonly number: (field: number, value: number) => void;
  readonly bytes: (field: number, value: Uint8Array) => void;
  readonly text: (field: number, value: string) => void;
  readonly done: () => Uint8Array;
};

const LENGTH_DELIMITED = 2;

export function protobufWriter(): ProtobufWriter {
  const parts: Uint8Array[] = [];
  const bytes = (field: number, value: Uint8Array): void => {
    parts.push(varint(field * 8 + LENGTH_DELIMITED), varint(value.length), value);
  };
  return {
    number: (field, value) => void parts.push(varint(field * 8), varint(value)),
    bytes,
    text: (field, value) => bytes(field, new TextEncoder().encode(value)),
    done: () => join(parts),
  };
}

/** Seven bits a byte, lowest first. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** The bytes of all parts, one behind the other. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
