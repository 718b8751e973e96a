import { canonicalJson } from '../../primitives/json.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { EvmNodeReader } from './node-reader.ts';
import type { EvmBlock, EvmLook, EvmReader, EvmRefusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type EvmQuorumOptions = OptionsFor<EvmNodeReader>;

/** A reader over several nodes, none of which is believed alone. */
export function createEvmQuorumReader(options: EvmQuorumOptions): EvmReader {
  return quorumOf<EvmNodeReader, EvmBlock, EvmLook, EvmRefusal>(options, {
    heightOf: ({ number }) => number,
    nameOf: ({ number, hash, time, baseFee }) => canonicalJson([number, hash, time, String(baseFee)]),
    agreedLook,
    isKnownAlready,
  });
}
