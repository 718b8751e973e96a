import type { PaymentTerms } from '../../../ports/chain.ts';
import type { UtxoOutput, UtxoTransaction } from './transaction.ts';

/** A hash time lock as its script says it. */
export type HtlcScript = {
  /** Identity of the script, by which outputs pay to it. */
  readonly id: string;
  /** In the form in which a spend shows it. */
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

/** An output of a draft: data is added where the codec wants it. */
export type DraftOutput = UtxoOutput;

export type UtxoDraft = {
  readonly lockTime: number;
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  /** Secret hash in hex of the payment in output 0, for codecs that repeat it in an output of data. */
  readonly data?: string;
};

/**
 * Turns transactions into bytes and back. Signatures are made of hashes: they show which key signed what, and everyone could
 * forge them, because a real one would cost as much time as a whole simulated swap.
 */
export type UtxoCodec = {
  /** What outputs pay to for a key of 33 bytes in hex. */
  readonly addressOf: (key: string) => string;
  /** What an output of data holds that names a swap, as far as {@link UtxoOutput.lock} tells it. */
  readonly nameOf: (swap: string) => string;
  /** Null for terms that no script can hold. */
  readonly scriptOf: (terms: PaymentTerms) => HtlcScript | null;
  readonly encode: (draft: UtxoDraft) => UtxoTransaction;
  /** Null for bytes that are no transaction. */
  readonly decode: (hex: string) => UtxoTransaction | null;
  /** A watcher's preimage with the secret put in; null when it is none. */
  readonly complete: (preimage: string, secret: string) => UtxoTransaction | null;
};
