import { decodeTransaction, isTransactionProblem } from '../../../htlc/transaction.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { scripthashOf } from '../scripthash.ts';
import type { Branch } from './branch.ts';
import type { ElectrumCall } from './connection.ts';
import type { Claim } from './histories.ts';
import { VoiceAtFault } from './panel.ts';
import type { Proven } from './settle.ts';
import { checkedBytes } from './transactions.ts';

/** How many are looked at before the next are asked for. */
const AT_ONCE = 20;

type Belonging = {
  /** Of the script. */
  readonly hash: string;
  readonly branch: Branch;
  readonly proven: Proven;
  /** How many servers are enough to be believed without this. */
  readonly need: number;
};

/**
 * What too few servers tell of, a proof would show to be in a block, and not that it belongs to the script. A server could so have thousands of true
 * transactions of others proven and read while everything waits. It shows first that each pays the script, or takes from one that it tells of.
 *
 * @throws VoiceAtFault, ConnectionLost
 */
export async function requireBelonging(claims: readonly Claim[], belonging: Belonging): Promise<void> {
  const { branch, proven, need } = belonging;
  const told = new Map<string, number>();
  for (const { entries } of claims)
    for (const id of new Set(entries.map(({ txid }) => txid))) told.set(id, (told.get(id) ?? 0) + 1);
  for (const claim of claims) {
    const alone = claim.entries.filter(
      ({ txid, height }) =>
        (told.get(txid) ?? 0) < need &&
        height !== null &&
        branch.isProvable(height) &&
        proven.get(`${txid} ${height}`) === undefined,
    );
    const ids = new Set(claim.entries.map(({ txid }) => txid));
    for (let from = 0; from < alone.length; from += AT_ONCE) {
      const some = alone.slice(from, from + AT_ONCE).map(({ txid }) => txid);
      await requireSome(some, { claim, ids, hash: belonging.hash });
    }
  }
}

type Showing = { readonly claim: Claim; readonly ids: ReadonlySet<string>; readonly hash: string };

async function requireSome(txids: readonly string[], { claim: { voice }, ids, hash }: Showing): Promise<void> {
  const answers = await voice.batch(txids.map((txid): ElectrumCall => ['blockchain.transaction.get', txid]));
  for (const [place, txid] of txids.entries()) {
    const answer = answers[place];
    const hex = answer !== undefined && 'result' in answer ? checkedBytes(txid, answer.result, voice) : null;
    const tx = hex === null ? null : decodeTransaction(hexToBytes(hex));
    // What cannot be read pays nobody here.
    if (tx === null || isTransactionProblem(tx)) continue;
    const pays = tx.outputs.some(({ script }) => scripthashOf(script) === hash);
    if (!pays && !tx.inputs.some((input) => ids.has(input.txid)))
      throw new VoiceAtFault(voice, `tells of ${txid} in a history to which it does not belong`);
  }
}
