import type { Clock } from '../../ports/clock.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { type Millis, millisOf } from '../../primitives/time.ts';
import { type Agreeing, tooFew } from './agreement.ts';
import { Disagreement, LetGo, silent } from './silence.ts';
import { listedBehind, Silences, type SilencesOptions } from './silences.ts';

/** One node, which is not trusted alone. Each question fails with `BackendSilent` if it does not answer. */
export type OneNode<Block, Look, Refusal> = {
  head(): Promise<Block>;
  block(height: number): Promise<Block | null>;
  /** What it says as of a block that it has. */
  lookAt(head: Block): Look;
  /** Null if accepted. */
  send(hex: string): Promise<Refusal | null>;
};

/** What a family of chains defines about its blocks and answers. */
export type QuorumRules<Block, Look, Refusal> = {
  readonly heightOf: (block: Block) => number;
  /** The same for two blocks that are one. */
  readonly nameOf: (block: Block) => string;
  readonly agreedLook: (agreeing: Agreeing<Block, Look>) => Look;
  /** Whether a node refuses a transaction because it holds it. */
  readonly isKnownAlready: (refusal: Refusal) => boolean;
};

export type QuorumOptions<Reader> = {
  /** One for each node, asked in this order if fewer than all are enough. */
  readonly readers: readonly Reader[];
  readonly clock: Clock;
  /** How many must agree before anything counts as settled. @defaultValue 2 if there is more than one node */
  readonly quorum?: number;
  /** What it shares with other readers over the same nodes, which are then identified by their names. @defaultValue nothing */
  readonly memory?: QuorumMemory;
};

/** What readers over the same nodes know of them. */
export type QuorumMemory = {
  /** Until when a node is suspended, by its name. */
  readonly rests: Map<string, Millis>;
  /** The highest block that was settled, and when. */
  best: { readonly height: number; readonly at: Millis } | null;
  readonly silences: Silences;
};

/**
 * @param told hears of nodes that fall silent and return @defaultValue nobody does
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, createEvmQuorumReader, quorumMemory } from 'swapfold/chains/evm';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = { eth_chainId: '0x1', eth_getBlockByNumber: block };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const [readers, memory] = [[createEvmNodeReader(node, 1)], quorumMemory()];
 * await createEvmQuorumReader({ readers, clock: systemClock(), memory }).look();
 * memory.best?.height; // → 16
 * ```
 */
export function quorumMemory(told: SilencesOptions | null = null): QuorumMemory {
  return { rests: new Map(), best: null, silences: new Silences(told) };
}

/** By how many blocks the nodes' answers may fall back, and for how long a larger fall is not believed, in milliseconds. */
const MOST_BEHIND = 2;
const PATIENCE_MS = 60_000;
/** How often in a row to ask nodes that report an old block. */
const TURNS = 12;
/** How long a node that does not answer, or that lies, is suspended while there are others. */
const REST_MS = 15_000;
const LONG_REST_MS = 600_000;

type Voice<Reader> = { readonly reader: Reader; readonly name: string };
type Heard<Reader, Block> = { readonly voice: Voice<Reader>; readonly head: Block };

/** What several nodes say together: a look on which money may move, or one by as many as answer, and what is sent to all of them. */
export type Quorum<Look, Refusal> = {
  look(few?: boolean): Promise<Look>;
  send(hex: string): Promise<Refusal | null>;
};

/**
 * Several nodes, none of which is trusted alone: a block, a balance or a receipt is what a quorum of them says, as of one block that all of them
 * have. A lagging node is not asked, and one that contradicts the others is suspended for a while. For what proves itself, such as the bytes of a
 * transaction, one node is enough.
 */
export function quorumOf<
  Reader extends OneNode<Block, Look, Refusal> & { readonly name: string },
  Block,
  Look,
  Refusal,
>(options: QuorumOptions<Reader>, rules: QuorumRules<Block, Look, Refusal>): Quorum<Look, Refusal> {
  const { readers, clock, quorum = Math.min(2, readers.length) } = options;
  if (readers.length === 0 || quorum < 1 || quorum > readers.length)
    throw new RangeError(`a quorum of ${quorum} of ${readers.length} nodes`);
  const memory = options.memory ?? quorumMemory();
  // Without sharing, two readers of one name are two voices.
  const voices = readers.map((reader, place) => ({
    reader,
    name: options.memory === undefined ? String(place) : reader.name,
  }));
  const { heads, rest, wake } = voicesOf<Reader, Block>({ clock, quorum, memory, voices });
  const why = (): string => memory.silences.behind(voices.map(({ name }) => name));
  const isBehind = (height: number): boolean => memory.best !== null && height < memory.best.height - MOST_BEHIND;
  const common = async (few: boolean) => {
    const heard = await heads();
    if (heard.length === 0) throw new BackendSilent(`no node answers${why()}`);
    const need = few ? Math.min(quorum, heard.length) : quorum;
    if (heard.length < need) throw tooFew({ answered: heard.length, need, why: why() });
    return { ...(await commonBlock(heard, { need, rules })), need };
  };
  /** If all of them have fallen behind what was settled recently, they are asked again: one address may stand for several nodes. */
  const standing = async (few: boolean) => {
    for (let left = TURNS; ; left -= 1) {
      const found = await common(few);
      const height = rules.heightOf(found.head);
      const isOld = isBehind(height) && clock.now() - (memory.best?.at ?? 0) < PATIENCE_MS;
      if (!isOld) return found;
      if (left === 1)
        throw new BackendSilent(`the nodes that answered are only at block ${height}, which is in the past`);
    }
  };
  return {
    async look(few = false): Promise<Look> {
      const { head, agreeing, need } = await standing(few).catch((error: unknown) => {
        wake();
        throw error;
      });
      const height = rules.heightOf(head);
      const { best } = memory;
      const isFar = isBehind(height);
      const settled = need === quorum;
      if (settled && (best === null || height >= best.height || isFar)) memory.best = { height, at: clock.now() };
      const looks = agreeing.map((voice) => ({
        look: voice.reader.lookAt(head),
        distrust: () => rest(voice, LONG_REST_MS),
      }));
      return rules.agreedLook({ head, looks, need, settled, unsettled: wake });
    },
    send: (hex) => sendToAll(readers, { hex, isKnownAlready: rules.isKnownAlready }),
  };
}

