import type { Role } from '../../events/catalog.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import { decodeEvmTransaction, type EvmTransaction } from '../../htlc/evm-transaction.ts';
import type { DecodedTransaction } from '../../htlc/transaction.ts';
import {
  type HashFamily,
  readIdentity,
  type TransactionIdentity,
  type UncheckableId,
} from '../../htlc/transaction-id.ts';
import { type Fields, fieldsOf } from './stored-fields.ts';

/** What a transaction is for: the taker's fee, or the payment of a party, its claim with the secret, or its refund. */
export type TransactionUse =
  | { readonly kind: 'fee' }
  | { readonly kind: 'payment' | 'claim' | 'refund'; readonly payer: Role };

/** A transaction that an event holds. */
export type LoggedTransaction = {
  readonly seq: number;
  readonly event: string;
  readonly use: TransactionUse;
  /** The stored object, with whatever stands beside hex and id. */
  readonly stored: Fields;
  readonly hex: string;
  readonly hash: string;
  readonly identity: TransactionIdentity;
  readonly family: HashFamily | undefined;
  readonly bytes: Uint8Array;
  /** The id that the bytes have where it can be computed, else the stored one. */
  readonly id: string;
  /** Present where the bytes are a transaction of a UTXO chain. */
  readonly utxo: DecodedTransaction | undefined;
  /** Present where the bytes are a transaction of an EVM chain. */
  readonly evm: EvmTransaction | undefined;
};

const FEE: TransactionUse = { kind: 'fee' };
const pays = (payer: Role): TransactionUse => ({ kind: 'payment', payer });
const claims = (payer: Role): TransactionUse => ({ kind: 'claim', payer });
const refunds = (payer: Role): TransactionUse => ({ kind: 'refund', payer });

const USES: Readonly<Record<Role, ReadonlyMap<string, TransactionUse>>> = {
  taker: new Map([
    ['TakerFeeSent', FEE],
    ['MakerPaymentReceived', pays('maker')],
    ['TakerPaymentSent', pays('taker')],
    ['TakerPaymentSpent', claims('taker')],
    ['MakerPaymentSpent', claims('maker')],
    ['MakerPaymentSpentByWatcher', claims('maker')],
    ['MakerPaymentSpendConfirmed', claims('maker')],
    ['TakerPaymentRefunded', refunds('taker')],
    ['TakerPaymentRefundedByWatcher', refunds('taker')],
  ]),
  maker: new Map([
    ['TakerFeeValidated', FEE],
    ['MakerPaymentSent', pays('maker')],
    ['TakerPaymentReceived', pays('taker')],
    ['TakerPaymentSpent', claims('taker')],
    ['MakerPaymentRefunded', refunds('maker')],
  ]),
};

/** Every transaction of a log, in its order. A refund without one (coins that refund by themselves) is left out. */
export function loggedTransactions(
  role: Role,
  events: readonly (StoredEvent & { readonly seq: number })[],
): readonly LoggedTransaction[] {
  return events.flatMap((event) => {
    const use = USES[role].get(event.type);
    const data = fieldsOf(event.data);
    // A taker's TakerPaymentSpent alone holds its transaction one level down, beside the secret.
    const stored = role === 'taker' && event.type === 'TakerPaymentSpent' ? fieldsOf(data['transaction']) : data;
    const { tx_hex: hex, tx_hash: hash } = stored;
    if (use === undefined || typeof hex !== 'string' || typeof hash !== 'string') return [];
    return [readTransaction({ seq: event.seq, event: event.type, use, stored, hex, hash })];
  });
}

type Stored = Pick<LoggedTransaction, 'seq' | 'event' | 'use' | 'stored' | 'hex' | 'hash'>;

function readTransaction(from: Stored): LoggedTransaction {
  const { identity, bytes, decoded } = readIdentity(from.hex, from.hash);
  const family = identity.status === 'notCheckable' ? undefined : identity.family;
  const stored = from.hash.toLowerCase().replace(/^0x/, '');
  const id = identity.status === 'violated' ? (identity.expected ?? stored) : stored;
  const utxo = family === 'utxo' || family === 'utxoSingleSha256' ? decoded : undefined;
  const evm = family === 'evm' ? decodeEvmTransaction(bytes) : undefined;
  const { seq, event, use, hex, hash } = from;
  return { seq, event, use, stored: from.stored, hex, hash, identity, family, bytes, id, utxo, evm };
}

const UNCHECKABLE: Readonly<Record<UncheckableId, string>> = {
  empty: 'no transaction is stored: a taker that is exempt from the fee sends none',
  lightningPaymentHash: 'a Lightning payment leaves its payment hash alone',
  zcashVersion5: 'the transaction is of Zcash version 5, which is not decoded',
  sia: 'the transaction is of Sia, which is not decoded',
  extensionBlock: 'the transaction has an extension block, which is not decoded',
};

/** Why a transaction's id cannot be told from its bytes. */
export function uncheckableId(reason: UncheckableId): string {
  return UNCHECKABLE[reason];
}

/** Why a transaction gives no inputs and outputs to look at. */
export function notUtxo({ identity, family }: LoggedTransaction): string {
  if (identity.status === 'notCheckable') return UNCHECKABLE[identity.reason];
  if (family === 'evm') return 'the transaction is of an EVM chain, whose payments have checks of their own';
  if (family === 'tendermint') return 'the transaction is of a Tendermint chain, which is not decoded';
  return 'the stored bytes are no transaction that can be read';
}

/** `the maker's payment`, `the taker's refund`: a use in words. */
export function useInWords(use: TransactionUse): string {
  if (use.kind === 'fee') return "the taker's fee";
  return use.kind === 'payment' ? `the ${use.payer}'s payment` : `the ${use.kind} of the ${use.payer}'s payment`;
}
