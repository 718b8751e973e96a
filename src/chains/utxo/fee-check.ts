import { concatBytes } from '../../htlc/byte-writer.ts';
import { feeProblem } from '../../htlc/dex-fee.ts';
import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeOfAnotherSwap,
  feeTooOld,
} from '../../htlc/error-texts.ts';
import { inputKey } from '../../htlc/key-input.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { Answer, FeeCheck, ForSwap } from '../../ports/chain.ts';
import { sha256 } from '../../primitives/hash.ts';
import { hexToBytes, sameBytes } from '../../primitives/hex.ts';
import { fault, ok } from './answers.ts';
import { madeOf } from './made.ts';
import type { Parts } from './parts.ts';
import type { Seen } from './reader.ts';

/** OP_RETURN, and a push of 16 bytes. */
const NAME_HEAD = Uint8Array.of(0x6a, 16);

/** Names a swap in its fee: 16 bytes of data, in an output that nobody can spend. */
export function nameOutput(swap: string): TransactionOutput {
  return { value: 0n, script: concatBytes([NAME_HEAD, sha256(new TextEncoder().encode(swap)).subarray(0, 16)]) };
}

type Checked = ForSwap & { readonly check: FeeCheck };

/** The paying key, or the name of the swap in it, shows whose fee it is. Null if it is correct. */
export async function checkFee(parts: Parts, { check, swap }: Checked): Promise<Answer<string | null>> {
  const { reader, birth, network } = parts;
  const { tx, hash, feeSat, burnSat, minHeight, notBefore = 0 } = check;
  const given = tx === null ? null : madeOf(tx);
  if (tx !== null && given?.txid !== hash) return ok(feeDiffersFromNode(hash, given?.txid ?? 'unreadable bytes'));
  const isWhole = reader.index.get(hash) !== undefined || (await reader.find(hash, birth));
  const seen = reader.index.get(hash);
  if (seen === undefined && !isWhole) return fault('unknown', 'the blocks that may contain it are still being read');
  if (seen === undefined) return ok(`Provided dex fee tx ${hash} is not found`);
  const foreign = foreignProblem(seen, { check, swap });
  if (foreign !== null) return ok(foreign);
  if (seen.height !== null && seen.height < minHeight) return ok(feeTooOld(hash, minHeight));
  const time = seen.height === null || notBefore === 0 ? null : await reader.timeOf(seen.height);
  if (time !== null && time < notBefore) return ok(feeExpired(hash));
  const fee = { kind: burnSat > 0n ? 'withBurn' : 'standard', feeSat: feeSat ?? 0n, burnSat } as const;
  return ok(feeProblem({ txid: hash, outputs: seen.tx.outputs }, fee, network));
}

function foreignProblem({ txid, tx }: Seen, { check, swap }: Checked): string | null {
  const key = hexToBytes(check.payer);
  const named = tx.outputs.find(({ script }) => sameBytes(script.subarray(0, NAME_HEAD.length), NAME_HEAD));
  if (named !== undefined) return sameBytes(named.script, nameOutput(swap).script) ? null : feeOfAnotherSwap(txid);
  const isPayers = tx.inputs.every((input) => {
    const shown = inputKey(input);
    return shown !== undefined && sameBytes(shown, key);
  });
  return isPayers ? null : feeOfAnotherSender();
}
