import { canonicalJson } from '../../primitives/json.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { EvmNodeReader } from './node-reader.ts';
import type { EvmBlock, EvmLook, EvmReader, EvmRefusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type EvmQuorumOptions = OptionsFor<EvmNodeReader>;

/**
 * A reader over several nodes, none of which is trusted alone.
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, createEvmQuorumReader } from 'swapfold/chains/evm';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const readers = ['0x10', '0x11', '0x12'].map((tip) => {
 *   const block = { hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 *   const request = async (method: string, [at]: readonly unknown[]) =>
 *     method === 'eth_chainId' ? '0x1' : { ...block, number: at === 'latest' ? tip : at };
 *   return createEvmNodeReader({ name: `a node at ${tip}`, request }, 1);
 * });
 * const { head, settled } = await createEvmQuorumReader({ readers, clock: systemClock() }).look();
 * [head.number, settled]; // → [17, true]
 * ```
 */
export function createEvmQuorumReader(options: EvmQuorumOptions): EvmReader {
  return quorumOf<EvmNodeReader, EvmBlock, EvmLook, EvmRefusal>(options, {
    heightOf: ({ number }) => number,
    nameOf: ({ number, hash, time, baseFee }) => canonicalJson([number, hash, time, String(baseFee)]),
    agreedLook,
    isKnownAlready,
  });
}
