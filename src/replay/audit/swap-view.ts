import type { Role } from '../../events/catalog.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { htlcKeys, type StoredPartyKeys } from '../../htlc/keys.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesField, decimalField, type Fields, fieldsOf, isZeroHex, textField, wholeField } from './stored-fields.ts';
import { takenLock } from './taken-locks.ts';
import { type LoggedTransaction, loggedTransactions } from './transactions.ts';

/** One of the two payments as the log's own terms describe it. What a log does not hold is undefined. */
export type AuditedPayment = {
  /** Who pays. */
  readonly payer: Role;
  readonly coin: string | undefined;
  readonly amount: DecimalText | undefined;
  /** Seconds since 1970. */
  readonly lockTime: number | undefined;
  readonly senderKey: Uint8Array | undefined;
  readonly receiverKey: Uint8Array | undefined;
  /** Address of the swap contract, and whether both parties agreed on it; undefined for chains without one. */
  readonly contract: { readonly address: string; readonly negotiated: boolean } | undefined;
  /** The payment itself; the first where a damaged log holds several. */
  readonly transaction: LoggedTransaction | undefined;
};

/** A stored event of a type that the log's role knows, with its position. */
export type AuditedEvent = StoredEvent & { readonly seq: number };

/** A log, taken apart once for all checks. */
export type AuditedSwap = {
  readonly log: SwapLog;
  /** The network that is said to have been traded on; undefined for KDF's, whose rules changed with time. */
  readonly network: NetworkProfile | undefined;
  readonly role: Role;
  readonly started: Fields;
  /** Undefined where the first event is not Started. */
  readonly startedSeq: number | undefined;
  readonly startedAt: number | undefined;
  readonly lockDuration: number | undefined;
  readonly negotiated: Fields;
  readonly negotiatedSeq: number | undefined;
  /**
   * As negotiated, 20 or 32 bytes in a sound log. A maker of 2019 stored the secret alone; where that is hidden, the hash is
   * the one in a redeem script of the log.
   */
  readonly secretHash: Uint8Array | undefined;
  /** The swap secret, where the log holds and shows it: a maker's from its start, a taker's from the chain. */
  readonly secret: Uint8Array | undefined;
  readonly payments: Readonly<Record<Role, AuditedPayment>>;
  readonly transactions: readonly LoggedTransaction[];
  readonly first: (...types: readonly string[]) => AuditedEvent | undefined;
  readonly all: (...types: readonly string[]) => readonly AuditedEvent[];
  /** Whether the log may have been made out of the other party's log, which copies some times from there. */
  readonly perhapsRecreated: boolean;
};

/** Takes a log apart. Never throws. */
export function auditedSwap(log: SwapLog, network?: NetworkProfile): AuditedSwap {
  const { role } = log;
  const events = log.events.map(placed).filter(({ known }) => known);
  const first = (...types: readonly string[]) => events.find((event) => types.includes(event.type));
  const all = (...types: readonly string[]) => events.filter((event) => types.includes(event.type));
  const start = events[0]?.type === 'Started' ? events[0] : undefined;
  const negotiation = first('Negotiated');
  const started = fieldsOf(start?.data);
  const negotiated = fieldsOf(negotiation?.data);
  const transactions = loggedTransactions(role, events);
  const terms = { role, started, negotiated, transactions };
  const secret = shownSecret(role, { started, spent: first('TakerPaymentSpent') });
  return {
    log,
    network,
    role,
    started,
    startedSeq: start?.seq,
    startedAt: wholeField(started, 'started_at'),
    lockDuration: wholeField(started, 'lock_duration'),
    negotiated,
    negotiatedSeq: negotiation?.seq,
    secretHash: knownSecretHash(role, { started, negotiated, secret }) ?? revealedHash(transactions),
    secret,
    payments: { maker: paymentOf('maker', terms), taker: paymentOf('taker', terms) },
    transactions,
    first,
    all,
    perhapsRecreated: perhapsRecreated(log, { started, all, transactions }),
  };
}

/** Of one shape, which a copy by spreading would not have. */
function placed({ type, at, data, known, extra }: StoredEvent, seq: number): AuditedEvent {
  return extra === undefined ? { type, at, data, known, seq } : { type, at, data, known, extra, seq };
}

