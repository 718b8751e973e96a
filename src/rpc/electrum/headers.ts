import type { DaemonClient } from '../../chains/utxo/daemon/client.ts';
import type { DaemonReader } from '../../chains/utxo/daemon/reader.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { merkleProof } from './merkle.ts';
import { bad, daemonRefusal } from './rpc-error.ts';

/** Raw headers in hex, by the hash of their block. */
export type Headers = {
  /** @throws BackendSilent; ElectrumRpcError where the daemon refuses */
  of(hashes: readonly string[]): Promise<readonly string[]>;
};

/** Headers that are kept; those of Zcash's family are 1,487 bytes each. */
const KEPT = 4096;

export function createHeaders(client: DaemonClient): Headers {
  const kept = new Map<string, string>();
  return {
    async of(hashes) {
      const lacking = hashes.filter((hash) => !kept.has(hash));
      const found = new Map(lacking.map((hash) => [hash, '']));
      const answers =
        lacking.length === 0 ? [] : await client.batch(lacking.map((hash) => ['getblockheader', hash, false]));
      for (const [place, hash] of lacking.entries()) {
        const answer = answers[place];
        if (answer === undefined || 'error' in answer) throw daemonRefusal(answer?.error ?? { code: 0, message: '' });
        if (typeof answer.result !== 'string') throw new BackendSilent('the daemon does not return raw headers');
        found.set(hash, answer.result);
      }
      const headers = hashes.map((hash) => kept.get(hash) ?? found.get(hash) ?? '');
      for (const [hash, hex] of found) kept.set(hash, hex);
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
      }
      return headers;
    },
  };
}

/** Highest header up to which proofs are made; each costs a hash for every header below. */
const MOST_PROVED = 200_000;

/** That a block is among those up to a checkpoint. @throws ElectrumRpcError */
export function headerProof(
  reader: DaemonReader,
  { height, checkpoint, tip }: { readonly height: number; readonly checkpoint: number; readonly tip: number },
): { readonly branch: readonly string[]; readonly root: string } {
  if (checkpoint < height || checkpoint > tip) {
    throw bad(`header height ${height} must be <= cp_height ${checkpoint} which must be <= chain height ${tip}`);
  }
  if (checkpoint > MOST_PROVED) throw bad(`proofs are not available above cp_height ${MOST_PROVED}`);
  const hashes = Array.from({ length: checkpoint + 1 }, (_, at) => reader.blockAt(at)?.hash);
  if (hashes.includes(undefined)) throw bad(`headers below cp_height ${checkpoint} are not known`);
  return merkleProof(hashes as string[], height);
}
