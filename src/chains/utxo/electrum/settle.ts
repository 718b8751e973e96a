import { BackendSilent } from '../../../ports/silence.ts';
import type { Branch } from './branch.ts';
import type { ElectrumCall } from './connection.ts';
import type { Claim, Entry } from './histories.ts';
import { provenRoot } from './merkle-proof.ts';
import { type ElectrumVoice, Unsteady, VoiceAtFault } from './panel.ts';
import { type Stand, standOf } from './tips.ts';

/** Proven positions of transactions: the block's hash by `txid height`. */
export type Proven = Map<string, string>;

export type Settling = {
  readonly branch: Branch;
  readonly proven: Proven;
  readonly stands: readonly Stand[];
  /** How many servers must agree on what is not proven. */
  readonly need: number;
};

/** A transaction, with the height that each server gives. */
type Places = ReadonlyMap<number | null, readonly ElectrumVoice[]>;

/**
 * What holds of a history: what one server proves to be in a block is there, whoever is silent about it; of what lies too deep to be proven, and
 * of what waits, it takes as many servers as are needed.
 *
 * @throws VoiceAtFault where a proof is none; BackendSilent where servers differ about what cannot be proven; Unsteady, ConnectionLost
 */
export async function settle(claims: readonly Claim[], settling: Settling): Promise<readonly Entry[]> {
  const byId = placesOf(claims, settling.branch.tip?.height ?? -1);
  await prove(byId, settling);
  const settled: Entry[] = [];
  for (const [txid, places] of byId) {
    const height = heightOf(txid, { places, told: claims.length }, settling);
    if (height !== undefined) settled.push({ txid, height });
  }
  return settled;
}

type Reported = {
  readonly places: Places;
  /** How many servers tell the history. */
  readonly told: number;
};

/** Null for one that waits; undefined if too few servers report it. @throws BackendSilent where they differ so that neither can be told */
function heightOf(
  txid: string,
  { places, told }: Reported,
  { branch, proven, need }: Settling,
): number | null | undefined {
  let isUnsettled = false;
  for (const [height, voices] of places) {
    if (height === null) continue;
    if (proven.get(`${txid} ${height}`) === (branch.at(height)?.hash ?? '') || voices.length >= need) return height;
    isUnsettled = true;
  }
  if ((places.get(null)?.length ?? 0) >= need) return null;
  const silent = told - new Set([...places.values()].flat()).size;
  // Or any server could stop all by making up something that nobody can disprove.
  if (isUnsettled && silent < need)
    throw new BackendSilent(`Electrum servers report different heights of transaction ${txid}`);
  return undefined;
}

/** Anything above the agreed block counts as waiting for now. */
function placesOf(claims: readonly Claim[], tip: number): ReadonlyMap<string, Places> {
  const byId = new Map<string, Map<number | null, ElectrumVoice[]>>();
  for (const { voice, entries } of claims) {
    for (const { txid, height } of entries) {
      const places = byId.get(txid) ?? new Map<number | null, ElectrumVoice[]>();
      byId.set(txid, places);
      const at = height === null || height > tip ? null : height;
      const others = places.get(at) ?? [];
      // Whoever tells of it twice is not two.
      if (!others.includes(voice)) places.set(at, [...others, voice]);
    }
  }
  return byId;
}

type Question = { readonly txid: string; readonly height: number };

/** How many proofs are asked for before they are checked: a server may make up any number of positions, and let each answer wait. */
const PROVEN_AT_ONCE = 100;

/** Proves everything provable that is not proven yet, with a server that reports it. */
async function prove(byId: ReadonlyMap<string, Places>, settling: Settling): Promise<void> {
  const { branch, proven, stands } = settling;
  const questions = new Map<ElectrumVoice, Question[]>();
  for (const [txid, places] of byId) {
    for (const [height, [voice]] of places) {
      if (height === null || voice === undefined || !branch.isProvable(height)) continue;
      if (proven.get(`${txid} ${height}`) === (branch.at(height)?.hash ?? '')) continue;
      questions.set(voice, [...(questions.get(voice) ?? []), { txid, height }]);
    }
  }
  const heights = [...questions.values()].flat().map(({ height }) => height);
  if (heights.length > 0)
    await branch.reach(
      Math.min(...heights),
      stands.map(({ voice }) => voice),
    );
  for (const [voice, asked] of questions) {
    for (let from = 0; from < asked.length; from += PROVEN_AT_ONCE)
      await proveAll(asked.slice(from, from + PROVEN_AT_ONCE), voice, settling);
  }
}

async function proveAll(questions: readonly Question[], voice: ElectrumVoice, settling: Settling): Promise<void> {
  const { branch, proven } = settling;
  const answers = await voice.batch(
    questions.map(({ txid, height }): ElectrumCall => ['blockchain.transaction.get_merkle', txid, height]),
  );
  for (const [place, { txid, height }] of questions.entries()) {
    const answer = answers[place];
    const root = answer !== undefined && 'result' in answer ? provenRoot(txid, answer.result) : null;
    const header = branch.at(height);
    if (header === undefined || root !== header.merkleRoot) throw await unproven({ txid, height }, voice, settling);
    proven.set(`${txid} ${height}`, header.hash);
  }
}

/** A server whose best block has changed since may have proven it on another branch. */
async function unproven({ txid, height }: Question, voice: ElectrumVoice, { stands }: Settling): Promise<Error> {
  const { head } = standOf({ voice, answers: await voice.batch([['blockchain.headers.subscribe']]) });
  const stand = stands.find((one) => one.voice.url === voice.url);
  return stand !== undefined && stand.head.header.hash !== head.header.hash
    ? new Unsteady('the active chain of a server changed while its proofs were read', voice)
    : new VoiceAtFault(voice, `does not prove that ${txid} is in block ${height}`);
}
