import type { Random } from '../../ports/clock.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { ContractCase } from './contract-case.ts';

export type RandomContractCase = ContractCase;

function expectThat(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`the contract of Random is broken: expected ${claim}`);
}

function expectEqual(actual: number, expected: number, what: string): void {
  expectThat(actual === expected, `${expected} ${what}, got ${actual}`);
}

type Case = { readonly title: string; readonly check: (open: () => Random) => void };

/** Bytes of a secret of a swap. */
const SECRET = 32;

/** The most that the platform gives in one call (Web Cryptography API, getRandomValues). */
const MOST = 65_536;

function secretsOf(random: Random, count: number): Uint8Array[] {
  return Array.from({ length: count }, () => random.bytes(SECRET));
}

const CASES: readonly Case[] = [
  {
    title: 'returns as many bytes as requested',
    check: (open) => {
      const random = open();
      for (const count of [0, 1, SECRET, MOST, 1, 0]) {
        const bytes = random.bytes(count);
        expectThat(bytes instanceof Uint8Array, 'an array of bytes');
        expectEqual(bytes.length, count, 'bytes');
      }
    },
  },
  {
    title: 'returns a new array each time, which nothing but the caller changes',
    check: (open) => {
      const random = open();
      const first = random.bytes(SECRET);
      const before = bytesToHex(first);
      // More than a pool of the platform holds, should the arrays be views of one.
      for (const other of secretsOf(random, MOST / 16)) other.fill(0);
      expectThat(bytesToHex(first) === before, 'the bytes of one draw unchanged by others');
      first.fill(0xff);
      const next = random.bytes(SECRET);
      expectThat(new Set(next).size > 1, 'other bytes than those that a caller wrote');
      expectThat(
        first.every((byte) => byte === 0xff),
        'the bytes that a caller wrote',
      );
    },
  },
  {
    title: 'never returns the same 32 bytes twice, in one draw or in many',
    check: (open) => {
      const random = open();
      const long = random.bytes(MOST);
      const parts = Array.from({ length: MOST / SECRET }, (_, at) => long.slice(at * SECRET, (at + 1) * SECRET));
      const all = [...parts, ...secretsOf(random, 1000)];
      expectEqual(new Set(all.map(bytesToHex)).size, all.length, 'different secrets');
    },
  },
  {
    title: 'returns each byte value about as often as any other',
    check: (open) => {
      const counts = new Map<number, number>();
      for (const byte of open().bytes(MOST)) counts.set(byte, (counts.get(byte) ?? 0) + 1);
      // 256 of each are expected, with a deviation of 16: a sound source leaves these bounds in less than one of 10^10 runs.
      for (let value = 0; value < 256; value += 1) {
        const count = counts.get(value) ?? 0;
        expectThat(count > 128 && count < 384, `the byte ${value} about 256 times in ${MOST}, got ${count}`);
      }
    },
  },
  {
    title: 'returns different bytes after it is reopened',
    check: (open) => {
      const secrets = Array.from({ length: 5 }, () => bytesToHex(open().bytes(SECRET)));
      expectEqual(new Set(secrets).size, secrets.length, 'different first secrets');
    },
  },
];

/**
 * What every source of secrets must do for the runtime. A case opens one, or several where they must differ.
 *
 * @example
 * ```ts
 * import { systemRandom } from 'swapfold/runtime';
 * import { randomContract, xorshift32 } from 'swapfold/testing';
 *
 * const broken: string[] = [];
 * const cases = randomContract(() => systemRandom);
 * for (const { title, run } of cases) await run().catch(() => broken.push(title));
 * broken; // → []
 * const seeded = () => ({ bytes: (count: number) => new Uint8Array(count).map(xorshift32(7).next) });
 * const [, , , , anew] = randomContract(seeded);
 * anew?.run(); // throws Error
 * ```
 */
export function randomContract(open: () => Random): readonly RandomContractCase[] {
  return CASES.map(({ title, check }) => ({ title, run: async () => check(open) }));
}
