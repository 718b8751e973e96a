import { type EntryField, effect, none } from '../entry-field.ts';

/**
 * Every member of a coins-file entry that the real node reads for a coin of an EVM chain or a token of one, and two of ours. Members of other
 * families, and unknown members, have no effect, as in the real node.
 */
export const EVM_ENTRY_FIELDS = {
  coin: effect('the ticker', 'refused'),
  mm2: effect(
    'for `enable`, required here or in the request, which takes precedence; 0: the node makes no order and no offer with the coin, except under `--compatibility kdf`, which accepts every value. `task::enable_eth` ignores it',
    'refused by `enable`',
  ),
  protocol: effect(
    'the kind of coin: `ETH` with the `chain_id` that every node must have, or `ERC20` with `platform` and `contract_address`; a `chain_id` beside `protocol` has no effect',
    'refused',
  ),
  required_confirmations: effect(
    'confirmations of a payment if the request sets none',
    'for a token that of its platform; else 3, or 1 under `--compatibility kdf`',
  ),
  wallet_only: effect('true: the node makes no order and no offer with the coin, and matches no existing one', 'false'),
  decimals: effect(
    'for a token: its decimals, up to 18; they must match those that the token reports, if it reports any',
    'the node asks the token, also for 0; a chain’s own coin has 18',
  ),
  max_eth_tx_type: effect(
    'in the entry of a chain’s own coin, for its tokens too: 2 or more, up to 127, pays for gas by EIP-1559; less pays a single gas price',
    '0',
  ),
  max_gas_price: effect(
    'in the entry of a chain’s own coin, for its tokens too, and only in this package: the maximum price of a unit of gas in gwei, at least 1, however urgent; while the base fee is above it no swap with the coin begins. If blocks have a base fee the price is also at most 100 times that fee, or 2,000 gwei if that is more. Without urgency, what nodes and stations report counts up to ten times the base fee, or 100 gwei, or a tenth of this maximum if there is no base fee',
    '100,000',
  ),
  finalized_tag: effect(
    'in the entry of a chain’s own coin, for its tokens too, and only in this package. true: a payment, claim or refund has as many confirmations as finality takes (3 by default) only once nodes call its block final, even if they never do; false: the depth alone decides',
    'decided each time: as true once any node has named a final block at most 1,800 seconds older than the last one; until then as false if no node names one, or two name only older ones',
  ),
  gas_limit: effect(
    'maximum gas of each kind of call, by the names `eth_send_coins`, `eth_payment`, `eth_receiver_spend`, `eth_sender_refund`, the same with `erc20`, and `eth_max_trade_gas`, which limits an approval. A claim that needs more has up to three times as much, and so has whatever else moves a token that needs it; quotes count that',
    '21,000, 65,000, 65,000 and 100,000; for tokens 210,000 and three times 150,000; 60,000',
  ),
  avg_blocktime: effect('nominal seconds between two blocks; less than one counts as one', '15'),
  logs_block_range: effect(
    'most blocks per request when the node searches for events, at least 1; fewer where nodes refuse as many',
    '1,000',
  ),
  derivation_path: effect(
    "with `enable_hd`, the path above the key of the coin, such as `m/44'/60'`; the request’s `path_to_address` gives the rest. A token has the path of its platform",
    'refused with `enable_hd`; without it all coins have one key',
  ),
  trezor_coin: effect('required to activate the coin with a hardware wallet', 'no hardware wallet'),
  gas_limit_v2: none('this package does not speak the trading protocol that it is for'),
  gas_fee_estimator: none('no method reports estimated fees; swaps ask the node, and the gas station of the request'),
  sign_message_prefix: none('no method signs messages'),
} as const satisfies Readonly<Record<string, EntryField>>;

export type EvmEntryFieldName = keyof typeof EVM_ENTRY_FIELDS;
