import { canonicalJson, type JsonValue } from '../../primitives/json.ts';
import { Disagreement, silent, TooFew } from './silence.ts';
import { listedBehind } from './silences.ts';

/** One node's look, and how to suspend the node for a while. */
export type VoiceLook<Look> = { readonly look: Look; readonly distrust: () => void };

export type Agreeing<Block, Look> = {
  readonly head: Block;
  /** All at the same block. */
  readonly looks: readonly VoiceLook<Look>[];
  /** How many must say the same. */
  readonly need: number;
  readonly settled: boolean;
  /** Hears that these do not settle a question, so that those that are suspended are asked again. @defaultValue nobody hears */
  readonly unsettled?: () => void;
};

type Asked<Look> = Pick<Agreeing<unknown, Look>, 'looks' | 'need' | 'unsettled'>;
type Question<Look, T> = (look: Look) => Promise<T>;

/** What all nodes that answer say, if they are enough. @throws TooFew */
export async function everyone<Look, T>(
  { looks, need, unsettled }: Asked<Look>,
  question: Question<Look, T>,
): Promise<readonly T[]> {
  const reasons: string[] = [];
  const told = await Promise.all(looks.map(({ look }) => answerOf(look, { question, reasons })));
  const answers = told.flat();
  if (answers.length < need) {
    unsettled?.();
    throw tooFew({ answered: answers.length, need, why: listedBehind(reasons) });
  }
  return answers;
}

type Asking<Look, T> = { readonly question: Question<Look, T>; readonly reasons: string[] };

/** None if the node is silent; its reason joins the others. */
function answerOf<Look, T>(look: Look, { question, reasons }: Asking<Look, T>): Promise<readonly T[]> {
  return question(look).then(
    (value) => [value],
    (error: unknown) => silent(error, reasons) ?? [],
  );
}

type Few = { readonly answered: number; readonly need: number; readonly why: string };

export function tooFew({ answered, need, why }: Few): TooFew {
  return new TooFew(`${answered} of the ${need} nodes that must agree answered${why}`);
}

type Said<Look, T> = { readonly voice: VoiceLook<Look>; readonly value: T };

/** Asks as many as are needed, and the others if these differ or fall silent. @throws TooFew; Disagreement */
export async function agreement<Look, T>(
  { looks, need, unsettled }: Asked<Look>,
  question: Question<Look, T>,
  /** A key that is equal for equal answers. */
  { nameOf = wholeName }: { readonly nameOf?: (value: T) => string } = {},
): Promise<T> {
  const groups = new Map<string, Said<Look, T>[]>();
  let answered = 0;
  const reasons: string[] = [];
  const hear = async (voice: VoiceLook<Look>): Promise<void> => {
    for (const value of await answerOf(voice.look, { question, reasons })) {
      answered += 1;
      const name = nameOf(value);
      groups.set(name, [...(groups.get(name) ?? []), { voice, value }]);
    }
  };
  await Promise.all(looks.slice(0, need).map(hear));
  const isClear = () => groups.size === 1 && [...groups.values()].every((group) => group.length >= need);
  if (!isClear()) await Promise.all(looks.slice(need).map(hear));
  const enough = [...groups.values()].filter((group) => group.length >= need);
  const [group] = enough;
  const [said] = group ?? [];
  if (said === undefined || enough.length > 1) {
    unsettled?.();
    if (answered < need) throw tooFew({ answered, need, why: listedBehind(reasons) });
    throw new Disagreement('the nodes that were asked contradict one another');
  }
  for (const other of groups.values()) if (other !== group) for (const { voice } of other) voice.distrust();
  return said.value;
}

/** By everything in a value. */
export function wholeName(value: unknown): string {
  const plain = JSON.stringify({ value }, (_, held) => (typeof held === 'bigint' ? `${held}n` : (held as unknown)));
  return canonicalJson(JSON.parse(plain) as JsonValue);
}

/** The largest number that enough nodes have reached. */
export function reached<T extends number | bigint>(told: readonly T[], need: number): T {
  return [...told].sort((left, right) => (left < right ? 1 : -1))[need - 1] as T;
}

/** The lower median: a node that invents a number, too high or too low, is outvoted by as many honest ones. Needs at least one value. */
export function middleOf(told: readonly bigint[]): bigint {
  return [...told].sort((left, right) => (left < right ? -1 : 1))[(told.length - 1) >> 1] as bigint;
}
