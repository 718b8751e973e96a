import type { PaymentTerms } from '../../../src/ports/chain.ts';
import { decimalOf, fromBaseUnits } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { createSimChain } from '../../../src/sim/chains/create.ts';
import type { SimChain, SimWallet } from '../../../src/sim/chains/types.ts';
import type { Signer, DraftInput as SimInput, UtxoCodec } from '../../../src/sim/chains/utxo/codec.ts';
import { realUtxoCodec } from '../../../src/sim/chains/utxo/real-codec.ts';
import { nominalSize } from '../../../src/sim/chains/utxo/transaction.ts';
import { xorshift32 } from '../../../src/sim/xorshift.ts';
import { COIN, COINS, type Draft, type DraftInput, FUNDING, type Standing, type Verdict } from './draft.ts';
import { SECRET, SECRET_HASH, WRONG_SECRET } from './secret.ts';
import { type Built, type Maker, Side } from './side.ts';

const TICKER = 'LTC';
export const BLOCK_TIME = 60;

/** A sequence on the simulated chain. */
export class SimulatedSide extends Side {
  readonly chain: SimChain;
  readonly #payer: SimWallet;
  readonly #keys: Keys;

  constructor(now: () => number) {
    const codec = realUtxoCodec(TICKER);
    const chain = createSimChain('utxo', {
      coin: TICKER,
      fidelity: 'real',
      now: () => unixSecondsOf(now()),
      rng: xorshift32(1),
      blockTime: BLOCK_TIME,
    });
    const payer = chain.wallet({ party: 'payer', funds: fromBaseUnits(COIN * BigInt(COINS)), coins: COINS });
    const taker = chain.wallet({ party: 'taker' });
    const keys = { codec, payer: signerOf(codec, payer), taker: signerOf(codec, taker) };
    super(makerOf(keys));
    this.chain = chain;
    this.#payer = payer;
    this.#keys = keys;
    if (chain.ledger.transaction(this.txid(0)) === null) throw new Error('the coins have another id');
  }

  submit(tx: number, { signals }: { readonly signals: boolean }): Verdict {
    // A node that asks for a signal is one that replaces nothing, for what does not give it.
    const always = { from: unixSecondsOf(0), until: unixSecondsOf(2 ** 40) };
    this.chain.setFaults(signals ? [] : [{ kind: 'noReplacement', ...always }]);
    const answer = this.chain.submit((this.built[tx] as Built).hex);
    this.chain.setFaults([]);
    return answer.ok ? answer.value : (answer.fault.kind as Verdict);
  }

  /** What the chain itself says of each draft. */
  look(): void {
    const { book, chain } = this;
    book.tip = chain.height();
    for (const tx of book.drafts.keys()) {
      const seen = chain.ledger.transaction(this.txid(tx));
      const place =
        seen?.status === 'confirmed' ? book.tip - seen.confirmations + 1 : seen?.status === 'mempool' ? 0 : null;
      book.places[tx] = place;
    }
  }

  /** As its wallet tells it: unknown, or made impossible at a depth. */
  conflicted(tx: number): number {
    const answer = this.#payer.transaction(this.txid(tx));
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.value.status === 'conflicted' ? answer.value.confirmations : 0;
  }

  /** What a party is told of a payment. */
  payment(tx: number): PaymentTold {
    const output = this.book.drafts[tx]?.outputs[0];
    if (output?.kind !== 'htlc') throw new Error('no payment');
    const terms = termsOf(this.#keys, output.lock, output.value);
    const answer = this.#payer.payment({ terms, funding: this.txid(tx) });
    if (!answer.ok) throw new Error(answer.fault.message);
    const { funding, spend, refundable, clock } = answer.value;
    return {
      funding: funding === null ? null : funding.confirmations,
      spend: spend === null ? null : { how: spend.how, standing: spend.confirmations },
      refundable,
      clock,
    };
  }
}

export type PaymentTold = {
  readonly funding: Standing;
  readonly spend: { readonly how: 'secret' | 'refund'; readonly standing: Standing } | null;
  readonly refundable: boolean;
  readonly clock: number;
};

type Keys = { readonly codec: UtxoCodec; readonly payer: Signer; readonly taker: Signer };

function signerOf(codec: UtxoCodec, wallet: SimWallet): Signer {
  const key = wallet.htlcKey('');
  return { key, address: codec.addressOf(key) };
}

function termsOf({ payer, taker }: Keys, lock: number, value: bigint): PaymentTerms {
  return {
    lock: unixSecondsOf(lock),
    amount: decimalOf(fromBaseUnits(value)),
    secretHash: bytesToHex(SECRET_HASH),
    sender: payer.key,
    receiver: taker.key,
  } as PaymentTerms;
}

function makerOf(keys: Keys): Maker {
  const { codec, payer } = keys;
  const outputs = FUNDING.outputs.map(
    ({ value }) => ({ kind: 'key', value: value as bigint, lock: payer.address }) as const,
  );
  const { hex, id } = codec.encode({ lockTime: 0, inputs: [], outputs });
  return {
    funding: { hex, id },
    make: (draft, values, side) => {
      const inputs = draft.inputs.map((input) => inputOf(keys, { draft, input, side }));
      const sized = draft.outputs.map((output, place) => {
        const value = (values[place] as bigint) < 0n ? 0n : (values[place] as bigint);
        if (output.kind === 'data') return { kind: 'data', value, lock: '' } as const;
        if (output.kind === 'key') return { kind: 'key', value, lock: payer.address } as const;
        const script = codec.scriptOf(termsOf(keys, output.lock, output.value));
        return { kind: 'htlc', value, lock: script?.id ?? '' } as const;
      });
      if (sized.length === 0) return { hex: '00', id: 'no outputs', size: 100 };
      const tx = codec.encode({ lockTime: draft.lockTime, inputs, outputs: sized });
      return { hex: tx.hex, id: tx.id, size: nominalSize(tx) };
    },
    dearer: (rival, size) => (rival.fee * BigInt(size)) / BigInt(rival.size) + 1n,
  };
}

type Making = { readonly draft: Draft; readonly input: DraftInput; readonly side: Side };

function inputOf(keys: Keys, { input, side }: Making): SimInput {
  const { codec, payer, taker } = keys;
  const { from, unlock, sequence } = input;
  const base = { txid: side.txid(from.tx), vout: from.vout, final: sequence === 'final' };
  if (unlock === 'key') return { ...base, by: 'key', signer: payer };
  if (unlock === 'wrongKey') return { ...base, by: 'key', signer: taker };
  const paid = side.book.drafts[from.tx]?.outputs[from.vout];
  const lock = paid?.kind === 'htlc' ? paid.lock : 1_700_000_000;
  const value = paid?.kind === 'htlc' ? paid.value : 1n;
  const script = codec.scriptOf(termsOf(keys, lock, value));
  if (script === null) throw new Error('no script');
  if (unlock === 'refund') return { ...base, by: 'refund', signer: payer, script };
  if (unlock === 'foreignRefund') return { ...base, by: 'refund', signer: taker, script };
  if (unlock === 'bare') return { ...base, by: 'bare', signer: taker, script };
  return { ...base, by: 'secret', signer: taker, script, secret: unlock === 'secret' ? SECRET : WRONG_SECRET };
}
