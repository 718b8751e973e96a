import type { ScriptScheme } from '../../htlc/script.ts';
import { OVERWINTER_BRANCH_ID, SAPLING_BRANCH_ID, SIGHASH_ALL, SIGHASH_FORKID } from '../../htlc/signature-hash.ts';
import type { TransactionForm } from '../../htlc/spend.ts';
import { SAPLING_GROUP_ID } from '../../htlc/transaction.ts';
import { isJsonObject, type JsonObject } from '../../primitives/json.ts';
import { EntryReader, invalidEntry, unsupportedEntry } from '../entry-reader.ts';
import type { AddressForm } from './address.ts';
import type { FeeRate, FeeRule, UtxoCoin } from './coin.ts';
import type { EntryFieldName } from './entry-fields.ts';

/** What a coins-file entry says about a UTXO coin (as in the real node). */
export type UtxoEntry = {
  readonly coin: UtxoCoin;
  readonly form: AddressForm;
  /** Whether trading it is not allowed. */
  readonly walletOnly: boolean;
  /** Confirmations of a payment if a request does not say; null if the entry does not either. */
  readonly requiredConfirmations: number | null;
  /** Whether payments must be notarized if a request does not say. */
  readonly requiresNotarization: boolean;
};

/** What the caller decides, because no entry says it. */
export type EntryTerms = {
  /** Depth from which a spend counts as final; at least 1. */
  readonly finality: number;
  /** How payments commit to their script on this network. */
  readonly scheme: ScriptScheme;
};

/** Coins whose hashes differ from Bitcoin's: their ids and addresses would be wrong. */
const OTHER_HASHES: ReadonlyMap<string, string> = new Map([
  ['GRS', 'groestl checksums and SHA-256 ids'],
  ['SMART', 'keccak checksums'],
]);

/** Members that change what a transaction looks like, in a way that is not built here. */
const UNBUILT = ['isPoS', 'isPoSV'] as const;

/** Seconds between two blocks if the entry does not say: as on Komodo and its smart chains. */
const USUAL_BLOCK_TIME = 60;

/** What nodes relay, and ask for each byte of a replacement, in base units for 1,000 bytes. */
const RELAY_FLOOR: FeeRate = 1000n;
/** However urgent: a hundred times what a coin configures, and no less than 500 base units a byte. */
const CEILING_FACTOR = 100n;
const LEAST_CEILING: FeeRate = 500_000n;

/**
 * Reads an entry of the coins file. Members that are absent have the real node's defaults.
 *
 * @throws CoinEntryError COIN_ENTRY_INVALID for a member of the wrong type or out of its bounds, COIN_UNSUPPORTED for a coin whose
 * transactions or addresses have a form that is not built here.
 *
 * @example
 * ```ts
 * import { readUtxoEntry } from 'swapfold/chains/utxo';
 *
 * const terms = { finality: 6, scheme: 'p2sh' } as const;
 * const address = { address_format: { format: 'segwit' }, segwit: true, bech32_hrp: 'ltc' };
 * const { coin, form } = readUtxoEntry({ coin: 'LTC', txfee: 100_000, ...address }, terms);
 * [coin.address, form.bech32, coin.fees.rate]; // → ['p2wpkh', 'ltc', 100_000n]
 * readUtxoEntry({ coin: 'LTC', decimals: 19 }, terms); // throws COIN_ENTRY_INVALID
 * readUtxoEntry({ coin: 'GRS' }, terms); // throws COIN_UNSUPPORTED
 * ```
 */
