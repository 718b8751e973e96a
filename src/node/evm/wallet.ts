import type { EvmChain, EvmWithdrawal, EvmWithdrawn, WithdrawalFee } from '../../chains/evm/index.ts';
import { DeviceError } from '../../hardware/device-error.ts';
import { RemoteWalletError } from '../../hardware/remote/account.ts';
import { hwErrorName } from '../../hardware/trezor/faults.ts';
import type { ChainFault } from '../../ports/chain.ts';
import type { CoinWallet, WalletRefusal, WithdrawalOrder } from '../../ports/coin-wallet.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { amountIn, notEnough, refused, transportRefusal, unreadable, WalletProblem } from '../wallet-refusals.ts';
import type { EvmAdapter } from './adapter-module.ts';

export type EvmWalletParts = {
  readonly coin: string;
  /** Ticker of the coin in which gas is paid. */
  readonly platform: string;
  readonly chain: Pick<EvmChain, 'withdraw' | 'send' | 'traits'>;
  readonly adapter: EvmAdapter;
  /** Tickers of the chain that swaps need and that are not active. */
  readonly awaited: () => Promise<readonly string[]>;
};

const GWEI_DIGITS = 9;
const WEI_DIGITS = 18;

/** The wallet of an account's coin, as its owner uses it. */
export function evmWallet({ coin, platform, chain, adapter, awaited }: EvmWalletParts): CoinWallet {
  return {
    withdraw: (order) =>
      WalletProblem.caught(async () => {
        const { account, ...asked } = withdrawalOf(order, { adapter, decimals: chain.traits.decimals });
        const answer = await chain.withdraw({ ...asked, to: account }).catch(refusedElsewhere);
        if (!answer.ok) throw new WalletProblem(refusalOf(answer.fault, { coin, platform }));
        const { tx_hex, tx_hash, spent, received } = answer.value;
        const fee_details = feeDetails(answer.value, { platform, adapter });
        return { tx_hex, tx_hash, to: adapter.addressText(account), spent, received, fee_details };
      }),
    send: (tx_hex) =>
      WalletProblem.caught(async () => {
        const away = await awaited();
        if (away.length > 0) throw refused('Transport', awaitedText(away), awaitedText(away));
        const answer = await chain.send(tx_hex.replace(/^0x/, '').toLowerCase());
        if (!answer.ok) throw refused('Transport', answer.fault.message, answer.fault.message);
        return answer.value;
      }),
  };
}

/** What swaps hold of such coins, have signed of them, and keep for their gas is not known, so that bytes could take it. */
function awaitedText(tickers: readonly string[]): string {
  return (
    `swaps wait for ${tickers.join(', ')}, and how much of the account they hold is known only once it is active: ` +
    'activate it first'
  );
}

/** A key that is not in the node may refuse to sign. */
function refusedElsewhere(error: unknown): never {
  if (error instanceof DeviceError) throw refused('HwError', error.fault.message, hwErrorName(error.fault));
  if (error instanceof RemoteWalletError)
    throw refused('Transport', `Transport error: ${error.message}`, error.message);
  throw error;
}

type Reading = { readonly adapter: EvmAdapter; readonly decimals: number };

function withdrawalOf(
  { to, amount, fee }: WithdrawalOrder,
  { adapter, decimals }: Reading,
): Omit<EvmWithdrawal, 'to'> & { readonly account: string } {
  const read = adapter.readAddress(to);
  if ('problem' in read) throw refused('InvalidAddress', `Invalid address: ${read.problem}`, read.problem);
  return {
    account: read.account,
    amount: amount === null ? null : amountIn(amount, decimals),
    fee: fee === null ? null : feeOf(fee),
  };
}

/** `EthGas` and `EthGasEip1559`, prices in gwei for each unit of gas. */
function feeOf(fee: JsonObject): WithdrawalFee {
  const price = (name: string): bigint => amountIn(fee[name], GWEI_DIGITS, name);
  if (fee['type'] === 'EthGas') {
    const most = price('gas_price');
    return { gas: gasIn(fee['gas'], 'gas'), price: { most, tip: most }, legacy: true };
  }
  if (fee['type'] === 'EthGasEip1559') {
    const [most, tip] = [price('max_fee_per_gas'), price('max_priority_fee_per_gas')];
    if (tip > most) {
      const why = 'max_priority_fee_per_gas is above max_fee_per_gas';
      throw refused('InvalidFee', `Invalid fee parameters: ${why}`, { reason: why });
    }
    return { gas: gasOption(fee['gas_option'] ?? fee['gas']), price: { most, tip }, legacy: false };
  }
  const why = `Expected 'EthGas' or 'EthGasEip1559' fee types, found ${String(fee['type']).slice(0, 40)}`;
  throw refused('InvalidFeePolicy', `Invalid fee policy: ${why}`, why);
}

/** Null where the node is to choose: nothing, or `Calc`. */
function gasOption(option: JsonValue | undefined): bigint | null {
  if (option === undefined || option === null) return null;
  if (!isJsonObject(option)) return gasIn(option, 'gas_option');
  if (option['type'] === 'Calc') return null;
  if (option['type'] === 'Set') return gasIn(option['gas'] ?? option['gas_limit'] ?? option['value'], 'gas_option');
  throw unreadable('unknown variant of gas_option, expected `Set` or `Calc`');
}

/** More than any block holds. */
const MOST_GAS = 1_000_000_000;

function gasIn(given: JsonValue | undefined, name: string): bigint {
  const gas = Number((given === undefined ? undefined : numberText(given)) ?? Number.NaN);
  if (Number.isSafeInteger(gas) && gas >= 0 && gas <= MOST_GAS) return BigInt(gas);
  throw unreadable(given === undefined ? `missing field \`${name}\`` : `${name}: expected a whole number of gas`);
}

type Paid = { readonly platform: string; readonly adapter: EvmAdapter };

/** With the members of the real node (`EthTxFeeDetails`), in coin units. */
function feeDetails(made: EvmWithdrawn, { platform, adapter }: Paid): JsonObject {
  const { gas, price, legacy } = made;
  const inCoins = (wei: bigint): string => fromBaseUnits(wei, WEI_DIGITS);
  return {
    type: 'Eth',
    coin: platform,
    gas: Number(gas),
    gas_price: inCoins(price.most),
    max_fee_per_gas: legacy ? null : inCoins(price.most),
    max_priority_fee_per_gas: legacy ? null : inCoins(price.tip),
    total_fee: adapter.costOf(made),
  };
}

type Refused = Pick<EvmWalletParts, 'coin' | 'platform'>;

function refusalOf(fault: ChainFault, { coin, platform }: Refused): WalletRefusal {
  const { kind, message, shortage } = fault;
  if (kind === 'insufficientFunds' && fault.part === 'spendFee') {
    return {
      type: 'NotSufficientPlatformBalanceForFee',
      text: `Not enough ${platform} for the gas of a withdrawal of ${coin}: ${message}`,
      ...(shortage === undefined ? {} : { data: { coin: platform, ...shortage } }),
    };
  }
  if (kind === 'insufficientFunds') return notEnough(coin, fault);
  if (kind === 'feeTooLow') {
    return { type: 'InvalidFee', text: `Invalid fee parameters: ${message}`, data: { reason: message } };
  }
  return transportRefusal(fault);
}
