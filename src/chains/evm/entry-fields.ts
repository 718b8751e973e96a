import { type EntryField, effect, none } from '../entry-field.ts';

/**
 * Every member of a coins-file entry that the real node reads for a coin of an EVM chain or a token of one, and two of ours. Members of
 * other families, and those that nobody knows, change nothing, as with the real node.
 */
export const EVM_ENTRY_FIELDS = {
  coin: effect('the ticker', 'refused'),
  mm2: effect(
    'for `enable` it must be there, or in the request, which counts more; 0: no order and no offer is made with the coin, except under `--compatibility kdf`, where every value will do. `task::enable_eth` does not look at it',
    'refused by `enable`',
  ),
  protocol: effect(
    'what the coin is: `ETH` with the `chain_id` that every node must have, or `ERC20` with `platform` and `contract_address`; a `chain_id` beside `protocol` says nothing',
    'refused',
  ),
  required_confirmations: effect(
    'confirmations of a payment where the request does not say',
    'of a token that of its platform; else 3, or 1 under `--compatibility kdf`',
  ),
  wallet_only: effect('true: no order and no offer is made with the coin, and none that stands is matched', 'false'),
  decimals: effect(
    'of a token: digits after the point, up to 18, which the token must confirm where it tells its own',
    'the token is asked, also for 0; a chain’s own coin has 18',
  ),
  max_eth_tx_type: effect(
    'of a chain’s own coin, for its tokens too: 2 or more pays for gas by EIP-1559, up to 127; less by a price all in all',
    '0',
  ),
  max_gas_price: effect(
    'of a chain’s own coin, for its tokens too, and of this package alone: gwei that a unit of gas costs at most, however urgent, from 1 on. Where blocks have a base fee it is also at most 100 times that, or 2,000 gwei where that is more; what nodes and stations say without urgency counts up to ten times that, or 100 gwei, or a tenth of this where there is no base fee',
    '100,000',
  ),
  finalized_tag: effect(
    'of a chain’s own coin, for its tokens too, and of this package alone: true: a payment, claim or refund has as many confirmations as finality takes (3 unless told otherwise) only once nodes call its block final, also where they never do; false: the depth alone decides',
    'judged each time: as true from when any node has named a final block at most 1,800 seconds older than the last one; until then as false where none names one, or two name older ones only',
  ),
  gas_limit: effect(
    'most gas of each kind of call, by the names `eth_send_coins`, `eth_payment`, `eth_receiver_spend`, `eth_sender_refund`, the same with `erc20`, and `eth_max_trade_gas`, which bounds an approval',
    '21,000, 65,000, 65,000 and 100,000; for tokens 210,000 and three times 150,000; 60,000',
  ),
  avg_blocktime: effect('nominal seconds between two blocks; less than one counts as one', '15'),
  logs_block_range: effect('blocks that a node is asked for at once when events are searched for, from 1 on', '1,000'),
  derivation_path: effect(
    "with `enable_hd`, the path above the key of the coin, such as `m/44'/60'`; the request’s `path_to_address` says what is below it. A token has that of its platform",
    'refused with `enable_hd`; without it all coins have one key',
  ),
  trezor_coin: effect('a coin without it is not activated with a hardware wallet', 'no hardware wallet'),
  gas_limit_v2: none('the trading protocol that it is for is not spoken'),
  gas_fee_estimator: none(
    'no method tells estimated fees; swaps have the node asked, and the gas station of the request',
  ),
  sign_message_prefix: none('no method signs messages'),
} as const satisfies Readonly<Record<string, EntryField>>;

export type EvmEntryFieldName = keyof typeof EVM_ENTRY_FIELDS;
