import { canonicalJson, type JsonValue } from '../../primitives/json.ts';
import { BackendSilent, type Block, CallReverted, Disagreement, type Known, type Look, TooFew } from './reader.ts';

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
  const { head, need, settled } = agreeing;
  const agreed = <T>(question: (look: Look) => Promise<T>): Promise<T> => agreement(agreeing, question);
  const all = <T>(question: (look: Look) => Promise<T>): Promise<readonly T[]> => everyone(agreeing, question);
  return {
    head,
    settled,
    call: (call) => agreed((look) => look.call(call)),
    balance: (account) => agreed((look) => look.balance(account)),
    used: (account, at) => agreed((look) => look.used(account, at)),
    receipt: (id) => agreed((look) => look.receipt(id)),
    finalized: async () => finalTo(await all((look) => look.finalized()), need),
    block: (number) => agreed((look) => look.block(number)),
    code: (account) => agreed((look) => look.code(account)),
    included: (number) => agreed((look) => look.included(number)),
    // What all of them together tell: an event counts by its receipt, bytes by their signature and a secret by its hash.
    logs: async (range) => (await all((look) => look.logs(range))).flat(),
    waiting: async () => [...new Set((await all((look) => look.waiting())).flat())],
    transaction: async (id) => knownTo(await all((look) => look.transaction(id)), need),
    promised: async (account) => reached(await all((look) => look.promised(account)), need),
    gas: async (intent) => middleOf(await all((look) => look.gas(intent))),
    price: async (kind) => middleOf(await all((look) => look.price(kind))),
  };
}

/** The largest number that as many as are needed have reached. */
function reached<T extends number | bigint>(told: readonly T[], need: number): T {
  return [...told].sort((left, right) => (left < right ? 1 : -1))[need - 1] as T;
}

/** The lower one of two in the middle: whoever makes up a price, up or down, is outvoted by as many who do not. */
function middleOf(told: readonly bigint[]): bigint {
  return [...told].sort((left, right) => (left < right ? -1 : 1))[(told.length - 1) >> 1] as bigint;
}

/** Null where none of them knows one; else what as many as are needed have reached, which is no block where too few know any. */
function finalTo(told: readonly (number | null)[], need: number): number | null {
  return told.every((one) => one === null)
    ? null
    : reached(
        told.map((one) => one ?? -1),
        need,
      );
}

/** Known where as many as are needed know it; it waits while none of them has it in a block. */
function knownTo(told: readonly (Known | null)[], need: number): Known | null {
  const known = told.filter((one) => one !== null);
  if (known.length < need) return null;
  const hex = known.find((one) => one.hex !== null)?.hex ?? null;
  return { hex, isWaiting: known.filter(({ isWaiting }) => !isWaiting).length < need };
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

type Said<T> = {
  readonly voice: VoiceLook;
  readonly outcome: { readonly value: T } | { readonly reverted: CallReverted };
};

/** Asks as many as are needed, and the others where these differ or fall silent. */
async function agreement<T>({ looks, need }: Agreeing, question: (look: Look) => Promise<T>): Promise<T> {
  const groups = new Map<string, Said<T>[]>();
  let answered = 0;
  const hear = async (voice: VoiceLook): Promise<void> => {
    const said = await ask(voice, question);
    if (said === null) return;
    answered += 1;
    const name = nameOf(said);
    groups.set(name, [...(groups.get(name) ?? []), said]);
  };
  await Promise.all(looks.slice(0, need).map(hear));
  const isClear = () => groups.size === 1 && [...groups.values()].every((group) => group.length >= need);
  if (!isClear()) await Promise.all(looks.slice(need).map(hear));
  if (answered < need) throw new TooFew(`${answered} of the ${need} nodes answer that must say the same`);
  const enough = [...groups.values()].filter((group) => group.length >= need);
  const [group] = enough;
  if (group === undefined || enough.length > 1)
    throw new Disagreement('the nodes that were asked contradict one another');
  for (const other of groups.values()) if (other !== group) for (const { voice } of other) voice.distrust();
  const { outcome } = group[0] as Said<T>;
  if ('reverted' in outcome) throw outcome.reverted;
  return outcome.value;
}

async function ask<T>(voice: VoiceLook, question: (look: Look) => Promise<T>): Promise<Said<T> | null> {
  try {
    return { voice, outcome: { value: await question(voice.look) } };
  } catch (error) {
    if (error instanceof CallReverted) return { voice, outcome: { reverted: error } };
    if (error instanceof BackendSilent) return null;
    throw error;
  }
}

function nameOf<T>({ outcome }: Said<T>): string {
  // The words of a refusal are the node's own.
  if ('reverted' in outcome) return 'reverted';
  const plain = JSON.stringify(outcome, (_, held) => (typeof held === 'bigint' ? `${held}n` : (held as unknown)));
  return canonicalJson(JSON.parse(plain) as JsonValue);
}
