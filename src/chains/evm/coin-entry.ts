import { isJsonObject, type JsonObject, numberText } from '../../primitives/json.ts';
import type { Seconds } from '../../primitives/time.ts';
import { EntryReader, invalidEntry } from '../entry-reader.ts';
import type { EvmGasLimits } from './coin.ts';
import type { EvmEntryFieldName } from './entry-fields.ts';
import type { PriceRule } from './prices.ts';

/** What a coins-file entry says about a coin of an EVM chain, or a token on one (as in the real node). */
export type EvmEntry = {
  /** Null if it does not say: then the token is asked. */
  readonly decimals: number | null;
  readonly walletOnly: boolean;
  /** Confirmations of a payment if a request does not say; null if the entry does not either. */
  readonly requiredConfirmations: number | null;
  readonly blockTime: Seconds;
  readonly logsBlockRange: number | null;
  /** Whether finality needs what nodes call final; null if the entry does not say. */
  readonly finalizedTag: boolean | null;
  readonly prices: PriceRule;
  readonly gas: { readonly coin: Partial<EvmGasLimits>; readonly token: Partial<EvmGasLimits> };
};

const GWEI = 10n ** 9n;
/** The highest price, in gwei per unit of gas: twice what chains have seen on their most expensive days. */
const CEILING_GWEI = 100_000;
const MOST_CEILING_GWEI = 1_000_000_000;
/** From this type on, transactions separate base fee and tip (EIP-1559). */
const DYNAMIC_FEE_TYPE = 2;
const MOST_TYPE = 127;
const USUAL_BLOCK_TIME = 15;

/**
 * Reads an entry of the coins file. Missing members have the real node's defaults.
 *
 * @throws CoinEntryError COIN_ENTRY_INVALID for a member of the wrong type or out of its bounds
 *
 * @example
 * ```ts
 * import { readEvmEntry } from 'swapfold/chains/evm';
 *
 * const entry = { coin: 'ETH', max_eth_tx_type: 2, avg_blocktime: 12.1, max_gas_price: 500 };
 * const { prices, blockTime } = readEvmEntry(entry);
 * [prices.kind, prices.ceiling, blockTime]; // → ['eip1559', 500_000_000_000n, 13]
 * readEvmEntry({ gas_limit: { eth_payment: 20_999 } }); // throws COIN_ENTRY_INVALID
 * ```
 */
export function readEvmEntry(entry: JsonObject): EvmEntry {
  const of = new EntryReader<EvmEntryFieldName>(entry);
  const logsBlockRange = of.whole('logs_block_range', 1_000_000) ?? null;
  if (logsBlockRange === 0) throw invalidEntry('logs_block_range', { expected: 'a whole number from 1 on', found: 0 });
  const ceiling = of.whole('max_gas_price', MOST_CEILING_GWEI) ?? CEILING_GWEI;
  if (ceiling === 0) throw invalidEntry('max_gas_price', { expected: 'a whole number of gwei from 1 on', found: 0 });
  const maxType = of.whole('max_eth_tx_type', MOST_TYPE) ?? 0;
  return {
    // The real node reads 0 as a token that must be asked.
    decimals: of.whole('decimals', 18) || null,
    walletOnly: of.flag('wallet_only') ?? false,
    requiredConfirmations: of.whole('required_confirmations', Number.MAX_SAFE_INTEGER) ?? null,
    blockTime: Math.max(1, Math.ceil(of.number('avg_blocktime', 100_000) ?? USUAL_BLOCK_TIME)),
    logsBlockRange,
    finalizedTag: of.flag('finalized_tag') ?? null,
    prices: {
      kind: maxType >= DYNAMIC_FEE_TYPE ? 'eip1559' : 'legacy',
      tip: null,
      floor: 1n,
      ceiling: BigInt(ceiling) * GWEI,
    },
    gas: gasOf(of),
  };
}

/** Names of the real node, by what they limit here. */
const OF_COIN = {
  transfer: 'eth_send_coins',
  payment: 'eth_payment',
  claim: 'eth_receiver_spend',
  refund: 'eth_sender_refund',
} as const;
const OF_TOKEN = {
  transfer: 'eth_send_erc20',
  payment: 'erc20_payment',
  claim: 'erc20_receiver_spend',
  refund: 'erc20_sender_refund',
  approval: 'eth_max_trade_gas',
} as const;

/** A call that uses more than a block holds is never included. */
const MOST_GAS = 1_000_000_000;
const LEAST_GAS = 21_000;

function gasOf(of: EntryReader<EvmEntryFieldName>): EvmEntry['gas'] {
  const limits = of.member('gas_limit');
  if (limits === undefined) return { coin: {}, token: {} };
  if (!isJsonObject(limits))
    throw invalidEntry('gas_limit', { expected: 'an object', found: JSON.stringify(limits).slice(0, 60) });
  const read = (names: Readonly<Record<string, string>>): Partial<EvmGasLimits> =>
    Object.fromEntries(
      Object.entries(names).flatMap(([kind, name]) => {
        const limit = limitIn(limits, name);
        return limit === null ? [] : [[kind, limit]];
      }),
    );
  return { coin: read(OF_COIN), token: read(OF_TOKEN) };
}

function limitIn(limits: JsonObject, name: string): bigint | null {
  const given = limits[name] ?? null;
  if (given === null) return null;
  const gas = Number(numberText(given) ?? Number.NaN);
  if (Number.isSafeInteger(gas) && gas >= LEAST_GAS && gas <= MOST_GAS) return BigInt(gas);
  const expected = `a whole number of gas, ${LEAST_GAS} to ${MOST_GAS}`;
  throw invalidEntry(`gas_limit.${name}`, { expected, found: JSON.stringify(given).slice(0, 60) });
}
