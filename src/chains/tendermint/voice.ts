import { newsOfAll } from '../accounts/feed.ts';
import { type VoiceOptions as OptionsFor, voiceOfWays } from '../accounts/voice.ts';
import type { TendermintNode } from './node.ts';

export type TendermintVoiceOptions = OptionsFor<TendermintNode>;

/** Several ways to whoever runs one host, which together have one voice. @throws RangeError without a way */
export function tendermintVoiceOf(options: TendermintVoiceOptions): TendermintNode {
  const news = newsOfAll(options.ways.map((way) => way.news));
  return { ...voiceOfWays(options), ...(news === undefined ? {} : { news }) };
}
