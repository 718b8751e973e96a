import { decodeTransaction, isTransactionProblem } from '../../../htlc/transaction.ts';
import { transactionId } from '../../../htlc/transaction-encoding.ts';
import { hexToBytes, isHex } from '../../../primitives/hex.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import type { WritableIndex } from '../chain-index.ts';
import type { ElectrumCall } from './connection.ts';
import type { Claim, Entry } from './histories.ts';
import { type ElectrumVoice, type Told, Unsteady, VoiceAtFault } from './panel.ts';
import { claimsInUnread, onlyVersion, settledVersion, type Version } from './versions.ts';

/** Length of two hashes: a transaction this long could pass for an inner node of the Merkle tree. */
const INNER_NODE = 64;

/** How many transactions are asked for before they are checked: a server may send long ones that are none. */
const AT_ONCE = 20;

/**
 * Puts what is settled into the index, with bytes of servers that tell of it: others are asked too where the first one sends none, or a form that is not read,
 * or where its id does not cover all of them.
 *
 * @throws VoiceAtFault, Unsteady, ConnectionLost
 */
export async function putEntries(
  entries: readonly Entry[],
  { index, claims }: { readonly index: WritableIndex; readonly claims: readonly Claim[] },
): Promise<void> {
  const sent = new Map<string, readonly Version[]>(
    entries.flatMap(({ txid }) => (index.get(txid) === undefined ? [[txid, []]] : [])),
  );
  const settled = new Map<string, string>();
  const withheld = new Map<string, Unsteady>();
  for (const { voice, entries: told } of claims) {
    const ids = new Set(told.map(({ txid }) => txid));
    const mine = entries.filter(({ txid }) => sent.has(txid) && ids.has(txid) && !settled.has(txid));
    for (let from = 0; from < mine.length; from += AT_ONCE) {
      for (const [txid, version] of await bytesFrom(voice, mine.slice(from, from + AT_ONCE))) {
        if (version instanceof Unsteady) {
          withheld.set(txid, version);
          continue;
        }
        const versions = [...(sent.get(txid) ?? []), version];
        sent.set(txid, versions);
        const held = settledVersion(versions);
        if (held !== undefined) settled.set(txid, held);
      }
    }
  }
  for (const { txid, height } of entries) {
    const versions = sent.get(txid) ?? [];
    const seen = index.get(txid);
    if (seen !== undefined) {
      index.put(txid, { hex: seen.hex, height, inputs: () => seen.tx.inputs });
      continue;
    }
    const bytes = settled.get(txid) ?? onlyVersion(txid, versions);
    const unread = versions.find(({ hex }) => hex === null);
    if (bytes !== undefined && unread !== undefined) throw wrongBytes(txid, unread.voice);
    const lacking = bytes === undefined && unread === undefined ? withheld.get(txid) : undefined;
    if (lacking !== undefined) throw lacking;
    const found = bytes === undefined ? claimsInUnread(versions) : { hex: bytes };
    if (found !== undefined) index.put(txid, { ...found, height });
  }
}

/** By id; an error where the server refuses. @throws VoiceAtFault, ConnectionLost */
async function bytesFrom(
  voice: ElectrumVoice,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Version | Unsteady>> {
  const answers = await voice.batch(entries.map(({ txid }): ElectrumCall => ['blockchain.transaction.get', txid]));
  return new Map(
    entries.map(({ txid }, place): readonly [string, Version | Unsteady] => {
      const answer = answers[place];
      if (answer === undefined || 'error' in answer)
        return [txid, new Unsteady(`${voice.url} does not send a transaction: ${answer?.error.message}`)];
      const hex = checkedBytes(txid, answer.result, voice);
      return [txid, hex === null ? { voice, hex, unread: String(answer.result) } : { voice, hex }];
    }),
  );
}

/** The bytes of a transaction from the first server that has it in a readable form; null if none has. @throws VoiceAtFault */
export function bytesOf(txid: string, told: readonly Told[]): string | null {
  for (const { voice, answers } of told) {
    const [answer] = answers;
    const bytes = answer !== undefined && 'result' in answer ? checkedBytes(txid, answer.result, voice) : null;
    if (bytes !== null) return bytes;
  }
  return null;
}

/** Checks that a server sent the transaction with this id; null for an unreadable form. @throws VoiceAtFault */
export function checkedBytes(txid: string, told: JsonValue, voice: ElectrumVoice): string | null {
  const hex = typeof told === 'string' && isHex(told) ? told : '';
  const bytes = hexToBytes(hex);
  if (bytes.length === INNER_NODE) throw wrongBytes(txid, voice);
  const tx = decodeTransaction(bytes);
  if (isTransactionProblem(tx)) return null;
  if (transactionId(bytes, tx) !== txid) throw wrongBytes(txid, voice);
  return hex;
}

function wrongBytes(txid: string, voice: ElectrumVoice): VoiceAtFault {
  return new VoiceAtFault(voice, `sent other bytes for transaction ${txid}`);
}
