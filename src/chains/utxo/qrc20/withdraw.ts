import { contractCallScript, gasCost } from '../../../htlc/contract-output.ts';
import { isContractAmount } from '../../../htlc/contract-payment.ts';
import { transferCall } from '../../../htlc/token-calls.ts';
import type { Answer } from '../../../ports/chain.ts';
import { type DecimalText, fromBaseUnits } from '../../../primitives/decimal.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { fault, ok } from '../answers.ts';
import { rateAt } from '../coin.ts';
import { coinsText } from '../parts.ts';
import { dayRate } from '../prepare.ts';
import { keepForAWhile } from '../withdraw.ts';
import { tokenFunds } from './funds.ts';
import type { Look, TokenParts } from './parts.ts';
import { GAS, GAS_PRICE } from './token.ts';

/** What leaves the account for an address; the amount in base units of the token. */
export type TokenWithdrawal = {
  /** Account of the address, 40 hex digits. */
  readonly to: string;
  /** Null for all that is free. */
  readonly amount: bigint | null;
  /** Null for what is usual. */
  readonly gas: { readonly limit: bigint; readonly price: bigint } | null;
};

/** A signed transaction that is not sent; amounts of the token and of the coin that pays, in their coin units. */
export type TokenWithdrawn = {
  readonly tx_hex: string;
  readonly tx_hash: string;
  readonly spent: DecimalText;
  readonly minerFee: DecimalText;
  readonly gasLimit: bigint;
  readonly gasPrice: bigint;
  readonly gasFee: DecimalText;
};

/**
 * Makes and signs a transfer. It moves nothing that a signed transaction of a swap moves, and leaves what swaps will still need, of the token and of the coin
 * that pays. What it takes is kept from swaps for ten minutes.
 *
 * @throws BackendSilent, ContractsUnsteady, ContractAbsent
 */
export async function withdrawTokens(
  parts: TokenParts,
  { withdrawal, look }: { readonly withdrawal: TokenWithdrawal; readonly look: Look },
): Promise<Answer<TokenWithdrawn>> {
  const { coin, chain, taken } = parts;
  const { purse } = chain;
  const { limit: gasLimit, price: gasPrice } = withdrawal.gas ?? { limit: GAS.transfer, price: GAS_PRICE };
  if (gasLimit <= 0n || gasPrice < GAS_PRICE) return fault('feeTooLow', `gas costs at least ${GAS_PRICE} base units`);
  const { free } = await tokenFunds(parts, look);
  const held = taken.heldByOthers('');
  const most = free > held ? free - held : 0n;
  const amount = withdrawal.amount ?? most;
  if (amount === 0n || !isContractAmount(amount)) return fault('invalid', 'the amount is zero');
  if (amount > most) return short(parts, { available: most, required: amount });
  const data = hexToBytes(transferCall(withdrawal.to, amount));
  const output = { value: 0n, script: contractCallScript({ gasLimit, gasPrice, data, contract: coin.token }) };
  const rate = rateAt(chain.coin.fees, { rate: await dayRate(chain), urgency: 0 });
  const plan = purse.plan({ outputs: [output], rate, replaced: null, maxFee: null, showsKey: true });
  if (typeof plan === 'string' || purse.spendable() + purse.coming() - plan.fee < purse.heldByOthers('')) {
    return fault('coinsPromised', `not enough ${chain.coin.coin} for the gas, after what swaps will still need`);
  }
  const made = await purse.sign(plan);
  purse.take(made);
  keepForAWhile(chain, made);
  const gasFee = gasCost([output]);
  return ok({
    tx_hex: made.hex,
    tx_hash: made.txid,
    spent: fromBaseUnits(amount, coin.decimals),
    minerFee: coinsText(chain, plan.fee - gasFee),
    ...{ gasLimit, gasPrice, gasFee: coinsText(chain, gasFee) },
  });
}

function short({ coin }: TokenParts, units: { readonly available: bigint; readonly required: bigint }): Answer<never> {
  const available = fromBaseUnits(units.available, coin.decimals);
  const required = fromBaseUnits(units.required, coin.decimals);
  const message = `available ${available}, required at least ${required}`;
  return { ok: false, fault: { kind: 'insufficientFunds', message, shortage: { available, required } } };
}
