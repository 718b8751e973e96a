import { BackendSilent } from '../../ports/silence.ts';
import type { AskedNode } from './node.ts';
import { AnswerTooLong, LetGo } from './silence.ts';

export type VoiceOptions<Node> = {
  /** The name that identifies the voice. */
  readonly name: string;
  /** Nodes that count as one, at least one, in the order in which to try them. */
  readonly ways: readonly Node[];
};

/**
 * Several urls of one host, which together have one voice. The first that is not silent answers a call, and is asked first from then on.
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
      const isTooLong = !silences.some((error) => !(error instanceof AnswerTooLong));
      throw others.length === 0 || isLetGo || isTooLong
        ? only
        : new BackendSilent([...new Set(silences.map(({ message }) => message))].join('; '));
    },
  };
}
