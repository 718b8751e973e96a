import { encodeTendermintTransaction } from '../../htlc/tendermint-transaction.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { type Made, madeOf } from './transaction.ts';

const UNSIGNED = new Uint8Array(64);

/** Gas that a transaction would use, as nodes say that try it with no signature on top of what waits; null where they do not say. */
export async function trialOf(
  { account }: Parts,
  { look, content }: { readonly look: TendermintLook; readonly content: Pick<Made, 'messages' | 'memo'> },
): Promise<bigint | null> {
  const { messages, memo } = content;
  const waiting = (await look.waiting()).map(madeOf).filter((made) => made?.from === account.account);
  const used = await account.used(look);
  // A node tries it in the place of the next one of the account alone.
  const next = waiting.reduce((first, made) => Math.max(first, (made?.sequence ?? -1) + 1), used);
  const key = hexToBytes(account.key);
  const draft = { messages, memo, timeoutHeight: 0n, key, sequence: BigInt(next), gas: 0n, fee: [] };
  return look.gas(bytesToHex(encodeTendermintTransaction(draft, UNSIGNED)));
}
