import { isTokenMove } from '../../../htlc/contract-events.ts';
import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeScriptWrong,
  feeTooLow,
  feeTooOld,
} from '../../../htlc/error-texts.ts';
import { inputKey } from '../../../htlc/key-input.ts';
import { KDF_NETWORK, type NetworkProfile } from '../../../htlc/network-profile.ts';
import { qtumAccount } from '../../../htlc/qtum-address.ts';
import type { Answer, FeeCheck } from '../../../ports/chain.ts';
import { hexToBytes, sameBytes } from '../../../primitives/hex.ts';
import { fault, ok } from '../answers.ts';
import { madeOf } from '../made.ts';
import type { Seen } from '../reader.ts';
import { transferAt } from './calls.ts';
import type { Qrc20Receipt } from './contracts.ts';
import { receiptAt } from './events.ts';
import type { Look, TokenParts } from './parts.ts';

/** The account that receives trading fees. */
export function feeAccountOf({ tradingFee }: NetworkProfile): string {
  return qtumAccount(hexToBytes((tradingFee ?? KDF_NETWORK.tradingFee)?.feeKey ?? ''));
}

/** The place of a fee in its transaction. */
const FEE_OUTPUT = 0;

/**
 * Why a transaction is not the trading fee that was asked for, in the words of the real node; null when it is. Beside what that one looks at, the receipt is:
 * a transfer that a block holds may have moved nothing.
 *
 * @throws BackendSilent, ContractsUnsteady
 */
export async function checkTokenFee(
  parts: TokenParts,
  { check, look }: { readonly check: FeeCheck; readonly look: Look },
): Promise<Answer<string | null>> {
  const { reader, birth } = parts.chain;
  const { tx, hash, minHeight, notBefore = 0 } = check;
  const given = tx === null ? null : madeOf(tx);
  if (tx !== null && given?.txid !== hash) return ok(feeDiffersFromNode(hash, given?.txid ?? 'unreadable bytes'));
  const isWhole = reader.index.get(hash) !== undefined || (await reader.find(hash, birth));
  const seen = reader.index.get(hash);
  if (seen === undefined && !isWhole) return fault('unknown', 'the blocks that may contain it are still being read');
  if (seen === undefined) return ok(`Provided dex fee tx ${hash} is not found`);
  const wrong = transferProblem(parts, { seen, check });
  if (wrong !== null) return ok(wrong);
  if (seen.height === null) return ok(null);
  if (seen.height < minHeight) return ok(feeTooOld(hash, minHeight));
  const time = notBefore === 0 ? null : await reader.timeOf(seen.height);
  if (time !== null && time < notBefore) return ok(feeExpired(hash));
  const receipt = await receiptAt(look, { ...seen, vout: FEE_OUTPUT });
  return ok(receiptProblem(parts, { seen, receipt }));
}

type Checked = { readonly seen: Seen; readonly check: FeeCheck };

function transferProblem({ coin, chain }: TokenParts, { seen, check }: Checked): string | null {
  const { payer, feeSat, burnSat } = check;
  const key = hexToBytes(payer);
  const isPayers = seen.tx.inputs.every((input) => {
    const shown = inputKey(input);
    return shown !== undefined && sameBytes(shown, key);
  });
  if (!isPayers) return feeOfAnotherSender();
  const transfer = transferAt(seen.tx, { vout: FEE_OUTPUT, token: coin.token });
  if (transfer === null)
    return `Expected 'transfer' contract call of the token 0x${coin.token} in output ${FEE_OUTPUT}`;
  if (transfer.from !== qtumAccount(key)) return feeOfAnotherSender();
  const account = feeAccountOf(chain.network);
  if (transfer.to !== account) return feeScriptWrong(`0x${transfer.to}`, `0x${account}`);
  // Tokens cannot be burned, so no part of the fee is.
  const least = (feeSat ?? 0n) + burnSat;
  return transfer.amount < least ? feeTooLow(transfer.amount, least) : null;
}

type Carried = { readonly seen: Seen; readonly receipt: Qrc20Receipt };

/**
 * What is moved is told by the token's events alone: no node of Qtum and no Electrum server answers as of a block, so that balances before and behind it, which
 * tell of tokens without events on EVM chains, cannot be had. The fee of such a token is not sent either.
 */
function receiptProblem({ coin }: TokenParts, { seen, receipt }: Carried): string | null {
  if (receipt.excepted !== null) return `Contract call failed with an error: ${receipt.excepted}`;
  const { token } = coin;
  const { from = '', to = '', amount = 0n } = transferAt(seen.tx, { vout: FEE_OUTPUT, token }) ?? {};
  const isMoved = receipt.logs.some((log) => isTokenMove(log, { token, from, to, amount }));
  return isMoved ? null : `Provided dex fee tx ${seen.txid} moved no tokens`;
}