export function readUtxoEntry(entry: JsonObject, { finality, scheme }: EntryTerms): UtxoEntry {
  const of = new EntryReader<EntryFieldName>(entry);
  const ticker = of.text('coin') ?? '';
  requireBuilt(entry, ticker);
  const isBitcoin = ticker === 'BTC';
  const taddr = of.whole('taddr', 255) ?? 0;
  const prefix = (byte: number): Uint8Array => Uint8Array.from(taddr === 0 ? [byte] : [taddr, byte]);
  const { segwit, cash } = formatOf(of);
  const decimals = of.whole('decimals', 18) ?? 8;
  of.choice('network', NETWORKS);
  return {
    coin: {
      coin: ticker,
      decimals,
      ...signing(of),
      ...tokensOf(of),
      ...(isQtum(of) ? { stakes: true } : {}),
      address: segwit ? 'p2wpkh' : 'p2pkh',
      scheme,
      dust: BigInt(of.whole('dust', Number.MAX_SAFE_INTEGER) ?? 1000),
      finality,
      blockTime: of.whole('avg_blocktime', 100_000) ?? (isQtum(of) ? QTUM_BLOCK_TIME : USUAL_BLOCK_TIME),
      maturity: of.whole('mature_confirmations', 1_000_000) ?? (isQtum(of) ? QTUM_MATURITY : USUAL_MATURITY),
      medianBlocks: of.whole('mtp_block_count', 1000) ?? 11,
      ...(ticker === 'KMD' ? { oldestLock: KOMODO_OLDEST_LOCK } : {}),
      fees: feesOf(of),
    },
    form: {
      keyPrefix: prefix(of.whole('pubtype', 255) ?? (isBitcoin ? 0 : 60)),
      scriptPrefix: prefix(of.whole('p2shtype', 255) ?? (isBitcoin ? 5 : 85)),
      bech32: of.text('bech32_hrp') ?? null,
      ...(cash === null ? {} : { cash }),
    },
    walletOnly: of.flag('wallet_only') ?? false,
    requiredConfirmations: of.whole('required_confirmations', Number.MAX_SAFE_INTEGER) ?? null,
    requiresNotarization: of.flag('requires_notarization') ?? false,
  };
}

const NETWORKS = ['mainnet', 'testnet', 'regtest'] as const;

function requireBuilt(entry: JsonObject, ticker: string): void {
  const hashes = OTHER_HASHES.get(ticker);
  if (hashes !== undefined) throw unsupportedEntry('coin', `${ticker} has ${hashes}`);
  for (const name of UNBUILT) {
    if (entry[name] !== undefined && entry[name] !== null && entry[name] !== 0 && entry[name] !== false) {
      throw unsupportedEntry(name, 'transactions that carry a time are not built');
    }
  }
  if (entry['spv_conf'] !== undefined && entry['spv_conf'] !== null) {
    throw unsupportedEntry('spv_conf', 'block headers are not verified; remove the member to trust the servers');
  }
}

type Format = { readonly segwit: boolean; readonly cash: string | null };

function formatOf(of: EntryReader<EntryFieldName>): Format {
  const format = of.member('address_format');
  const name = isJsonObject(format) ? format['format'] : format;
  const cash = isJsonObject(format) ? format['network'] : undefined;
  if (name === undefined || name === 'standard') return { segwit: false, cash: null };
  if (name === 'cashaddress') {
    if (typeof cash === 'string' && CASH_PREFIX.test(cash)) return { segwit: false, cash };
    throw invalidEntry('address_format', {
      expected: 'a network of lower-case letters',
      found: String(cash).slice(0, 60),
    });
  }
  if (name !== 'segwit')
    throw unsupportedEntry(
      'address_format',
      'addresses of this form are not written; standard, segwit and cashaddress are',
    );
  if (of.flag('segwit') !== true || of.text('bech32_hrp') === undefined) {
    throw invalidEntry('address_format', {
      expected: 'segwit beside "segwit": true and bech32_hrp',
      found: 'segwit without them',
    });
  }
  return { segwit: true, cash: null };
}

/** `bitcoincash`, `bchtest` and `bchreg` are known; other chains have their own. */
const CASH_PREFIX = /^[a-z]{1,20}$/;

/** Coins of a chain on which outputs hold tokens by the Simple Ledger Protocol say so by their protocol. */
function tokensOf(of: EntryReader<EntryFieldName>): Pick<UtxoCoin, 'tokens'> {
  const protocol = of.member('protocol');
  return isJsonObject(protocol) && protocol['type'] === 'BCH' ? { tokens: 'slp' } : {};
}

/** Blocks after which rewards may be spent. Of Qtum: 500 below height 845,000 of its main network, this since. */
const USUAL_MATURITY = 100;
const QTUM_MATURITY = 2000;
/** Seconds between two of its blocks. */
const QTUM_BLOCK_TIME = 32;

