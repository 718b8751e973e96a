import { describe, expect, it } from 'vitest';
import { createUtxoChain } from '../../../../src/chains/utxo/adapter.ts';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import type { UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { madeOf } from '../../../../src/chains/utxo/made.ts';
import type { UtxoReader } from '../../../../src/chains/utxo/reader.ts';
import {
  BITCOIN_FORM,
  bytesToHex,
  type DecodedTransaction,
  encodeTransaction,
  hexToBytes,
  htlcInputScripts,
  htlcRedeemScript,
  paymentOutputs,
  SIGHASH_ALL,
  type TransactionOutput,
  transactionId,
  unixSecondsOf,
} from '../../../../src/htlc/index.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { answerOf } from '../../../../src/testing/contracts/chain/scene.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const COIN: UtxoCoin = {
  ...{ coin: 'LTC', decimals: 8, form: BITCOIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{ dust: 5460n, finality: 6, blockTime: 150, maturity: 100, medianBlocks: 11 },
  fees: { rate: 10_000n, floor: 1000n, ceiling: 1_000_000n },
};
const TIP = 9000;
const terms: PaymentTerms = {
  lock: unixSecondsOf(1_800_000_000),
  secretHash: '5e'.repeat(20),
  sender: bytesToHex(signerOf('a payer').key),
  receiver: bytesToHex(signerOf('a taker').key),
  amount: '0.77' as DecimalText,
  contract: null,
};
const redeem = {
  lockTime: terms.lock,
  secretHash: hexToBytes(terms.secretHash),
  senderKey: hexToBytes(terms.sender),
  receiverKey: hexToBytes(terms.receiver),
};
const outputs = paymentOutputs({ terms: redeem, value: 77_000_000n });

type Put = {
  readonly depth: number;
  readonly paid?: readonly TransactionOutput[];
  /** How it takes its input. */
  readonly by?: Partial<DecodedTransaction['inputs'][number]>;
};

/** A wallet on a chain whose transactions a test puts there, by their one input and the depth of their block. */
function chainWith(coin: UtxoCoin = COIN) {
  const index = createChainIndex(() => TIP);
  const tip = { hash: 'aa', height: TIP, clock: unixSecondsOf(1_700_000_000) };
  const reader: UtxoReader = {
    sync: async () => tip,
    follow: async () => true,
    find: async () => true,
    index,
    timeOf: async () => null,
    send: async () => null,
    estimate: async () => null,
  };
  const one = signerOf('a taker');
  const signer = { coins: one, ofSwap: () => one };
  const chain = createUtxoChain({ coin, reader, signer, clock: virtualClock(), birth: 0, poll: 10 });
  const put = (txid: string, { depth, paid = outputs, by }: Put) => {
    const input = { txid, vout: 3, scriptSig: Uint8Array.of(0x51), sequence: 0xffff_ffff, ...by };
    const tx = { ...BITCOIN_FORM, inputs: [input], outputs: paid, lockTime: 0 };
    const bytes = encodeTransaction(tx);
    const hex = bytesToHex(bytes);
    index.put(transactionId(bytes, tx), { hex, height: TIP - depth + 1 });
    return hex;
  };
  const take = (hex: string) => index.remove(madeOf(hex)?.txid ?? '');
  return { chain, put, take };
}

const NOBODYS = '00'.repeat(32);

describe('a payment that is the reward of a block', () => {
  it.each([
    [1, /^Provided payment tx is the reward of a block, which can be spent from 100 confirmations on$/],
    [99, /^Provided payment tx is the reward of a block/],
    [100, null],
  ])('%i blocks deep is one that cannot be claimed yet: %s', async (depth, problem) => {
    const { chain, put } = chainWith();
    const claimed = put(NOBODYS, { depth });
    for (const query of [{ terms }, { terms, claimed }]) {
      const view = await answerOf(chain.payment(query));
      expect(view.funding?.confirmations).toBe(depth);
      if (problem === null) expect(view.problem).toBeNull();
      else expect(view.problem).toMatch(problem);
    }
  });

  it('counts as one if another one beside it can be claimed', async () => {
    const { chain, put } = chainWith();
    put(NOBODYS, { depth: 50 });
    put('ab'.repeat(32), { depth: 3 });
    expect(await answerOf(chain.payment({ terms }))).toMatchObject({ problem: null, funding: { confirmations: 3 } });
  });

  it('from a stake is one too, on a chain that has stakes', async () => {
    const paid = [...outputs, { value: 0n, script: new Uint8Array(0) }];
    for (const stakes of [true, false]) {
      const { chain, put } = chainWith({ ...COIN, stakes });
      put('ab'.repeat(32), { depth: 50, paid });
      expect((await answerOf(chain.payment({ terms }))).problem === null).toBe(!stakes);
    }
  });
});

describe('what somebody else pays to the script of the own payment', () => {
  const dust = outputs.map((output, place) => (place === 0 ? { ...output, value: 5460n } : output));

  it('is not the own payment, however deep it is and whatever happened to that', async () => {
    const { chain, put, take } = chainWith();
    put('ef'.repeat(32), { depth: 40, paid: dust });
    expect(await answerOf(chain.payment({ terms, own: true }))).toMatchObject({ funding: null, problem: null });
    const paid = put('ab'.repeat(32), { depth: 1 });
    const funding = madeOf(paid)?.txid ?? '';
    const view = { funding: { tx: { tx_hash: funding } }, problem: null };
    for (const query of [
      { terms, own: true },
      { terms, own: true, funding },
    ] as const)
      expect(await answerOf(chain.payment(query))).toMatchObject(view);
    take(paid);
    expect((await answerOf(chain.payment({ terms, own: true, funding }))).funding).toBeNull();
    // To the other side it is a payment of the wrong amount.
    expect((await answerOf(chain.payment({ terms }))).problem).toMatch(/expected 5460 77000000$/);
  });

  it.each(['spend', 'refund'] as const)('taken by a %s counts only where that shows a secret', async (kind) => {
    const { chain, put } = chainWith();
    const strange = madeOf(put('ef'.repeat(32), { depth: 40, paid: dust }))?.txid ?? '';
    put('ee'.repeat(32), { depth: 50, paid: dust });
    const secret = new Uint8Array(32).fill(0x5e);
    const parts = { signature: new Uint8Array(71).fill(0x30), redeemScript: htlcRedeemScript(redeem) };
    const by = { vout: 0, ...htlcInputScripts({ scheme: 'p2sh', kind, secret, ...parts }) };
    const claim = put(strange, { depth: 2, paid: dust.slice(1), by });
    const seen = await answerOf(chain.payment({ terms, own: true }));
    if (kind === 'refund') expect(seen).toMatchObject({ funding: null, spend: null });
    else expect(seen.spend).toMatchObject({ how: 'secret', secret: bytesToHex(secret), tx: { tx_hex: claim } });
    const paid = put('ab'.repeat(32), { depth: 1 });
    const { spend, funding } = await answerOf(chain.payment({ terms, own: true }));
    expect([spend, funding?.tx.tx_hex]).toEqual([null, paid]);
  });
});

describe('a payment of another amount in place of the one that the other side named', () => {
  const dust = outputs.map((output, place) => (place === 0 ? { ...output, value: 5460n } : output));

  it('does not fulfill the terms, however deep it is', async () => {
    const { chain, put, take } = chainWith();
    const claimed = put('cd'.repeat(32), { depth: 1 });
    expect(await answerOf(chain.payment({ terms, claimed }))).toMatchObject({ problem: null });
    // Its sender spends the same coin again, with a higher fee.
    take(claimed);
    put('cd'.repeat(32), { depth: 40, paid: dust });
    const view = await answerOf(chain.payment({ terms, claimed }));
    expect(view).toMatchObject({ funding: { confirmations: 40 } });
    expect(view.problem).toBe("Provided payment tx output value doesn't match expected 5460 77000000");
  });
});
