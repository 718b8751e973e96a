import type { UserActionType } from '../../../src/events/enable-eth.ts';
import type { EvmActivationTalk } from '../../../src/ports/evm-activator.ts';
import type { Secret } from '../../../src/primitives/secret.ts';

/** The work was ended. */
export class Ended extends Error {}

export type TalkDouble = EvmActivationTalk & {
  /** What was told and asked, in order. */
  readonly said: readonly string[];
  readonly end: () => void;
};

/** Answers by a function, or never where it gives nothing, and ends as a task does. */
export function talkDouble(answer: (what: UserActionType) => Secret<string> | undefined): TalkDouble {
  const said: string[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  return {
    said,
    signal,
    end: () => ending.abort(),
    async tell(step) {
      if (signal.aborted) throw new Ended();
      said.push(step);
    },
    ask(what) {
      said.push(what);
      const given = answer(what);
      if (given !== undefined) return Promise.resolve(given);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Ended()), { once: true });
      });
    },
  };
}
