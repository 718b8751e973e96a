import type { Clock } from '../../ports/clock.ts';
import { canonicalJson } from '../../primitives/json.ts';
import { agreedLook } from './agreed-look.ts';
import type { NodeReader } from './node-reader.ts';
import { BackendSilent, type Block, Disagreement, type Look, type Reader, type Refusal, TooFew } from './reader.ts';
import { isKnownAlready } from './refusals.ts';

export type QuorumOptions = {
  /** One for each node, asked in this order where fewer than all will do. */
  readonly readers: readonly NodeReader[];
  readonly clock: Clock;
  /** How many must say the same before anything is settled. @defaultValue 2 where there is more than one node */
  readonly quorum?: number;
};

/** Blocks by which what the nodes say may fall back, and for how long it is not believed when it is more, in milliseconds. */
const MOST_BEHIND = 2;
const PATIENCE_MS = 60_000;
/** For how long a node that does not answer, or that says what is not so, is left alone while there are others. */
const REST_MS = 15_000;
const LONG_REST_MS = 600_000;

type Voice = { readonly reader: NodeReader; restsUntil: number };
type Heard = { readonly voice: Voice; readonly head: Block };

/**
 * A reader over several nodes, none of which is believed alone: a block, a balance, a receipt is what as many as the quorum say alike, as of one
 * block that all of them have. Who is behind is not asked, who contradicts the others is left alone for a while. What proves itself, such as the bytes of
 * a transaction, one of them may tell.
 */
export function createQuorumReader({ readers, clock, quorum = Math.min(2, readers.length) }: QuorumOptions): Reader {
  if (readers.length === 0 || quorum < 1 || quorum > readers.length)
    throw new RangeError(`a quorum of ${quorum} of ${readers.length} nodes`);
  const voices: readonly Voice[] = readers.map((reader) => ({ reader, restsUntil: 0 }));
  const rest = (voice: Voice, milliseconds: number): void => {
    voice.restsUntil = Math.max(voice.restsUntil, clock.now() + milliseconds);
  };
  let best: { readonly height: number; readonly at: number } | null = null;
  const heads = async (): Promise<readonly Heard[]> => {
    const awake = voices.filter(({ restsUntil }) => restsUntil <= clock.now());
    // Where too few are left nobody rests.
    const asked = awake.length >= quorum ? awake : voices;
    const heard = await Promise.all(
      asked.map(async (voice) => {
        try {
          return [{ voice, head: await voice.reader.head() }];
        } catch (error) {
          if (!(error instanceof BackendSilent)) throw error;
          rest(voice, REST_MS);
          return [];
        }
      }),
    );
    return heard.flat();
  };
  /** Whether all of them have fallen back behind what was settled not long ago. */
  const isPast = (height: number): boolean =>
    best !== null && height < best.height - MOST_BEHIND && clock.now() - best.at < PATIENCE_MS;
  const note = (height: number): void => {
    if (best === null || height >= best.height || isBelievedAgain(height)) best = { height, at: clock.now() };
  };
  const isBelievedAgain = (height: number): boolean => best !== null && height < best.height - MOST_BEHIND;
  return {
    async look(few = false): Promise<Look> {
      const heard = await heads();
      if (heard.length === 0) throw new BackendSilent('no node answers');
      const need = few ? Math.min(quorum, heard.length) : quorum;
      if (heard.length < need) throw new TooFew(`${heard.length} of the ${need} nodes answer that must say the same`);
      const { head, agreeing } = await commonBlock(heard, need);
      if (isPast(head.height))
        throw new BackendSilent(`the nodes that answer are at block ${head.height}, in the past`);
      const settled = need === quorum;
      if (settled) note(head.height);
      const looks = agreeing.map((voice) => ({
        look: voice.reader.lookAt(head),
        distrust: () => rest(voice, LONG_REST_MS),
      }));
      return agreedLook({ head, looks, need, settled });
    },
    send: (hex) => sendToAll(readers, hex),
  };
}

type Common = { readonly head: Block; readonly agreeing: readonly Voice[] };

/** The highest block that as many nodes have reached as are needed, and who has the same there. */
async function commonBlock(heard: readonly Heard[], need: number): Promise<Common> {
  const heights = heard.map(({ head }) => head.height).sort((left, right) => right - left);
  const height = heights[need - 1] as number;
  const there = heard.filter(({ head }) => head.height >= height);
  const found = await Promise.all(
    there.map(async ({ voice, head }) => ({
      voice,
      block: head.height === height ? head : await voice.reader.block(height).catch(silent),
    })),
  );
  const groups = new Map<string, { readonly head: Block; readonly agreeing: Voice[] }>();
  for (const { voice, block } of found) {
    if (block === null) continue;
    const name = canonicalJson([block.height, block.hash, block.time]);
    const group = groups.get(name) ?? { head: block, agreeing: [] };
    group.agreeing.push(voice);
    groups.set(name, group);
  }
  const enough = [...groups.values()].filter(({ agreeing }) => agreeing.length >= need);
  const [common] = enough;
  if (common === undefined || enough.length > 1) throw new Disagreement(`the nodes have different blocks ${height}`);
  // To have another block at the tip is no lie, so that nobody is left alone for it.
  return common;
}

function silent(error: unknown): null {
  if (error instanceof BackendSilent) return null;
  throw error;
}

/** Taken where one of them takes it. */
async function sendToAll(readers: readonly NodeReader[], hex: string): Promise<Refusal | null> {
  const answers = await Promise.all(
    readers.map((reader) =>
      reader.send(hex).catch((error: unknown) => {
        if (error instanceof BackendSilent) return 'silent' as const;
        throw error;
      }),
    ),
  );
  if (answers.includes(null)) return null;
  const refusals = answers.filter((answer) => answer !== 'silent' && answer !== null);
  const refusal = refusals.find(isKnownAlready) ?? refusals[0];
  if (refusal === undefined) throw new BackendSilent('no node answers');
  return refusal;
}
