import { type EntryField, effect, none, refused } from '../entry-field.ts';

/**
 * Every member of a coins-file entry that the real node reads for a coin of outputs. Members of other families, and
 * those that nobody knows, change nothing, as with the real node.
 */
export const ENTRY_FIELDS = {
  coin: effect('the ticker. GRS and SMART are refused: their hashes are others', 'refused'),
  mm2: effect(
    'must be there, or in the request, which counts more; 0: no order and no offer is made with the coin, except under `--compatibility kdf`, where every value will do',
    'refused',
  ),
  protocol: effect(
    'what the coin is: `UTXO`; `BCH`, of which outputs that hold tokens of the Simple Ledger Protocol are never spent; `QTUM`, whose stakes are rewards too and whose nodes relay nothing below 400,000 base units for 1,000 bytes',
    'refused',
  ),
  required_confirmations: effect(
    'confirmations of a payment where the request does not say',
    '3, or 1 under `--compatibility kdf`',
  ),
  requires_notarization: effect(
    'where the request does not say; `setprice`, `buy`, `sell`, `swap::offer` and `swap::take` refuse an order that would wait for it, because no backend tells of notarisations',
    'false',
  ),
  wallet_only: effect('true: no order and no offer is made with the coin, and none that stands is matched', 'false'),
  decimals: effect('digits after the point of one coin, up to 18', '8'),
  pubtype: effect('first byte of the address of a key', '60; 0 for BTC'),
  p2shtype: effect('first byte of the address of a script', '85; 5 for BTC'),
  taddr: effect('unless it is 0, a byte before both', '0'),
  bech32_hrp: effect(
    'first part of addresses with a witness, which can be paid to and, with `address_format`, be the own one',
    'none',
  ),
  segwit: effect('must be true for an own address with a witness', 'false'),
  address_format: effect(
    '`standard`, `segwit` beside `segwit` and `bech32_hrp`, or `cashaddress` with its `network`: the form of the own address; the request’s counts more, and must agree about the witness',
    '`standard`',
  ),
  txversion: effect('version of transactions; 3 or 4 of an overwintered coin', '1'),
  overwintered: effect('1: transactions have the overwintered form', '0'),
  version_group_id: effect(
    'group of an overwintered coin’s transactions, in hex',
    '0x03c48270 of version 3, 0x892f2085 of 4',
  ),
  consensus_branch_id: effect(
    'branch that its signatures commit to, in hex',
    '0x5ba81b19 of version 3, 0x76b809bb of 4',
  ),
  fork_id: effect('what every hash type has beside SIGHASH_ALL, in hex', '0x40 for BCH, else 0'),
  signature_version: effect(
    '`base` or `fork_id`; `witness_v0` is refused, inputs with a witness are signed so anyway',
    '`fork_id` for BCH and where `fork_id` is not 0',
  ),
  txfee: effect('base units for 1,000 bytes; 0 asks the backend', '1,000; 400,000 of Qtum'),
  txfee_volatility_percent: effect(
    'by how much more the fees of a swap are reckoned before it starts, where the backend is asked for them',
    '0.5',
  ),
  estimate_fee_mode: effect('`ECONOMICAL`, `CONSERVATIVE` or `UNSET`: given to the backend that is asked', 'not given'),
  estimate_fee_blocks: effect(
    'within how many blocks the backend is asked to reckon; where it does not know that, 2',
    '1',
  ),
  force_min_relay_fee: effect('true: never less than what the backend’s node says that it relays', 'false'),
  dust: effect('least output, in base units', '1,000'),
  mature_confirmations: effect('confirmations from which the reward of a block may be spent', '100; 2,000 of Qtum'),
  mtp_block_count: effect('blocks whose times the chain’s clock is the median of', '11'),
  avg_blocktime: effect('nominal seconds between two blocks', '60; 32 of Qtum'),
  confpath: effect('the daemon’s conf file; `~/` and `USERHOME/` are the home folder', 'by `asset` or `name`'),
  asset: effect('the conf file is `~/.komodo/<asset>/<asset>.conf`', ''),
  name: effect(
    'the conf file is `~/.<name>/<name>.conf`',
    'refused for `enable` where `confpath` and `asset` are absent too',
  ),
  rpcport: effect('the daemon’s port where its conf file names none', 'refused where that names none'),
  derivation_path: effect(
    "with `enable_hd`, the path above the key of the coin, such as `m/44'/141'`; the request’s `path_to_address` says what is below it",
    'refused with `enable_hd`; without it all coins have one key',
  ),
  isPoS: refused('unless it is 0 or false: transactions that carry a time are not built'),
  isPoSV: refused('unless it is 0 or false: transactions that carry a time are not built'),
  spv_conf: refused('headers are not verified from a checkpoint on; see the guide for what servers are believed about'),
  check_utxo_maturity: none('the age of rewards is always looked at'),
  network: none(
    'nothing of a coin of outputs follows from it; another value than `mainnet`, `testnet` and `regtest` is refused',
  ),
  wiftype: none('no key is written out, and a key that is given is read whatever its network'),
  sign_message_prefix: none('no method signs messages'),
  trezor_coin: none('keys are never in a hardware wallet'),
} as const satisfies Readonly<Record<string, EntryField>>;

export type EntryFieldName = keyof typeof ENTRY_FIELDS;
