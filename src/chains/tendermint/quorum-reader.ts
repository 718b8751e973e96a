import { canonicalJson } from '../../primitives/json.ts';
import { newsOfAll } from '../accounts/feed.ts';
import { type QuorumOptions as OptionsFor, quorumOf } from '../accounts/quorum.ts';
import { agreedLook } from './agreed-look.ts';
import type { TendermintNodeReader } from './node-reader.ts';
import type { TendermintBlock, TendermintLook, TendermintReader, TendermintRefusal } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type TendermintQuorumOptions = OptionsFor<TendermintNodeReader>;

/**
 * A reader over several nodes, none of which is trusted alone.
 *
 * @example
 * ```ts
 * import {
 *   createTendermintNodeReader, createTendermintQuorumReader, type TendermintNode,
 * } from 'swapfold/chains/tendermint';
 * import { decimalOf, unixSecondsOf } from 'swapfold/htlc';
 * import { systemClock } from 'swapfold/runtime';
 * import { createCometChain, createCometNode } from 'swapfold/testing';
 *
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const rules = { ...ids, feeDenom: 'uiris', gasPrice: decimalOf('0.2'), blockTime: 5 };
 * const chain = createCometChain({ ...rules, startTime: unixSecondsOf(1_700_000_000) });
 * chain.mine(9);
 * const readers = [0, 1, 2].map((late) => {
 *   const comet = createCometNode(chain, { shows: (tip) => tip - late });
 *   const request: TendermintNode['request'] = async (...call) => comet.request(...call);
 *   return createTendermintNodeReader({ name: `${late} blocks late`, request }, ids);
 * });
 * const quorum = createTendermintQuorumReader({ readers, clock: systemClock() });
 * const { head, settled } = await quorum.look();
 * [head.height, settled]; // → [9, true]
 * ```
 */
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
