import { DEX_FEE_KEY_HASH } from '../../htlc/dex-fee.ts';
import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeOfAnotherSwap,
  feeScriptWrong,
  feeTooLow,
  feeTooOld,
} from '../../htlc/error-texts.ts';
import { tendermintAddress } from '../../htlc/tendermint-address.ts';
import type { Answer, FeeCheck } from '../../ports/chain.ts';
import { ok } from '../accounts/answers.ts';
import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { accountOfKey } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

/** The address that receives trading fees. */
export function feeAddressOf({ coin, account }: Parts): string {
  return tendermintAddress(account.network.prefix, coin.feeAccount ?? DEX_FEE_KEY_HASH);
}

type Asked = { readonly check: FeeCheck; readonly swap: string; readonly look: TendermintLook };

/** Why a transaction is not the requested trading fee, in KDF's words; null if it is. */
export async function checkFee(parts: Parts, { check, swap, look }: Asked): Promise<Answer<string | null>> {
  const { tx, hash, minHeight, notBefore = 0 } = check;
  const given = tx === null ? null : madeOf(tx);
  if (tx !== null && given?.id !== hash) return ok(feeDiffersFromNode(hash, given?.id ?? 'unreadable bytes'));
  const included = await look.included(hash);
  const waiting = included === null ? (await look.waiting()).find((hex) => madeOf(hex)?.id === hash) : undefined;
  const hex = included?.hex ?? waiting;
  if (hex === undefined) return ok(`Provided dex fee tx ${hash} is not found`);
  const made = madeOf(hex);
  if (made === null) return ok(`Provided dex fee tx ${hash} cannot be read`);
  const wrong = transferProblem(parts, made, check);
  if (wrong !== null) return ok(wrong);
  if (made.memo !== swap) return ok(feeOfAnotherSwap(hash));
  if (included === null) return ok(null);
  if (included.height < minHeight) return ok(feeTooOld(hash, minHeight));
  if (included.code !== 0) return ok(`Provided dex fee tx ${hash} is reverted`);
  const time = notBefore === 0 ? null : ((await look.block(included.height))?.time ?? null);
  return ok(time !== null && time < notBefore ? feeExpired(hash) : null);
}

function transferProblem(parts: Parts, made: Made, { payer, feeSat }: FeeCheck): string | null {
  if (made.from !== accountOfKey(payer)) return feeOfAnotherSender();
  const address = feeAddressOf(parts);
  const [message] = made.messages;
  if (message?.kind !== 'send' || made.messages.length > 1) return feeScriptWrong('no transfer', address);
  if (message.to !== address) return feeScriptWrong(message.to, address);
  const [sent] = message.coins;
  const { denom } = parts.coin;
  if (sent?.denom !== denom || message.coins.length > 1) return feeScriptWrong(sent?.denom ?? 'nothing', denom);
  const least = feeSat ?? 0n;
  return sent.amount < least ? feeTooLow(sent.amount, least) : null;
}
