import { BackendSilent } from '../../ports/silence.ts';
import type { AskedNode } from './node.ts';
import { LetGo } from './silence.ts';

export type VoiceOptions<Node> = {
  /** By which it is told from other voices. */
  readonly name: string;
  /** Nodes that count as one, at least one: in this order they are tried. */
  readonly ways: readonly Node[];
};

/**
 * Several ways to whoever runs one host, which together have one voice. A call is answered by the first that is not silent, and that one is asked first
 * from then on.
 *
 * @throws RangeError without a way
 */
export function voiceOfWays<Params>({ name, ways }: VoiceOptions<AskedNode<Params>>): AskedNode<Params> {
  if (ways.length === 0) throw new RangeError(`no node was given for ${name}`);
  let order = ways;
  return {
    name,
    async request(method, params) {
      const silences: BackendSilent[] = [];
      for (const way of order) {
        try {
          const answer = await way.request(method, params);
          if (order[0] !== way) order = [way, ...order.filter((one) => one !== way)];
          return answer;
        } catch (error) {
          if (!(error instanceof BackendSilent)) throw error;
          silences.push(error);
        }
      }
      const [only, ...others] = silences;
      const isLetGo = !silences.some((error) => !(error instanceof LetGo));
      throw others.length === 0 || isLetGo
        ? only
        : new BackendSilent([...new Set(silences.map(({ message }) => message))].join('; '));
    },
  };
}
