import type { RuntimeChain } from '../../src/runtime/index.ts';

const ASKED = ['quote', 'payment', 'transaction', 'checkFee', 'prepare', 'broadcast'] as const;

/** A chain that counts what it is asked. */
export function countingChain(chain: RuntimeChain, count: () => void): RuntimeChain {
  const counted = { ...chain } as Record<string, unknown>;
  for (const name of ASKED) {
    counted[name] = (...given: never[]) => {
      count();
      return (chain[name] as (...given: never[]) => unknown)(...given);
    };
  }
  return counted as unknown as RuntimeChain;
}
