/** Four words of 64 bits, each as its low and its high half. */
type State = Int32Array;

const [V0, V1, V2, V3] = [0, 2, 4, 6] as const;

/** SipHash with one round a word and three at the end, under a key of zeros; 8 bytes in hex, highest first. */
export function sipHash13(bytes: Uint8Array): string {
  // "somepseudorandomlygeneratedbytes", lowest half first.
  const state = Int32Array.of(
    0x70736575,
    0x736f6d65,
    0x6e646f6d,
    0x646f7261,
    0x6e657261,
    0x6c796765,
    0x79746573,
    0x74656462,
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) absorb(state, view.getInt32(at, true), view.getInt32(at + 4, true));
  const last = new DataView(new ArrayBuffer(8));
  for (let index = whole; index < bytes.length; index++) last.setUint8(index - whole, bytes[index] as number);
  last.setUint8(7, bytes.length & 0xff);
  absorb(state, last.getInt32(0, true), last.getInt32(4, true));
  state[V2] = word(state, V2) ^ 0xff;
  for (let round = 0; round < 3; round++) mix(state);
  const half = (of: 0 | 1): string => {
    const folded = word(state, V0 + of) ^ word(state, V1 + of) ^ word(state, V2 + of) ^ word(state, V3 + of);
    return (folded >>> 0).toString(16).padStart(8, '0');
  };
  return half(1) + half(0);
}

function word(state: State, index: number): number {
  return state[index] as number;
}

function absorb(state: State, low: number, high: number): void {
  state[V3] = word(state, V3) ^ low;
  state[V3 + 1] = word(state, V3 + 1) ^ high;
  mix(state);
  state[V0] = word(state, V0) ^ low;
  state[V0 + 1] = word(state, V0 + 1) ^ high;
}

function mix(state: State): void {
  step(state, V0, { from: V1, turn: 13 });
  turn(state, V0, 32);
  step(state, V2, { from: V3, turn: 16 });
  step(state, V0, { from: V3, turn: 21 });
  step(state, V2, { from: V1, turn: 17 });
  turn(state, V2, 32);
}

/** Adds one word to another, turns it, and folds what came out into it. */
function step(state: State, into: number, { from, turn: by }: { readonly from: number; readonly turn: number }): void {
  const low = (word(state, into) >>> 0) + (word(state, from) >>> 0);
  state[into + 1] = word(state, into + 1) + word(state, from + 1) + (low > 0xffff_ffff ? 1 : 0);
  state[into] = low;
  turn(state, from, by);
  state[from] = word(state, from) ^ word(state, into);
  state[from + 1] = word(state, from + 1) ^ word(state, into + 1);
}

/** Turns a word to the left by 1 to 32 bits. */
function turn(state: State, index: number, by: number): void {
  const [low, high] = [word(state, index), word(state, index + 1)];
  if (by === 32) {
    state[index] = high;
    state[index + 1] = low;
    return;
  }
  state[index] = (low << by) | (high >>> (32 - by));
  state[index + 1] = (high << by) | (low >>> (32 - by));
}