/** What Qtum's nodes relay, in base units for 1,000 bytes. */
const QTUM_RELAY_FLOOR: FeeRate = 400_000n;

/** Qtum itself, or the chain of a token on it. */
function isQtum(of: EntryReader<EntryFieldName>): boolean {
  const protocol = of.member('protocol');
  return isJsonObject(protocol) && (protocol['type'] === 'QTUM' || protocol['type'] === 'QRC20');
}

/** Nothing is signed in a form that its coin does not configure: the network would refuse it. */
function signing(of: EntryReader<EntryFieldName>): Pick<UtxoCoin, 'form' | 'hashType' | 'branchId'> {
  const version = of.whole('txversion', 0x7fff_ffff) ?? 1;
  const overwintered = of.whole('overwintered', 1) === 1;
  const fork = of.hex('fork_id') ?? (of.text('coin') === 'BCH' ? SIGHASH_FORKID : 0);
  const named = of.text('signature_version') ?? (fork === 0 ? 'base' : 'fork_id');
  if (named !== 'base' && named !== 'fork_id') {
    throw unsupportedEntry('signature_version', `${named} is not signed; base and fork_id are`);
  }
  const hashType = SIGHASH_ALL | (named === 'fork_id' ? fork | SIGHASH_FORKID : 0);
  if (!overwintered) return { form: { format: 'legacy', version }, hashType };
  if (version !== 3 && version !== 4)
    throw invalidEntry('txversion', { expected: '3 or 4 for an overwintered coin', found: version });
  const branchId = of.hex('consensus_branch_id') ?? (version === 4 ? SAPLING_BRANCH_ID : OVERWINTER_BRANCH_ID);
  return { form: overwinteredForm(version, of.hex('version_group_id')), hashType, branchId };
}

/** `komodo_validate_interest` (as in the real node); its smart chains pay no interest and do not ask. */
const KOMODO_OLDEST_LOCK = 3600;

const OVERWINTER_GROUP_ID = 0x03c4_8270;

function overwinteredForm(version: 3 | 4, groupId: number | undefined): TransactionForm {
  if (version === 3) {
    return { format: 'overwinter', version, versionGroupId: groupId ?? OVERWINTER_GROUP_ID, expiryHeight: 0 };
  }
  return { format: 'sapling', version, versionGroupId: groupId ?? SAPLING_GROUP_ID, expiryHeight: 0, valueBalance: 0n };
}

const MODES = ['ECONOMICAL', 'CONSERVATIVE', 'UNSET'] as const;
const USUAL_ESTIMATE_BLOCKS = 1;
const MOST_ESTIMATE_BLOCKS = 1008;
const USUAL_VOLATILITY = 0.5;

function feesOf(of: EntryReader<EntryFieldName>): FeeRule {
  const floor = isQtum(of) ? QTUM_RELAY_FLOOR : RELAY_FLOOR;
  const rate = feeRateOf(of, floor);
  const blocks = of.whole('estimate_fee_blocks', MOST_ESTIMATE_BLOCKS) ?? USUAL_ESTIMATE_BLOCKS;
  const mode = of.choice('estimate_fee_mode', MODES) ?? null;
  const volatility = of.number('txfee_volatility_percent', 1000) ?? USUAL_VOLATILITY;
  return {
    rate,
    floor,
    ceiling: ceilingOf(rate ?? floor),
    estimate: { blocks, mode },
    // Only what is asked for may change before it is paid.
    ...(rate === null ? { volatility } : {}),
    ...(of.flag('force_min_relay_fee') === true ? { relayFloor: true } : {}),
  };
}

/** `txfee` is in base units for 1,000 bytes; 0 has the node asked. */
function feeRateOf(of: EntryReader<EntryFieldName>, floor: FeeRate): FeeRate | null {
  const fee = of.whole('txfee', Number.MAX_SAFE_INTEGER);
  if (fee === 0) return null;
  return fee === undefined ? floor : BigInt(fee);
}

function ceilingOf(rate: FeeRate): FeeRate {
  const scaled = rate * CEILING_FACTOR;
  return scaled > LEAST_CEILING ? scaled : LEAST_CEILING;
}
