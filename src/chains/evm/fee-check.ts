import { isTokenMove } from '../../htlc/contract-events.ts';
import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeScriptWrong,
  feeTooLow,
  feeTooOld,
} from '../../htlc/error-texts.ts';
import { decodeTransfer } from '../../htlc/evm-calls.ts';
import type { Answer, FeeCheck } from '../../ports/chain.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import { DEX_FEE_ACCOUNT } from '../../replay/audit/fees.ts';
import { ok } from '../accounts/answers.ts';
import type { EvmCoin } from './coin.ts';
import { erc20Balance } from './contract-calls.ts';
import type { Parts } from './parts.ts';
import type { EvmLook, EvmReceipt } from './reader.ts';
import { accountOfKey } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

export function feeAccountOf({ feeAccount = DEX_FEE_ACCOUNT }: Pick<EvmCoin, 'feeAccount'>): string {
  return feeAccount;
}

/** Why a transaction is not the requested trading fee, in KDF's words; null if it is. */
export async function checkFee(
  { coin }: Pick<Parts, 'coin'>,
  { check, look }: { readonly check: FeeCheck; readonly look: EvmLook },
): Promise<Answer<string | null>> {
  const { tx, hash, minHeight, notBefore = 0 } = check;
  const given = tx === null ? null : madeOf(tx);
  if (tx !== null && given?.id !== hash) return ok(feeDiffersFromNode(hash, given?.id ?? 'unreadable bytes'));
  const [known, receipt] = await Promise.all([look.transaction(hash), look.receipt(hash)]);
  if (known === null) return ok(`Provided dex fee tx ${hash} is not found`);
  const made = known.hex === null ? given : madeOf(known.hex);
  if (made === null) return ok(`Provided dex fee tx ${hash} cannot be read`);
  const wrong = transferProblem(coin, made, check);
  if (wrong !== null) return ok(wrong);
  if (receipt === null) return ok(null);
  if (receipt.block < minHeight) return ok(feeTooOld(hash, minHeight));
  if (!receipt.succeeded) return ok(`Provided dex fee tx ${hash} is reverted`);
  if (coin.token !== undefined && !(await isMoved(look, { receipt, token: coin.token.address, made })))
    return ok(`Provided dex fee tx ${hash} moved no tokens`);
  const time = notBefore === 0 ? null : ((await look.block(receipt.block))?.time ?? null);
  return ok(time !== null && time < notBefore ? feeExpired(hash) : null);
}

function transferOf({ to, value, data }: Made): ReturnType<typeof decodeTransfer> {
  return to === null ? undefined : decodeTransfer({ to, value, data: hexToBytes(data) });
}

function transferProblem(coin: EvmCoin, made: Made, { payer, feeSat }: FeeCheck): string | null {
  if (made.from !== accountOfKey(payer)) return feeOfAnotherSender();
  const transfer = transferOf(made);
  const account = feeAccountOf(coin);
  const isOfCoin = coin.token === undefined ? transfer?.token === false : made.to === coin.token.address;
  if (transfer === undefined || !isOfCoin || transfer.token !== (coin.token !== undefined))
    return feeScriptWrong(made.to ?? 'nobody', coin.token?.address ?? account);
  if (transfer.to !== account) return feeScriptWrong(transfer.to, account);
  const least = feeSat ?? 0n;
  return transfer.amount < least ? feeTooLow(transfer.amount, least) : null;
}

type Moving = { readonly receipt: EvmReceipt; readonly token: string; readonly made: Made };

/** Some tokens answer that nothing was moved, and do not revert; others move everything and emit no event, so the receiver's balance must show it. */
async function isMoved(look: EvmLook, { receipt: { logs, block }, token, made }: Moving): Promise<boolean> {
  const { to = '', amount = 0n } = transferOf(made) ?? {};
  if (logs.some((log) => isTokenMove(log, { token, from: made.from, to, amount }))) return true;
  if (logs.some(({ contract }) => contract === token)) return false;
  const at = (number: number) => erc20Balance(look, { token, owner: to, block: number });
  const [before, after] = await Promise.all([at(block - 1), at(block)]);
  return after - before >= amount;
}
