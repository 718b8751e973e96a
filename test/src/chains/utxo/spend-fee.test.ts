import { expect, it } from 'vitest';
import type { UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { makeSpend } from '../../../../src/chains/utxo/spend.ts';
import {
  BITCOIN_FORM,
  bytesToHex,
  encodeTransaction,
  hash160,
  hexToBytes,
  p2pkhScript,
  paymentOutputs,
  SIGHASH_ALL,
  transactionId,
  unixSecondsOf,
} from '../../../../src/htlc/index.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';

const DUST = 5460n;
const COIN: UtxoCoin = {
  ...{ coin: 'LTC', decimals: 8, form: BITCOIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{ dust: DUST, finality: 6, blockTime: 150, maturity: 100, medianBlocks: 11 },
  fees: { rate: null, floor: 1000n, ceiling: 1_000_000n },
};
const VALUE = 20_000n;
const signer = signerOf('a claimer');
const secret = '5e'.repeat(32);
const terms = {
  lock: unixSecondsOf(1_800_000_000),
  secretHash: bytesToHex(hash160(hexToBytes(secret))),
  sender: bytesToHex(signerOf('a payer').key),
  receiver: bytesToHex(signer.key),
  amount: '0.0002' as DecimalText,
  contract: null,
};

function fundingOf({ sender }: Pick<typeof terms, 'sender'>) {
  const own = {
    lockTime: terms.lock,
    secretHash: hexToBytes(terms.secretHash),
    senderKey: hexToBytes(sender),
    receiverKey: signer.key,
  };
  const input = { txid: 'ab'.repeat(32), vout: 0, scriptSig: new Uint8Array(0), sequence: 0 };
  const outputs = paymentOutputs({ terms: own, value: VALUE });
  const tx = { ...BITCOIN_FORM, inputs: [input], outputs, lockTime: 0 };
  const bytes = encodeTransaction(tx);
  return { tx_hex: bytesToHex(bytes), tx_hash: transactionId(bytes, tx) };
}

/** A claim of 302 bytes, or a refund, at this rate. */
const claimAt = async (rate: bigint, maxFee: bigint | null, purpose: 'claim' | 'refund' = 'claim') => {
  const own = purpose === 'claim' ? terms : { ...terms, sender: terms.receiver };
  const request = { purpose, terms: own, funding: fundingOf(own), secret, urgency: 0, replaces: null } as const;
  const to = p2pkhScript(hash160(signer.key));
  const made = await makeSpend(request, { coin: COIN, signer, to, rate, maxFee, clock: terms.lock });
  return 'message' in made ? made.kind : made.fee;
};

it('a claim pays what it should, up to its bound', async () => {
  expect(await claimAt(10_000n, 15_000n)).toBe(3020n);
  expect(await claimAt(40_000n, 9000n)).toBe(9000n);
  expect(await claimAt(10_000n, 301n)).toBe('feeTooLow');
});

it('a claim that may cost more than it brings leaves an output that nodes relay, and is made all the same', async () => {
  for (const maxFee of [VALUE - DUST, VALUE - DUST + 1n, VALUE, 10n * VALUE])
    expect(await claimAt(100_000n, maxFee)).toBe(VALUE - DUST);
});

it('a refund waits until it costs less', async () => {
  expect(await claimAt(100_000n, VALUE, 'refund')).toBe('insufficientFunds');
  expect(await claimAt(40_000n, VALUE, 'refund')).toBeGreaterThan(10_000n);
});

it('without a bound, as one for watchers, it is not made where it would bring next to nothing', async () => {
  expect(await claimAt(100_000n, null)).toBe('insufficientFunds');
});
