import type { Role } from '../../../src/events/catalog.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { htlcKeys } from '../../../src/htlc/keys.ts';
import { htlcRedeemScript } from '../../../src/htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { type DecimalText, toBaseUnits } from '../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';

type Fields = Readonly<Record<string, unknown>>;

export type StoredTransaction = { readonly tx_hex: string; readonly tx_hash: string };

export function dataOf(log: SwapLog, ...types: readonly string[]): Fields | undefined {
  return log.events.find(({ type }) => types.includes(type))?.data as Fields | undefined;
}

/** Every transaction that the events of a log hold. */
export function transactionsOf(log: SwapLog): readonly StoredTransaction[] {
  return log.events.flatMap(({ data }) => {
    const fields = (data ?? {}) as Fields;
    const candidate = (fields['transaction'] ?? fields) as Partial<StoredTransaction>;
    return typeof candidate.tx_hex === 'string' ? [candidate as StoredTransaction] : [];
  });
}

export function transactionOf(log: SwapLog, ...types: readonly string[]): StoredTransaction | undefined {
  const data = dataOf(log, ...types);
  return (data?.['transaction'] ?? data) as StoredTransaction | undefined;
}

export function decoded({ tx_hex }: StoredTransaction) {
  const transaction = decodeTransaction(hexToBytes(tx_hex));
  if (isTransactionProblem(transaction)) throw new Error(transaction.problem);
  return transaction;
}

export function secretHashOf(log: SwapLog): Uint8Array {
  const text = (dataOf(log, 'Negotiated')?.['secret_hash'] ?? dataOf(log, 'Started')?.['secret_hash']) as string;
  return hexToBytes(text);
}

/** Redeem script and value of both payments, by the log's Started and Negotiated alone. */
export function paymentsOf(log: SwapLog, secretHash = secretHashOf(log)) {
  const started = dataOf(log, 'Started') ?? {};
  const negotiated = dataOf(log, 'Negotiated') ?? {};
  const other: Role = log.role === 'taker' ? 'maker' : 'taker';
  const coinKeys = (fields: Fields) => ({
    makerCoin: fields['maker_coin_htlc_pubkey'] as string | null,
    takerCoin: fields['taker_coin_htlc_pubkey'] as string | null,
  });
  const own = { persistent: started['my_persistent_pub'] as string, ...coinKeys(started) };
  const theirs = { persistent: negotiated[`${other}_pubkey`] as string, ...coinKeys(negotiated) };
  const keys = htlcKeys(log.role === 'taker' ? { taker: own, maker: theirs } : { maker: own, taker: theirs });
  const lock = (payer: Role) =>
    Number(payer === log.role ? started[`${payer}_payment_lock`] : negotiated[`${payer}_payment_locktime`]);
  const payment = (payer: Role) => {
    const { senderKey, receiverKey } = payer === 'maker' ? keys.makerPayment : keys.takerPayment;
    if (senderKey === undefined || receiverKey === undefined) throw new Error(`no keys of the ${payer} payment`);
    return {
      script: htlcRedeemScript({ lockTime: unixSecondsOf(lock(payer)), senderKey, receiverKey, secretHash }),
      value: toBaseUnits(started[`${payer}_amount`] as DecimalText),
      lock: lock(payer),
    };
  };
  return { maker: payment('maker'), taker: payment('taker') };
}
