import { secp256k1 } from '@noble/curves/secp256k1.js';
import { isKnownAlready, refusalKind } from '../../../src/chains/utxo/refusals.ts';
import { concatBytes } from '../../../src/htlc/byte-writer.ts';
import { htlcInputScripts, type InputScripts } from '../../../src/htlc/htlc-input.ts';
import { keyInputScripts } from '../../../src/htlc/key-input.ts';
import { paymentScript } from '../../../src/htlc/payment.ts';
import { type HtlcTerms, htlcRedeemScript, opReturnScript, p2pkhScript } from '../../../src/htlc/script.ts';
import { SIGHASH_ALL, signatureHasher } from '../../../src/htlc/signature-hash.ts';
import { BITCOIN_FORM } from '../../../src/htlc/spend.ts';
import {
  type DecodedTransaction,
  FINAL_SEQUENCE,
  LOCKED_SEQUENCE,
  REPLACEABLE_SEQUENCE,
} from '../../../src/htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../src/htlc/transaction-encoding.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import type { Answer } from '../../support/litecoind.ts';
import { type DraftInput, NOWHERE, type Verdict } from './draft.ts';
import { SECRET, SECRET_HASH, WRONG_SECRET } from './secret.ts';
import { type Built, type Maker, Side } from './side.ts';

const signer = (name: string) => {
  const secretKey = sha256(new TextEncoder().encode(name));
  return { secretKey, key: secp256k1.getPublicKey(secretKey, true) };
};
const PAYER = signer('payer of the laws');
const TAKER = signer('taker of the laws');
export const PAYER_SCRIPT = p2pkhScript(hash160(PAYER.key));

const SEQUENCES = { final: FINAL_SEQUENCE, locked: LOCKED_SEQUENCE, replaceable: REPLACEABLE_SEQUENCE } as const;
const NONE = new Uint8Array(0);

/** Both numbers of the signature have 32 bytes without a sign: so all transactions of a draft have one size. */
const EVEN_SIGNATURE = 70;

function sign(hash: Uint8Array, { secretKey }: { readonly secretKey: Uint8Array }): Uint8Array {
  for (let turn = 0; ; turn++) {
    const extraEntropy = turn === 0 ? false : Uint8Array.from({ length: 32 }, () => turn);
    const signature = secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, format: 'der', extraEntropy });
    if (signature.length === EVEN_SIGNATURE) return concatBytes([signature, Uint8Array.of(SIGHASH_ALL)]);
  }
}

const termsOf = (lock: number): HtlcTerms => ({
  lockTime: unixSecondsOf(lock),
  secretHash: SECRET_HASH,
  senderKey: PAYER.key,
  receiverKey: TAKER.key,
});

export function litecoinMaker(funding: Maker['funding']): Maker {
  return {
    funding,
    make: (draft, values, side) => {
      const unsigned: DecodedTransaction = {
        ...BITCOIN_FORM,
        inputs: draft.inputs.map(({ from, sequence }) => {
          return { txid: side.txid(from.tx), vout: from.vout, scriptSig: NONE, sequence: SEQUENCES[sequence] };
        }),
        outputs: draft.outputs.map((output, place) => {
          const value = (values[place] as bigint) < 0n ? 0n : (values[place] as bigint);
          if (output.kind === 'data') return { value, script: opReturnScript() };
          if (output.kind === 'key') return { value, script: PAYER_SCRIPT };
          return { value, script: paymentScript({ terms: termsOf(output.lock) }) };
        }),
        lockTime: draft.lockTime,
      };
      const hasher = signatureHasher(unsigned);
      const inputs = unsigned.inputs.map((input, place) => {
        const scripts = scriptsOf(draft.inputs[place] as DraftInput, {
          side,
          signed: (scriptCode, key) => {
            const hash = hasher({ input: place, scriptCode, amount: 0n, hashType: SIGHASH_ALL });
            return sign(hash as Uint8Array, key);
          },
        });
        return { ...input, ...scripts };
      });
      const transaction = { ...unsigned, inputs };
      const bytes = encodeTransaction(transaction);
      return { hex: bytesToHex(bytes), id: transactionId(bytes, transaction), size: bytes.length };
    },
    // Prices are compared by the thousand bytes, rounded down.
    dearer: (rival, size) => {
      const price = (rival.fee * 1000n) / BigInt(rival.size) + 1n;
      return (price * BigInt(size) + 999n) / 1000n;
    },
  };
}

type Signing = {
  readonly side: Side;
  readonly signed: (scriptCode: Uint8Array, key: typeof PAYER) => Uint8Array;
};

function scriptsOf({ from, unlock }: DraftInput, { side, signed }: Signing): InputScripts {
  if (unlock === 'key' || unlock === 'wrongKey') {
    const by = unlock === 'key' ? PAYER : TAKER;
    return keyInputScripts({ scheme: 'p2pkh', signature: signed(p2pkhScript(hash160(by.key)), by), key: by.key });
  }
  const paid = side.book.drafts[from.tx]?.outputs[from.vout];
  const redeemScript = htlcRedeemScript(termsOf(paid?.kind === 'htlc' ? paid.lock : 1_700_000_000));
  const parts = (by: typeof PAYER) => ({ scheme: 'p2sh', signature: signed(redeemScript, by), redeemScript }) as const;
  if (unlock === 'refund') return htlcInputScripts({ ...parts(PAYER), kind: 'refund' });
  if (unlock === 'foreignRefund') return htlcInputScripts({ ...parts(TAKER), kind: 'refund' });
  if (unlock === 'bare') return htlcInputScripts({ ...parts(TAKER), kind: 'spendPreimage' });
  const secret = hexToBytes(unlock === 'secret' ? SECRET : WRONG_SECRET);
  return htlcInputScripts({ ...parts(TAKER), kind: 'spend', secret });
}

/** A sequence on Litecoin Core. Its standings are put into the book by whoever asks the node for all sequences at once. */
export class LitecoinSide extends Side {
  constructor(funding: Maker['funding']) {
    super(litecoinMaker(funding));
  }

  /** What the node says, in the words of the chain port and by the rules of the shipped adapter. */
  verdictOf(tx: number, answer: Answer): Verdict {
    const standing = this.book.standing(tx);
    if ('result' in answer) return standing === 0 ? 'known' : 'sent';
    const known = isKnownAlready(answer.error);
    if (known !== null) return known;
    return (refusalKind(answer.error) as Verdict | null) ?? this.#missing(tx);
  }

  /** The node says that an input is unknown or taken, and not which: the transactions that it holds tell. */
  #missing(tx: number): Verdict {
    const { book } = this;
    if ((book.standing(tx) ?? 0) > 0) return 'confirmed';
    for (const { from } of book.drafts[tx]?.inputs ?? []) {
      if (from.tx === NOWHERE) return 'parentsUnknown';
      if (book.standing(from.tx) === null) return book.conflictDepth(from.tx) > 0 ? 'inputsSpent' : 'parentsUnknown';
      if ((this.built[from.tx] as Built).values[from.vout] === undefined) return 'invalid';
      const taker = book.takerOf(from, tx);
      if (taker !== undefined && (book.standing(taker) ?? 0) > 0) return 'inputsSpent';
    }
    return 'other';
  }
}
