import { canonicalJson } from '../../primitives/json.ts';
import { newsOfAll } from '../accounts/feed.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { TendermintNodeReader } from './node-reader.ts';
import type { TendermintBlock, TendermintLook, TendermintReader, TendermintRefusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type TendermintQuorumOptions = OptionsFor<TendermintNodeReader>;

/** A reader over several nodes, none of which is believed alone. */
export function createTendermintQuorumReader(options: TendermintQuorumOptions): TendermintReader {
  const news = newsOfAll(options.readers.map((reader) => reader.news));
  const reader = quorumOf<TendermintNodeReader, TendermintBlock, TendermintLook, TendermintRefusal>(options, {
    heightOf: ({ height }) => height,
    nameOf: ({ height, hash, time }) => canonicalJson([height, hash, time]),
    agreedLook,
    isKnownAlready,
  });
  return { ...reader, ...(news === undefined ? {} : { news }) };
}
