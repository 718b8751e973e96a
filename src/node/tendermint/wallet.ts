import type { TendermintChain, TendermintWithdrawn } from '../../chains/tendermint/index.ts';
import { accountOfAddress } from '../../htlc/tendermint-address.ts';
import type { ChainFault } from '../../ports/chain.ts';
import type { CoinWallet, WalletRefusal } from '../../ports/coin-wallet.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { amountIn, notEnough, refused, transportRefusal, WalletProblem } from '../wallet-refusals.ts';

export type TendermintWalletParts = {
  readonly coin: string;
  /** Ticker of the coin in which fees are paid. */
  readonly platform: string;
  readonly prefix: string;
  readonly chain: Pick<TendermintChain, 'withdraw' | 'send' | 'traits'>;
};

/** The wallet of an account's coin, as its owner uses it. */
export function tendermintWallet({ coin, platform, prefix, chain }: TendermintWalletParts): CoinWallet {
  return {
    withdraw: ({ to, amount, fee }) =>
      WalletProblem.caught(async () => {
        if (accountOfAddress(prefix, to) === undefined) {
          const why = `expected an address of 20 bytes that starts with ${prefix}1`;
          throw refused('InvalidAddress', `Invalid address: ${why}`, why);
        }
        if (fee !== null) {
          const why = 'the gas price sets the fee of a coin on a Tendermint chain';
          throw refused('InvalidFeePolicy', `Invalid fee policy: ${why}`, why);
        }
        const units = amount === null ? null : amountIn(amount, chain.traits.decimals);
        const answer = await chain.withdraw({ to, amount: units, memo: '' });
        if (!answer.ok) throw new WalletProblem(refusalOf(answer.fault, { coin, platform }));
        const { tx_hex, tx_hash, spent, received } = answer.value;
        return { tx_hex, tx_hash, to, spent, received, fee_details: feeDetails(answer.value, platform) };
      }),
    send: (tx_hex) =>
      WalletProblem.caught(async () => {
        const answer = await chain.send(tx_hex.toLowerCase());
        if (!answer.ok) throw refused('Transport', answer.fault.message, answer.fault.message);
        return answer.value;
      }),
  };
}

/** The wallet of an account that is watched: what was signed elsewhere is sent, and nothing is signed here. */
export function watchedWallet({ send }: CoinWallet, coin: string): CoinWallet {
  const why = `the key of ${coin} is held elsewhere: sign there, and send the bytes with send_raw_transaction`;
  return { send, withdraw: () => WalletProblem.caught(() => Promise.reject(refused('InvalidRequest', why, why))) };
}

function feeDetails({ gas, fee }: TendermintWithdrawn, platform: string): JsonObject {
  return { type: 'Tendermint', coin: platform, amount: fee, gas_limit: Number(gas) };
}

function refusalOf(
  fault: ChainFault,
  { coin, platform }: { readonly coin: string; readonly platform: string },
): WalletRefusal {
  const { kind, message, shortage, part } = fault;
  if (kind === 'insufficientFunds' && part === 'spendFee')
    return {
      type: 'NotSufficientPlatformBalanceForFee',
      text: `Not enough ${platform} for the fee of a withdrawal of ${coin}: ${message}`,
      ...(shortage === undefined ? {} : { data: { coin: platform, ...shortage } }),
    };
  return kind === 'insufficientFunds' ? notEnough(coin, fault) : transportRefusal(fault);
}
