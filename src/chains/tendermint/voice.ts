import { newsOfAll } from '../accounts/feed.ts';
import { type VoiceOptions as OptionsFor, voiceOfWays } from '../accounts/voice.ts';
import type { TendermintNode } from './node.ts';

export type TendermintVoiceOptions = OptionsFor<TendermintNode>;

/**
 * Several URLs of one host, which together have one voice. @throws RangeError without a way
 *
 * @example
 * ```ts
 * import { BackendSilent, tendermintVoiceOf } from 'swapfold/chains/tendermint';
 *
 * const silent = {
 *   name: 'over a socket',
 *   request: () => Promise.reject(new BackendSilent('no answer')),
 * };
 * const other = { name: 'over TLS', request: async (method: string) => `${method} told` };
 * const voice = tendermintVoiceOf({ name: 'node.example', ways: [silent, other] });
 * await voice.request('status', {}); // → 'status told'
 * tendermintVoiceOf({ name: 'node.example', ways: [] }); // throws RangeError
 * ```
 */
export function tendermintVoiceOf(options: TendermintVoiceOptions): TendermintNode {
  const news = newsOfAll(options.ways.map((way) => way.news));
  return { ...voiceOfWays(options), ...(news === undefined ? {} : { news }) };
}
