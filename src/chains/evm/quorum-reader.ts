import { canonicalJson } from '../../primitives/json.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { NodeReader } from './node-reader.ts';
import type { Block, Look, Reader, Refusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type QuorumOptions = OptionsFor<NodeReader>;

/** A reader over several nodes, none of which is believed alone. */
export function createQuorumReader(options: QuorumOptions): Reader {
  return quorumOf<NodeReader, Block, Look, Refusal>(options, {
    heightOf: ({ number }) => number,
    nameOf: ({ number, hash, time, baseFee }) => canonicalJson([number, hash, time, String(baseFee)]),
    agreedLook,
    isKnownAlready,
  });
}
