import { type EntryField, effect, none, refused } from '../entry-field.ts';

/**
 * Every member of a coins-file entry that the real node reads for a UTXO coin. Members of other families, and unknown
 * members, change nothing, as with the real node.
 */
export const ENTRY_FIELDS = {
  coin: effect('the ticker. GRS and SMART are refused: they use other hashes', 'refused'),
  mm2: effect(
    'required here or in the request, which takes precedence; 0: the node makes no order and no offer with the coin, except under `--compatibility kdf`, which accepts every value',
    'refused',
  ),
  protocol: effect(
    'the kind of coin: `UTXO`; `BCH`, of which the node never spends outputs that hold tokens of the Simple Ledger Protocol; `QTUM`, whose stakes count as rewards too and whose nodes relay nothing below 400,000 base units per 1,000 bytes',
    'refused',
  ),
  required_confirmations: effect(
    'confirmations of a payment if the request sets none',
    '3, or 1 under `--compatibility kdf`',
  ),
  requires_notarization: effect(
    'used if the request sets none; `setprice`, `buy`, `sell`, `swap::offer` and `swap::take` refuse an order that would wait for notarization, because no backend reports it',
    'false',
  ),
  wallet_only: effect('true: the node makes no order and no offer with the coin, and matches no existing one', 'false'),
  decimals: effect('decimals of one coin, up to 18', '8'),
  pubtype: effect('first byte of the address of a key', '60; 0 for BTC'),
  p2shtype: effect('first byte of the address of a script', '85; 5 for BTC'),
  taddr: effect('a byte before both, unless it is 0', '0'),
  bech32_hrp: effect(
    'prefix of witness addresses; the node can pay to them and, with `address_format`, use one as its own',
    'none',
  ),
  segwit: effect('must be true if the node’s own address is a witness address', 'false'),
  address_format: effect(
    'form of the node’s own address: `standard`, `segwit` (with `segwit` and `bech32_hrp`), or `cashaddress` with its `network`; the request’s value takes precedence, and must agree about the witness',
    '`standard`',
  ),
  txversion: effect('transaction version; 3 or 4 for an overwintered coin', '1'),
  overwintered: effect('1: transactions have the overwintered form', '0'),
  version_group_id: effect(
    'version group of an overwintered coin’s transactions, in hex',
    '0x03c48270 for version 3, 0x892f2085 for 4',
  ),
  consensus_branch_id: effect(
    'consensus branch that its signatures commit to, in hex',
    '0x5ba81b19 for version 3, 0x76b809bb for 4',
  ),
  fork_id: effect('added to SIGHASH_ALL in every hash type, in hex', '0x40 for BCH, else 0'),
  signature_version: effect(
    '`base` or `fork_id`; `witness_v0` is refused, because witness inputs always use it',
    '`fork_id` for BCH and where `fork_id` is not 0',
  ),
  txfee: effect('base units per 1,000 bytes; 0 asks the backend', '1,000; 400,000 for Qtum'),
  txfee_volatility_percent: effect(
    'by how much the node raises its estimate of a swap’s fees before the swap starts, if it asks the backend for them',
    '0.5',
  ),
  estimate_fee_mode: effect(
    '`ECONOMICAL`, `CONSERVATIVE` or `UNSET`: passed to the backend with the request',
    'not passed',
  ),
  estimate_fee_blocks: effect(
    'target in blocks for the backend’s estimate; 2 if the backend does not know that target',
    '1',
  ),
  force_min_relay_fee: effect('true: never less than the relay fee that the backend’s node reports', 'false'),
  dust: effect('smallest output, in base units', '1,000'),
  mature_confirmations: effect('confirmations after which a block reward may be spent', '100; 2,000 for Qtum'),
  mtp_block_count: effect('number of blocks whose median time is the chain’s clock', '11'),
  avg_blocktime: effect('nominal seconds between two blocks', '60; 32 for Qtum'),
  confpath: effect('the daemon’s conf file; `~/` and `USERHOME/` are the home folder', 'by `asset` or `name`'),
  asset: effect('the conf file is `~/.komodo/<asset>/<asset>.conf`', ''),
  name: effect(
    'the conf file is `~/.<name>/<name>.conf`',
    'refused for `enable` if `confpath` and `asset` are absent too',
  ),
  rpcport: effect('the daemon’s port if its conf file names none', 'refused if that file names none'),
  derivation_path: effect(
    "with `enable_hd`, the path above the key of the coin, such as `m/44'/141'`; the request’s `path_to_address` gives the rest",
    'refused with `enable_hd`; without it all coins have one key',
  ),
  isPoS: refused('unless it is 0 or false: this package does not build transactions that carry a time'),
  isPoSV: refused('unless it is 0 or false: this package does not build transactions that carry a time'),
  spv_conf: refused(
    'because this package does not verify headers from a checkpoint on; the guide says what it believes of servers',
  ),
  check_utxo_maturity: none('the node always checks the age of rewards'),
  network: none(
    'nothing about a UTXO coin depends on it; a value other than `mainnet`, `testnet` and `regtest` is refused',
  ),
  wiftype: none('the node exports no key, and reads a given key whatever its network'),
  sign_message_prefix: none('no method signs messages'),
  trezor_coin: none('keys are never in a hardware wallet'),
} as const satisfies Readonly<Record<string, EntryField>>;

export type EntryFieldName = keyof typeof ENTRY_FIELDS;
