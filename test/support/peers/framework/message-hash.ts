import type { Published } from './rpc.ts';

const MASK = (1n << 64n) - 1n;

/** The id of a message: what Rust's default hasher makes of the vector of its data and of the option of its number. */
export function idOf({ data, seqno }: Pick<Published, 'data' | 'seqno'>): string {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  const some = Buffer.alloc(8);
  some.writeBigUInt64LE(seqno === null ? 0n : 1n);
  const number = Buffer.alloc(seqno?.length === 8 ? 8 : 0);
  if (seqno?.length === 8) number.writeBigUInt64LE(seqno.readBigUInt64BE());
  return sip13(Buffer.concat([length, data, some, number]))
    .toString(16)
    .padStart(16, '0');
}

type State = [bigint, bigint, bigint, bigint];

function sip13(bytes: Buffer): bigint {
  const state: State = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n];
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) absorb(state, bytes.readBigUInt64LE(at));
  const last = Buffer.alloc(8);
  bytes.copy(last, 0, whole);
  last[7] = bytes.length & 0xff;
  absorb(state, last.readBigUInt64LE());
  state[2] ^= 0xffn;
  for (let rounds = 0; rounds < 3; rounds++) round(state);
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}

function absorb(state: State, word: bigint): void {
  state[3] ^= word;
  round(state);
  state[0] ^= word;
}

function round(state: State): void {
  const turn = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & MASK;
  let [a, b, c, d] = state;
  a = (a + b) & MASK;
  c = (c + d) & MASK;
  b = turn(b, 13n) ^ a;
  d = turn(d, 16n) ^ c;
  a = turn(a, 32n);
  c = (c + b) & MASK;
  a = (a + d) & MASK;
  b = turn(b, 17n) ^ c;
  d = turn(d, 21n) ^ a;
  c = turn(c, 32n);
  [state[0], state[1], state[2], state[3]] = [a, b, c, d];
}