function shownSecret(
  role: Role,
  { started, spent }: { readonly started: Fields; readonly spent: StoredEvent | undefined },
): Uint8Array | undefined {
  const fields = role === 'maker' ? started : fieldsOf(spent?.data);
  const text = textField(fields, 'secret');
  return text === undefined || isZeroHex(text) ? undefined : bytesField(fields, 'secret');
}

function knownSecretHash(
  role: Role,
  from: { readonly started: Fields; readonly negotiated: Fields; readonly secret: Uint8Array | undefined },
): Uint8Array | undefined {
  if (role === 'taker') return bytesField(from.negotiated, 'secret_hash');
  const stored = bytesField(from.started, 'secret_hash');
  return stored ?? (from.secret === undefined ? undefined : hash160(from.secret));
}

/** The hash in the redeem script of a claim or refund: it binds the other payment all the same. */
function revealedHash(transactions: readonly LoggedTransaction[]): Uint8Array | undefined {
  for (const { use, utxo } of transactions) {
    if (use.kind !== 'claim' && use.kind !== 'refund') continue;
    for (const scripts of utxo?.inputs ?? []) {
      const input = takenLock(scripts);
      if (input !== undefined) return input.terms.secretHash;
    }
  }
  return undefined;
}

type Terms = {
  readonly role: Role;
  readonly started: Fields;
  readonly negotiated: Fields;
  readonly transactions: readonly LoggedTransaction[];
};

function paymentOf(payer: Role, { role, started, negotiated, transactions }: Terms): AuditedPayment {
  const own = { persistent: textField(started, 'my_persistent_pub'), ...coinKeys(started) };
  const other = role === 'taker' ? 'maker' : 'taker';
  const peer = { persistent: textField(negotiated, `${other}_pubkey`), ...coinKeys(negotiated) };
  const keys = htlcKeys(role === 'taker' ? { maker: peer, taker: own } : { maker: own, taker: peer });
  const agreed = textField(negotiated, `${payer}_coin_swap_contract_addr`);
  const address = agreed ?? textField(started, `${payer}_coin_swap_contract_address`);
  return {
    payer,
    coin: textField(started, `${payer}_coin`),
    amount: decimalField(started, `${payer}_amount`),
    lockTime:
      role === payer
        ? wholeField(started, `${payer}_payment_lock`)
        : wholeField(negotiated, `${payer}_payment_locktime`),
    ...keys[`${payer}Payment`],
    contract: address === undefined ? undefined : { address, negotiated: agreed !== undefined },
    transaction: transactions.find(({ use }) => use.kind === 'payment' && use.payer === payer),
  };
}

function coinKeys(fields: Fields): StoredPartyKeys {
  return {
    makerCoin: textField(fields, 'maker_coin_htlc_pubkey'),
    takerCoin: textField(fields, 'taker_coin_htlc_pubkey'),
  };
}

const TRADE_FEES: Readonly<Record<Role, readonly string[]>> = {
  taker: ['fee_to_send_taker_fee', 'taker_payment_trade_fee', 'maker_payment_spend_trade_fee'],
  maker: ['maker_payment_trade_fee', 'taker_payment_spend_trade_fee'],
};

/** Sizes of the name lists when `recreate_swap_data` came, at the end of 2021; they only ever grew. */
const LISTS_SINCE: Readonly<Record<Role, { readonly success: number; readonly error: number }>> = {
  taker: { success: 10, error: 13 },
  maker: { success: 11, error: 13 },
};

/**
 * False where the log holds what KDF's `recreate_swap_data` never writes: trade fees, a maker's secret, instructions,
 * details of transactions, a taker's log without the id of its order, name lists of before that method.
 */
function perhapsRecreated(
  { role, head }: SwapLog,
  from: {
    readonly started: Fields;
    readonly all: AuditedSwap['all'];
    readonly transactions: readonly LoggedTransaction[];
  },
): boolean {
  const { started, all, transactions } = from;
  if (TRADE_FEES[role].some((name) => typeof started[name] === 'object' && started[name] !== null)) return false;
  const secret = role === 'maker' ? textField(started, 'secret') : undefined;
  if (secret !== undefined && !isZeroHex(secret)) return false;
  if (all('TakerPaymentInstructionsReceived', 'MakerPaymentInstructionsReceived').length > 0) return false;
  if (role === 'taker' && head.my_order_uuid === null) return false;
  const { success, error } = LISTS_SINCE[role];
  if (head.success_events.length < success || head.error_events.length < error) return false;
  return !transactions.some(({ stored }) => textField(stored, 'total_amount') !== undefined);
}
