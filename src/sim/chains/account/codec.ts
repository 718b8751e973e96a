import type { PaymentTerms } from '../../../ports/chain.ts';
import type { AccountTransaction, Call } from './transaction.ts';

/** A key in hex with its account. */
export type Signer = { readonly key: string; readonly address: string };

export type AccountDraft = {
  readonly signer: Signer;
  readonly nonce: number;
  readonly price: number;
  readonly gas: number;
  readonly value: bigint;
  readonly call: Call;
};

/** The terms of a payment in the words of a contract. */
export type SwapArguments = {
  readonly id: string;
  readonly sender: string;
  readonly receiver: string;
  readonly hash: string;
};

/** Turns account transactions into bytes and back. As on UTXO chains, signatures consist of hashes. */
export type AccountCodec = {
  /** Of the key of 33 bytes in hex. */
  readonly addressOf: (key: string) => string;
  /** Receives trading fees. */
  readonly feeAddress: string;
  /** Null if there is none. */
  readonly contract: string | null;
  /** Null for terms that the contract cannot hold. */
  readonly argumentsOf: (terms: PaymentTerms, amount: bigint) => SwapArguments | null;
  readonly encode: (draft: AccountDraft) => AccountTransaction;
  /** Null for bytes that are not a transaction. */
  readonly decode: (hex: string) => AccountTransaction | null;
};

/** Remembers what it decoded or made, because every transaction is decoded several times. */
export function remembered(codec: AccountCodec): AccountCodec {
  const known = new Map<string, AccountTransaction>();
  const remember = (transaction: AccountTransaction) => {
    known.set(transaction.hex, transaction);
    return transaction;
  };
  return {
    ...codec,
    encode: (draft) => remember(codec.encode(draft)),
    decode: (hex) => {
      const found = known.get(hex);
      if (found !== undefined) return found;
      const decoded = codec.decode(hex);
      return decoded === null ? null : remember(decoded);
    },
  };
}