type Voices<Reader, Block> = {
  /** The last blocks of those nodes that are not suspended and answer. */
  readonly heads: () => Promise<readonly Heard<Reader, Block>[]>;
  readonly rest: (voice: Voice<Reader>, milliseconds: number) => void;
  /** Ends the suspension of those that contradicted others: where the rest settles nothing, one of these may lie, and may have been what outvoted them. */
  readonly wake: () => void;
};

type Resting<Reader> = {
  readonly voices: readonly Voice<Reader>[];
  readonly clock: Clock;
  readonly quorum: number;
  readonly memory: QuorumMemory;
};

function voicesOf<Reader extends Pick<OneNode<Block, unknown, unknown>, 'head'>, Block>(
  resting: Resting<Reader>,
): Voices<Reader, Block> {
  const { voices, clock, quorum, memory } = resting;
  const restsUntil = ({ name }: Voice<Reader>): number => memory.rests.get(name) ?? 0;
  const rest = (voice: Voice<Reader>, milliseconds: number): void => {
    memory.rests.set(voice.name, millisOf(Math.max(restsUntil(voice), clock.now() + milliseconds)));
  };
  const heard = async (voice: Voice<Reader>): Promise<readonly Heard<Reader, Block>[]> => {
    try {
      const head = await voice.reader.head();
      memory.silences.answered(voice.name);
      return [{ voice, head }];
    } catch (error) {
      if (!(error instanceof BackendSilent)) throw error;
      if (!(error instanceof LetGo)) memory.silences.fell(voice.name, error.message);
      rest(voice, REST_MS);
      return [];
    }
  };
  return {
    async heads() {
      const awake = voices.filter((voice) => restsUntil(voice) <= clock.now());
      // If too few are left, no node is suspended.
      const asked = awake.length >= quorum ? awake : voices;
      return (await Promise.all(asked.map(heard))).flat();
    },
    rest,
    wake() {
      for (const voice of voices) if (restsUntil(voice) - clock.now() > REST_MS) memory.rests.delete(voice.name);
    },
  };
}

type Needed<Block> = {
  readonly need: number;
  readonly rules: Pick<QuorumRules<Block, never, never>, 'heightOf' | 'nameOf'>;
};
type Common<Reader, Block> = { readonly head: Block; readonly agreeing: readonly Voice<Reader>[] };

/** The highest block that enough nodes have reached, and which of them agree on it. */
async function commonBlock<Reader extends Pick<OneNode<Block, unknown, unknown>, 'block'>, Block>(
  heard: readonly Heard<Reader, Block>[],
  { need, rules: { heightOf, nameOf } }: Needed<Block>,
): Promise<Common<Reader, Block>> {
  const heights = heard.map(({ head }) => heightOf(head)).sort((left, right) => right - left);
  const height = heights[need - 1] as number;
  const there = heard.filter(({ head }) => heightOf(head) >= height);
  const found = await Promise.all(
    there.map(async ({ voice, head }) => ({
      voice,
      block: heightOf(head) === height ? head : await voice.reader.block(height).catch(silent),
    })),
  );
  const groups = new Map<string, { readonly head: Block; readonly agreeing: Voice<Reader>[] }>();
  for (const { voice, block } of found) {
    if (block === null) continue;
    const group = groups.get(nameOf(block)) ?? { head: block, agreeing: [] };
    group.agreeing.push(voice);
    groups.set(nameOf(block), group);
  }
  const enough = [...groups.values()].filter(({ agreeing }) => agreeing.length >= need);
  const [common] = enough;
  if (common === undefined || enough.length > 1) throw new Disagreement(`the nodes have different blocks ${height}`);
  // Having another block at the tip is not a lie, so it suspends no node.
  return common;
}

type Sending<Refusal> = { readonly hex: string } & Pick<QuorumRules<never, never, Refusal>, 'isKnownAlready'>;

/** Accepted if one of them accepts it. */
async function sendToAll<Refusal>(
  readers: readonly Pick<OneNode<never, unknown, Refusal>, 'send'>[],
  { hex, isKnownAlready }: Sending<Refusal>,
): Promise<Refusal | null> {
  const reasons: string[] = [];
  const heard = await Promise.all(
    readers.map((reader) =>
      reader.send(hex).then(
        (refusal) => [{ refusal }],
        (error: unknown) => silent(error, reasons) ?? [],
      ),
    ),
  );
  const answers = heard.flat();
  if (answers.some(({ refusal }) => refusal === null)) return null;
  const refusals = answers.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
  const refusal = refusals.find(isKnownAlready) ?? refusals[0];
  if (refusal === undefined) throw new BackendSilent(`no node answers${listedBehind(reasons)}`);
  return refusal;
}
