import type { EvmNode } from './node.ts';
import { BackendSilent } from './reader.ts';

export type VoiceOptions = {
  /** By which it is told from other voices. */
  readonly name: string;
  /** Nodes that count as one, at least one: in this order they are tried. */
  readonly ways: readonly EvmNode[];
};

/**
 * Several ways to whoever runs one host, which together have one voice. A call is answered by the first that is not silent, and that one is asked first
 * from then on.
 *
 * @throws RangeError without a way
 */
export function voiceOf({ name, ways }: VoiceOptions): EvmNode {
  const [first, ...others] = ways;
  if (first === undefined) throw new RangeError(`nobody speaks for ${name}`);
  let order: readonly EvmNode[] = [first, ...others];
  const heldTo = ways.every((way) => way.heldTo === first.heldTo) ? first.heldTo : undefined;
  return {
    name,
    ...(heldTo === undefined ? {} : { heldTo }),
    async request(method, params) {
      let last: unknown;
      for (const way of order) {
        try {
          const answer = await way.request(method, params);
          if (order[0] !== way) order = [way, ...order.filter((one) => one !== way)];
          return answer;
        } catch (error) {
          if (!(error instanceof BackendSilent)) throw error;
          last = error;
        }
      }
      throw last;
    },
  };
}
