import { madeOf } from '../../chains/utxo/made.ts';
import type { Qrc20Chain } from '../../chains/utxo/qrc20/adapter.ts';
import { GAS, GAS_PRICE } from '../../chains/utxo/qrc20/token.ts';
import type { TokenWithdrawal } from '../../chains/utxo/qrc20/withdraw.ts';
import { type QtumAddressForm, readQtumAddress } from '../../htlc/qtum-address.ts';
import type { ChainFault } from '../../ports/chain.ts';
import type { CoinWallet, WalletRefusal, WithdrawalOrder } from '../../ports/coin-wallet.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { type JsonValue, numberText } from '../../primitives/json.ts';
import { amountIn, notEnough, refused, transportRefusal, unreadable, WalletProblem } from '../wallet-refusals.ts';

export type TokenWalletParts = {
  readonly ticker: string;
  /** Ticker of the coin in which gas is paid. */
  readonly platform: string;
  readonly chain: Pick<Qrc20Chain, 'withdraw' | 'send' | 'traits'>;
  readonly form: QtumAddressForm;
};

/** The wallet of a QRC20 token, as its owner uses it. */
export function tokenWallet(parts: TokenWalletParts): CoinWallet {
  const { ticker, platform, chain } = parts;
  return {
    withdraw: (order) =>
      WalletProblem.caught(async () => {
        const answer = await chain.withdraw(withdrawalOf(parts, order));
        if (!answer.ok) throw new WalletProblem(refusalOf(answer.fault, { ticker, order }));
        const { tx_hex, tx_hash, spent, minerFee, gasLimit, gasPrice, gasFee } = answer.value;
        const fee_details = {
          type: 'Qrc20',
          coin: platform,
          miner_fee: minerFee,
          gas_limit: Number(gasLimit),
          gas_price: Number(gasPrice),
          total_gas_fee: gasFee,
        };
        return { tx_hex, tx_hash, to: order.to, spent, received: fromBaseUnits(0n), fee_details };
      }),
    send: (tx_hex) =>
      WalletProblem.caught(async () => {
        const made = madeOf(tx_hex.toLowerCase());
        if (made === null) throw refused('InvalidRequest', 'The bytes are not a transaction');
        const answer = await chain.send({ tx_hex: made.hex, tx_hash: made.txid });
        if (!answer.ok) throw refused('Transport', answer.fault.message, answer.fault.message);
        return made.txid;
      }),
  };
}

/** Tokens at the address of a contract may be lost, and in the form that contracts have nobody sees which it is: only that of wallets is taken. */
function withdrawalOf({ chain, form }: TokenWalletParts, { to, amount, fee }: WithdrawalOrder): TokenWithdrawal {
  const read = to.startsWith('0x') ? null : readQtumAddress(to, form);
  if (read === null || !read.ok) {
    const shown = to.slice(0, 100);
    const why = `${shown} is not an address of a key in the wallet format`;
    throw refused('InvalidAddress', `Invalid address: ${why}`, why);
  }
  const units = amount === null ? null : amountIn(amount, chain.traits.decimals);
  return { to: read.account, amount: units, gas: fee === null ? null : gasOf(fee) };
}

/** `Qrc20Gas`: the price in base units of the coin that pays for each unit of gas. */
function gasOf(fee: NonNullable<WithdrawalOrder['fee']>): NonNullable<TokenWithdrawal['gas']> {
  const { type, gas_limit: limit, gas_price: price } = fee;
  if (type !== 'Qrc20Gas') {
    const why = `Expected 'Qrc20Gas' fee type, found ${String(type).slice(0, 40)}`;
    throw refused('InvalidFeePolicy', `Invalid fee policy: ${why}`, why);
  }
  return {
    limit: countIn(limit, 'gas_limit') ?? GAS.transfer,
    price: countIn(price, 'gas_price') ?? GAS_PRICE,
  };
}

function countIn(value: JsonValue | undefined, name: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const text = numberText(value);
  if (text !== undefined && /^\d{1,15}$/.test(text)) return BigInt(text);
  throw unreadable(`${name}: expected a whole number of 0 or more`);
}

function refusalOf(
  fault: ChainFault,
  { ticker, order }: { readonly ticker: string; readonly order: WithdrawalOrder },
): WalletRefusal {
  const { kind, message } = fault;
  if (kind === 'insufficientFunds') return notEnough(ticker, fault);
  if (kind === 'invalid') {
    const data = { amount: order.amount ?? '0', threshold: '0' };
    return { type: 'AmountTooLow', text: `The amount ${data.amount} is too small: ${message}`, data };
  }
  if (kind === 'feeTooLow') {
    return { type: 'InvalidFee', text: `Invalid fee parameters: ${message}`, data: { reason: message } };
  }
  return transportRefusal(fault);
}
