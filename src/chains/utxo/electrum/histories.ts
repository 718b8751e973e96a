import { sha256 } from '../../../primitives/hash.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { ElectrumCall } from './connection.ts';
import { type ElectrumVoice, VoiceAtFault } from './panel.ts';
import { type Stand, TOO_LARGE, TOO_LARGE_WORDS } from './tips.ts';

/** One transaction of a script's history, as a server reports it. */
export type Entry = {
  readonly txid: string;
  /** Null while it waits. */
  readonly height: number | null;
};

/** What one server says of one script. */
export type Claim = { readonly voice: ElectrumVoice; readonly entries: readonly Entry[] };

/** A script whose history is read. */
export type Followed = {
  /** Its relevant transactions; null for all. */
  only: Set<string> | null;
  /** Requested transactions that are in none of its histories, although a server has their bytes. */
  readonly lacks: Set<string>;
  /** Histories by status; by server and status if the history does not have the status that the server gave. */
  readonly read: Map<string, readonly Entry[]>;
  /** The last settled result, and its inputs. */
  txids: ReadonlySet<string>;
  from: string;
  /** Whether its history is too large for every server. Anyone can do that to an address. */
  isRefused: boolean;
  /** When somebody last asked for it, in milliseconds. */
  askedAt: number;
};

export function newFollowed(only: string | null): Followed {
  return {
    askedAt: 0,
    only: only === null ? null : new Set([only]),
    lacks: new Set(),
    read: new Map(),
    txids: new Set(),
    from: '',
    isRefused: false,
  };
}

/** How long a script is followed for which nobody asks, in milliseconds: longer than a swap may wait for news alone. */
const KEPT_FOR = 86_400_000;
/** How many scripts are followed for single transactions, whose ids others name: each may have a long history. */
const MOST_FOR_ONE = 100;

/**
 * Hashes of those that need not be followed any more. Each look asks for all, and servers count what a client asks: it must not grow with every swap that
 * ever was.
 */
export function outdated(followed: ReadonlyMap<string, Followed>, now: number): readonly string[] {
  const forOne = [...followed]
    .filter(([, { only }]) => only !== null)
    .sort(([, left], [, right]) => right.askedAt - left.askedAt)
    .slice(MOST_FOR_ONE);
  const old = [...followed].filter(([, { askedAt }]) => now - askedAt > KEPT_FOR);
  return [...new Set([...forOne, ...old].map(([hash]) => hash))];
}

/** Scripts by hash, in the order of the statuses in each stand. */
export type Scripts = readonly (readonly [hash: string, script: Followed])[];

/**
 * What each server says of each script, in the order of the scripts. A history is read once for all servers with the same status, as far as
 * it is the history of which that is the status.
 *
 * @throws VoiceAtFault, ConnectionLost
 */
export async function claimsOf(scripts: Scripts, stands: readonly Stand[]): Promise<readonly (readonly Claim[])[]> {
  for (const stand of stands) await readNew(scripts, stand);
  return scripts.map(([, script], place) => {
    const { read } = script;
    const claims = stands.flatMap(({ voice, statuses }) => {
      const status = statuses[place] ?? null;
      if (status === null) return [{ voice, entries: [] }];
      const entries = entriesIn(read, { voice, status });
      return entries === undefined ? [] : [{ voice, entries }];
    });
    script.isRefused = claims.length === 0 && stands.length > 0;
    const current = new Set(stands.flatMap((stand) => keysOf(stand, stand.statuses[place] ?? null)));
    for (const key of read.keys()) if (!current.has(key)) read.delete(key);
    return claims;
  });
}

async function readNew(scripts: Scripts, { voice, statuses }: Stand): Promise<void> {
  const lacking = scripts.flatMap(([hash, { read }], place) => {
    const status = statuses[place] ?? null;
    const isKnown = status === null || status === TOO_LARGE || entriesIn(read, { voice, status }) !== undefined;
    return isKnown ? [] : [{ hash, read, status }];
  });
  if (lacking.length === 0) return;
  const answers = await voice.batch(
    lacking.map(({ hash }): ElectrumCall => ['blockchain.scripthash.get_history', hash]),
  );
  for (const [place, { read, status }] of lacking.entries()) {
    const answer = answers[place];
    if (answer !== undefined && 'error' in answer && TOO_LARGE_WORDS.test(answer.error.message)) continue;
    if (answer === undefined || 'error' in answer)
      throw new VoiceAtFault(voice, `sent no history: ${answer?.error.message}`);
    const { entries, told } = historyIn(answer.result, voice);
    read.set(told === status ? status : `${voice.url} ${status}`, entries);
  }
}

type Word = Pick<Stand, 'voice'> & { readonly status: string };

function entriesIn(read: Followed['read'], { voice, status }: Word): readonly Entry[] | undefined {
  return read.get(status) ?? read.get(`${voice.url} ${status}`);
}

function keysOf({ voice }: Stand, status: string | null): readonly string[] {
  return status === null ? [] : [status, `${voice.url} ${status}`];
}

/** The entries of a history, and its status as the protocol defines it. */
function historyIn(
  value: JsonValue,
  voice: ElectrumVoice,
): { readonly entries: readonly Entry[]; readonly told: string } {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  let text = '';
  const entries = list.map((entry) => {
    const { tx_hash, height } = isJsonObject(entry) ? entry : {};
    const at = Number(numberText(height) ?? Number.NaN);
    if (typeof tx_hash !== 'string' || !/^[0-9a-f]{64}$/.test(tx_hash) || !Number.isSafeInteger(at)) {
      throw new VoiceAtFault(voice, 'sent a history without ids and heights');
    }
    text += `${tx_hash}:${at}:`;
    return { txid: tx_hash, height: at > 0 ? at : null };
  });
  return { entries, told: bytesToHex(sha256(new TextEncoder().encode(text))) };
}
