import { BackendSilent } from '../../../ports/silence.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { Branch, Head } from './branch.ts';
import { type Header, headerOf } from './header.ts';
import { type ElectrumVoice, type Panel, type Told, VoiceAtFault } from './panel.ts';

/** Instead of a status: the history is too large for the server. */
export const TOO_LARGE = 'too large';

/** The server's error for that. */
export const TOO_LARGE_WORDS = /too large/i;

/** One server's answers in a look: its best block, and the status of each script in order. */
export type Stand = {
  readonly voice: ElectrumVoice;
  readonly head: Head;
  readonly statuses: readonly (string | null)[];
};

/** The block that a quorum of servers stands on. */
export type Agreed = {
  readonly head: Head;
  readonly stands: readonly Stand[];
  /** Servers of another chain. */
  readonly others: readonly Stand[];
};

/** Reads the servers' answers to a look. Faults servers that answer anything else. @throws VoiceAtFault */
export function standOf({ voice, answers }: Told): Stand {
  const results = answers.map((answer, place): JsonValue => {
    if ('result' in answer) return answer.result;
    if (place > 0 && TOO_LARGE_WORDS.test(answer.error.message)) return TOO_LARGE;
    throw new VoiceAtFault(voice, `answers ${answer.error.code}: ${answer.error.message}`);
  });
  const [head, ...statuses] = results;
  const members = isJsonObject(head) ? head : {};
  const height = Number(numberText(members['height'] ?? members['block_height']) ?? Number.NaN);
  const header = headerOf(members['hex'] ?? null);
  if (header === null || !Number.isSafeInteger(height) || height < 0) {
    throw new VoiceAtFault(voice, 'does not report its best block');
  }
  return {
    voice,
    head: { height, header },
    statuses: statuses.map((status) => (typeof status === 'string' ? status : null)),
  };
}

/**
 * The highest block on which as many servers as the quorum stand: it is their tip, or below it. Of fewer answers than the quorum, the
 * first one's.
 *
 * @throws BackendSilent where no block has so many
 */
export async function agreedHead(stands: readonly Stand[], quorum: number): Promise<Agreed> {
  const need = stands.length < quorum ? 1 : quorum;
  const highest = [...stands].sort((left, right) => right.head.height - left.head.height);
  for (const { head } of need === 1 ? stands.slice(0, 1) : highest) {
    const standing = await Promise.all(stands.map((stand) => standsOn(stand, head)));
    const found = stands.filter((_, place) => standing[place]);
    if (found.length >= need) return { head, stands: found, others: stands.filter((stand) => !found.includes(stand)) };
  }
  const told = stands.map(({ voice, head }) => `${voice.url}: ${head.header.hash} at ${head.height}`);
  throw new BackendSilent(`Electrum servers report different blocks (${told.join('; ')})`);
}

/** By how many blocks a server may lag, and the chain with it. */
const MOST_BEHIND = 2;

/**
 * The same, unless it is a block far below the last one that was agreed on, and a server still stands on that: then the chain has not become shorter, but
 * those who knew its end are too few now. That server's word is all there is.
 */
export async function notBehind(agreed: Agreed, stands: readonly Stand[], branch: Branch): Promise<Agreed> {
  const { height, header } = agreed.head;
  const last = branch.tip;
  if (last === null || height >= last.height - MOST_BEHIND || branch.at(height)?.hash !== header.hash) return agreed;
  for (const stand of stands) {
    if (!(await standsOn(stand, last))) continue;
    return { head: stand.head, stands: [stand], others: stands.filter((other) => other !== stand) };
  }
  return agreed;
}

async function standsOn({ voice, head: own }: Stand, { height, header }: Head): Promise<boolean> {
  if (own.height === height) return own.header.hash === header.hash;
  if (own.height < height) return false;
  const [answer] = await voice.batch([['blockchain.block.header', height]]).catch(() => []);
  const told: Header | null = answer !== undefined && 'result' in answer ? headerOf(answer.result) : null;
  return told?.hash === header.hash;
}

/** Disconnects servers whose block contradicts the agreed one. A server that merely lags is no liar. */
export function distrustOthers(panel: Panel, others: readonly Stand[], branch: Branch): void {
  for (const { voice, head } of others) {
    const known = branch.at(head.height);
    if (known !== undefined && known.hash !== head.header.hash) {
      panel.distrust(voice.url, `reports a different block ${head.height} than the other servers`);
    }
  }
}
