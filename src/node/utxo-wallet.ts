import type { UtxoChain } from '../chains/utxo/adapter.ts';
import { madeOf } from '../chains/utxo/made.ts';
import type { UtxoWithdrawal } from '../chains/utxo/withdraw.ts';
import type { ChainFault } from '../ports/chain.ts';
import type { CoinWallet, WalletRefusal, WithdrawalOrder } from '../ports/coin-wallet.ts';
import { fromBaseUnits } from '../primitives/decimal.ts';
import { amountIn, notEnough, refused, transportRefusal, WalletProblem } from './wallet-refusals.ts';

export type UtxoWalletParts = {
  readonly ticker: string;
  readonly chain: Pick<UtxoChain, 'withdraw' | 'send' | 'traits'>;
  /** The output script of an address; null for a text that is not an address of this network. */
  readonly scriptOf: (address: string) => Uint8Array | null;
};

/** The wallet of a coin of outputs, as its owner uses it. */
export function utxoWallet({ ticker, chain, scriptOf }: UtxoWalletParts): CoinWallet {
  return {
    withdraw: (order) =>
      WalletProblem.caught(async () => {
        const answer = await chain.withdraw(withdrawalOf(order, { scriptOf, decimals: chain.traits.decimals }));
        if (!answer.ok) throw new WalletProblem(refusalOf(answer.fault, { order, ticker, chain }));
        const { fee, ...made } = answer.value;
        return { ...made, to: order.to, fee_details: { type: 'Utxo', coin: ticker, amount: fee } };
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

type Network = Pick<UtxoWalletParts, 'scriptOf'> & { readonly decimals: number };

function withdrawalOf({ to, amount, fee }: WithdrawalOrder, { scriptOf, decimals }: Network): UtxoWithdrawal {
  const script = scriptOf(to);
  if (script === null) throw refused('InvalidAddress', `Invalid address: ${to.slice(0, 100)}`, to.slice(0, 100));
  return {
    to: script,
    amount: amount === null ? null : amountIn(amount, decimals),
    fee: fee === null ? null : feeOf(fee, decimals),
  };
}

function feeOf(fee: NonNullable<WithdrawalOrder['fee']>, decimals: number): NonNullable<UtxoWithdrawal['fee']> {
  const { type, amount } = fee;
  if (type === 'UtxoFixed' || type === 'UtxoPerKbyte') {
    return { kind: type === 'UtxoFixed' ? 'fixed' : 'perKbyte', units: amountIn(amount, decimals) };
  }
  const why = `Expected 'UtxoFixed' or 'UtxoPerKbyte' fee types, found ${String(type).slice(0, 40)}`;
  throw refused('InvalidFeePolicy', `Invalid fee policy: ${why}`, why);
}

type Refused = Pick<UtxoWalletParts, 'ticker'> & {
  readonly order: WithdrawalOrder;
  readonly chain: Pick<UtxoChain, 'traits'>;
};

function refusalOf(fault: ChainFault, { order, ticker, chain }: Refused): WalletRefusal {
  const { kind, message } = fault;
  if (kind === 'insufficientFunds') return notEnough(ticker, fault);
  if (kind === 'invalid') {
    const { minTxAmount, decimals } = chain.traits;
    const data = { amount: order.amount ?? '0', threshold: fromBaseUnits(minTxAmount, decimals) };
    const text = `The amount ${data.amount} is too small, required at least ${data.threshold}`;
    return { type: 'AmountTooLow', text, data };
  }
  if (kind === 'feeTooLow') {
    return { type: 'InvalidFee', text: `Invalid fee parameters: ${message}`, data: { reason: message } };
  }
  return transportRefusal(fault);
}
