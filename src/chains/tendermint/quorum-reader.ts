import { canonicalJson } from '../../primitives/json.ts';
import { newsOfAll } from '../accounts/feed.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { NodeReader } from './node-reader.ts';
import type { Block, Look, Reader, Refusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type QuorumOptions = OptionsFor<NodeReader>;

/** A reader over several nodes, none of which is believed alone. */
export function createQuorumReader(options: QuorumOptions): Reader {
  const news = newsOfAll(options.readers.map((reader) => reader.news));
  const reader = quorumOf<NodeReader, Block, Look, Refusal>(options, {
    heightOf: ({ height }) => height,
    nameOf: ({ height, hash, time }) => canonicalJson([height, hash, time]),
    agreedLook,
    isKnownAlready,
  });
  return { ...reader, ...(news === undefined ? {} : { news }) };
}
