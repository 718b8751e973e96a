import { CoinEntryError } from '../../chains/entry-reader.ts';
import { readUtxoEntry, type UtxoEntry } from '../../chains/utxo/coin-entry.ts';
import type { Qrc20Token } from '../../chains/utxo/qrc20/token.ts';
import { readQtumAddress } from '../../htlc/qtum-address.ts';
import type { ScriptScheme } from '../../htlc/script.ts';
import { type JsonObject, numberText } from '../../primitives/json.ts';
import { ActivationFailure } from '../activation-failure.ts';

/** What the coins file says of a QRC20 token. */
export type Qrc20Entry = {
  readonly token: string;
  /** Ticker of the coin that pays for its calls; it needs no entry. */
  readonly platform: string;
  readonly chain: Qrc20Token['platform'];
  readonly utxo: UtxoEntry;
  /** Null where the token itself is to be asked. */
  readonly decimals: number | null;
};

/** Least output that Qtum's nodes relay, in base units: what the entry says of dust is about the token, and the real node reads it as 0. */
const QTUM_DUST = 72_800;
const QTUM_DECIMALS = 8;
const MOST_DECIMALS = 255;

export type EntryOptions = {
  readonly platform: string;
  readonly contractAddress: string;
  readonly finality: number;
  readonly scheme: ScriptScheme;
};

/** @throws ActivationFailure entryInvalid */
export function readQrc20Entry(entry: JsonObject, options: EntryOptions): Qrc20Entry {
  const { platform, contractAddress, finality, scheme } = options;
  const utxo = utxoEntryOf({ ...entry, dust: QTUM_DUST, decimals: QTUM_DECIMALS }, { finality, scheme });
  const { address } = utxo.coin;
  // Contracts know the sender of a call by an ordinary address alone.
  if (address !== 'p2pkh' || utxo.form.cash !== undefined) throw invalid('Expect standard UTXO address format');
  const read = readQtumAddress(contractAddress, { keyPrefix: -1, bech32: null });
  if (!read.ok) throw invalid(read.contract);
  return {
    token: read.account,
    platform,
    chain: { ...utxo.coin, coin: platform, address },
    utxo,
    decimals: decimalsOf(entry),
  };
}

/** 0 counts, as with the real node. */
function decimalsOf(entry: JsonObject): number | null {
  const told = entry['decimals'] ?? null;
  const decimals = Number((told === null ? undefined : numberText(told)) ?? Number.NaN);
  if (!Number.isSafeInteger(decimals) || decimals < 0) return null;
  if (decimals > MOST_DECIMALS) throw invalid(`decimals ${decimals} is not u8`);
  return decimals;
}

function utxoEntryOf(entry: JsonObject, terms: Parameters<typeof readUtxoEntry>[1]): UtxoEntry {
  try {
    return readUtxoEntry(entry, terms);
  } catch (error) {
    if (!(error instanceof CoinEntryError)) throw error;
    const facts = Object.entries(error.facts).map(([name, value]) => `${name}: ${String(value)}`);
    throw invalid(`${error.shortMessage} ${facts.join(', ')}`);
  }
}

function invalid(problem: string): ActivationFailure {
  return new ActivationFailure('entryInvalid', problem);
}
