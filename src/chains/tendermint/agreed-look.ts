import { canonicalJson, type JsonValue } from '../../primitives/json.ts';
import { BackendSilent, type Block, Disagreement, type Look, TooFew } from './reader.ts';

/** One node's look, and how to leave the node alone for a while. */
export type VoiceLook = { readonly look: Look; readonly distrust: () => void };

export type Agreeing = {
  readonly head: Block;
  /** All at the same block. */
  readonly looks: readonly VoiceLook[];
  /** How many must say the same. */
  readonly need: number;
  readonly settled: boolean;
};

/** A look of several nodes at one block: each answer is what as many of them say alike as are needed. */
export function agreedLook(agreeing: Agreeing): Look {
  const { head, settled } = agreeing;
  const agreed = <T>(question: (look: Look) => Promise<T>): Promise<T> => agreement(agreeing, question);
  const all = <T>(question: (look: Look) => Promise<T>): Promise<readonly T[]> => everyone(agreeing, question);
  return {
    head,
    settled,
    account: (address, at) => agreed((look) => look.account(address, at)),
    balance: (owned) => agreed((look) => look.balance(owned)),
    payment: (id) => agreed((look) => look.payment(id)),
    included: (id) => agreed((look) => look.included(id)),
    block: (height) => agreed((look) => look.block(height)),
    contents: (height) => agreed((look) => look.contents(height)),
    // What all of them together tell: a transaction that was found counts by what they agree on of it, and a secret by its hash.
    search: async (event) => [...new Set((await all((look) => look.search(event))).flat())],
    waiting: async () => [...new Set((await all((look) => look.waiting())).flat())],
    gas: async (hex) => middleOf((await all((look) => look.gas(hex))).filter((gas) => gas !== null)),
  };
}

/** The lower one of two in the middle: whoever makes up a number, up or down, is outvoted by as many who do not. */
function middleOf(told: readonly bigint[]): bigint | null {
  return [...told].sort((left, right) => (left < right ? -1 : 1))[(told.length - 1) >> 1] ?? null;
}

/** What all say that answer, as many as are needed at least. */
async function everyone<T>({ looks, need }: Agreeing, question: (look: Look) => Promise<T>): Promise<readonly T[]> {
  const told = await Promise.all(looks.map(({ look }) => question(look).then((value) => [value], silent)));
  const answers = told.flat();
  if (answers.length < need) throw new TooFew(`${answers.length} of the ${need} nodes answer that must say the same`);
  return answers;
}

function silent(error: unknown): readonly never[] {
  if (error instanceof BackendSilent) return [];
  throw error;
}

type Said<T> = { readonly voice: VoiceLook; readonly value: T };

/** Asks as many as are needed, and the others where these differ or fall silent. */
async function agreement<T>({ looks, need }: Agreeing, question: (look: Look) => Promise<T>): Promise<T> {
  const groups = new Map<string, Said<T>[]>();
  let answered = 0;
  const hear = async (voice: VoiceLook): Promise<void> => {
    for (const value of await question(voice.look).then((told) => [told], silent)) {
      answered += 1;
      const name = nameOf(value);
      groups.set(name, [...(groups.get(name) ?? []), { voice, value }]);
    }
  };
  await Promise.all(looks.slice(0, need).map(hear));
  const isClear = () => groups.size === 1 && [...groups.values()].every((group) => group.length >= need);
  if (!isClear()) await Promise.all(looks.slice(need).map(hear));
  if (answered < need) throw new TooFew(`${answered} of the ${need} nodes answer that must say the same`);
  const enough = [...groups.values()].filter((group) => group.length >= need);
  const [group] = enough;
  const [said] = group ?? [];
  if (said === undefined || enough.length > 1)
    throw new Disagreement('the nodes that were asked contradict one another');
  for (const other of groups.values()) if (other !== group) for (const { voice } of other) voice.distrust();
  return said.value;
}

function nameOf(value: unknown): string {
  const plain = JSON.stringify({ value }, (_, held) => (typeof held === 'bigint' ? `${held}n` : (held as unknown)));
  return canonicalJson(JSON.parse(plain) as JsonValue);
}
