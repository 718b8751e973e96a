import { type VoiceOptions as OptionsFor, voiceOfWays } from '../accounts/voice.ts';
import type { EvmNode } from './node.ts';

export type EvmVoiceOptions = OptionsFor<EvmNode>;

/**
 * Several ways to the operator of one host, which together have one vote. Each must prove the chain. @throws RangeError without a way
 *
 * @example
 * ```ts
 * import { BackendSilent, type EvmNode, evmVoiceOf } from 'swapfold/chains/evm';
 *
 * const silent: EvmNode = {
 *   name: 'over TLS',
 *   request: () => Promise.reject(new BackendSilent('no answer')),
 * };
 * const other: EvmNode = { name: 'over a socket', request: async () => '0x1' };
 * const voice = evmVoiceOf({ name: 'node.example', ways: [silent, other] });
 * await voice.request('eth_chainId', []); // → '0x1'
 * evmVoiceOf({ name: 'node.example', ways: [] }); // throws RangeError
 * ```
 */
export function evmVoiceOf(options: EvmVoiceOptions): EvmNode {
  const { ways } = options;
  const heldTo = ways.every((way) => way.heldTo === ways[0]?.heldTo) ? ways[0]?.heldTo : undefined;
  return { ...voiceOfWays(options), ...(heldTo === undefined ? {} : { heldTo }) };
}
