import type { Answer, ChainFault } from '../../ports/chain.ts';
import { type Height, heightOf } from '../../primitives/time.ts';
import { fault, unanswered } from './answers.ts';
import type { Parts } from './parts.ts';
import type { Tip, UtxoReader } from './reader.ts';

export type Ask = <T>(question: (tip: Tip) => Answer<T> | Promise<Answer<T>>) => Promise<Answer<T>>;
/** `doubted`: what the fault carries of an answer that too few servers gave. @defaultValue nothing */
export type AskSettled = <T>(
  question: (tip: Tip) => Answer<T> | Promise<Answer<T>>,
  doubted?: (value: T) => Partial<ChainFault>,
) => Promise<Answer<T>>;

/** How questions are put to a reader, each after a look. */
export function questionsTo(
  reader: UtxoReader,
  sync: UtxoReader['sync'],
): { readonly asked: Ask; readonly settled: AskSettled } {
  const asked: Ask = (question) => sync().then(question).catch(unanswered);
  return {
    asked,
    /** What money depends on: too few servers are the fault that nobody answers. */
    async settled(question, doubted = () => ({})) {
      const before = reader.looks?.() ?? 0;
      const answer = await asked(question);
      const doubt = reader.doubt?.(before) ?? null;
      if (doubt === null || !answer.ok) return answer;
      return { ok: false, fault: { kind: 'unavailable', message: doubt, ...doubted(answer.value) } };
    },
  };
}

/** Remembers where the chain stood at the last look. */
export function remembering(reader: UtxoReader): Pick<UtxoReader, 'sync'> & { readonly height: () => Height | null } {
  let height: Height | null = null;
  const note = (tip: Tip): Tip => {
    height = heightOf(tip.height);
    return tip;
  };
  return { sync: () => reader.sync().then(note), height: () => height };
}

/** Questions of a wallet that knows all of its coins, or says that it does not. */
export function knowingCoins(parts: Pick<Parts, 'reader' | 'purse' | 'birth'>, settled: Ask) {
  const { reader, purse } = parts;
  return <T>(question: (tip: Tip) => Answer<T> | Promise<Answer<T>>, by: Ask = settled): Promise<Answer<T>> =>
    by(async (tip) => {
      for (const script of purse.scripts) {
        if (!(await reader.follow(script, parts.birth)))
          return fault('unknown', 'the wallet’s history is still being read');
      }
      return question(tip);
    });
}
