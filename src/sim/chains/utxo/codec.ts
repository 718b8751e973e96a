import type { PaymentTerms } from '../../../ports/chain.ts';
import type { UtxoOutput, UtxoTransaction } from './transaction.ts';

/** A hash time lock, as its script states it. */
export type HtlcScript = {
  /** Identity of the script, by which outputs pay to it. */
  readonly id: string;
  /** In the form that a spend shows. */
  readonly text: string;
  readonly lockTime: number;
  /** Hex, as negotiated. */
  readonly secretHash: string;
  /** Addresses of the two keys. */
  readonly sender: string;
  readonly receiver: string;
};

/** A signer: a key in hex with its address. */
export type Signer = { readonly key: string; readonly address: string };

export type DraftInput = {
  readonly txid: string;
  readonly vout: number;
  readonly final: boolean;
  readonly signer: Signer;
} & (
  | { readonly by: 'key' }
  | { readonly by: 'refund' | 'bare'; readonly script: HtlcScript }
  | { readonly by: 'secret'; readonly script: HtlcScript; readonly secret: string }
);

/** An output of a draft: the codec adds data where it needs some. */
export type DraftOutput = UtxoOutput;

export type UtxoDraft = {
  readonly lockTime: number;
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  /** Secret hash in hex of the payment in output 0, for codecs that repeat it in an output of data. */
  readonly data?: string;
};

/**
 * Turns transactions into bytes and back. Signatures consist of hashes: they show which key signed what, and anyone could forge them. A real one
 * would take as long as a whole simulated swap.
 */
export type UtxoCodec = {
  /** The address for a key of 33 bytes in hex. */
  readonly addressOf: (key: string) => string;
  /** What an output of data holds that names a swap, as far as {@link UtxoOutput.lock} tells it. */
  readonly nameOf: (swap: string) => string;
  /** Null for terms that no script can hold. */
  readonly scriptOf: (terms: PaymentTerms) => HtlcScript | null;
  readonly encode: (draft: UtxoDraft) => UtxoTransaction;
  /** Null for bytes that are no transaction. */
  readonly decode: (hex: string) => UtxoTransaction | null;
  /** A watcher's preimage with the secret filled in; null if it is not one. */
  readonly complete: (preimage: string, secret: string) => UtxoTransaction | null;
};
