import { SigHash, Transaction } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { signCoins } from '../../../../src/chains/utxo/sign-coins.ts';
import { p2pkhScript, p2wpkhScript, payToScript, type ScriptScheme } from '../../../../src/htlc/script.ts';
import { BITCOIN_FORM, signedSpend, unsignedSpend } from '../../../../src/htlc/spend.ts';
import { REPLACEABLE_SEQUENCE } from '../../../../src/htlc/transaction.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { draws } from '../../../support/draws.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';

// A library that shares no code with ours but the curve and the hashes says what the bytes must be.

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const output = fc.record({
  amount: fc.bigInt({ min: 546n, max: 9_000_000_000n }),
  script: fc
    .record({ hash: fc.uint8Array({ minLength: 20, maxLength: 20 }), witness: fc.boolean() })
    .map(({ hash: to, witness }) => (witness ? p2wpkhScript(to) : p2pkhScript(to))),
});
// More than all outputs together.
const coin = fc.record({
  id: hash,
  vout: fc.nat({ max: 0xffff }),
  amount: fc.bigInt({ min: 30_000_000_000n, max: 500_000_000_000_000n }),
});
const options = { allowUnknownInputs: true, allowUnknownOutputs: true, allowLegacyWitnessUtxo: true } as const;

const COIN: UtxoCoin = {
  ...{ coin: 'LTC', decimals: 8, form: BITCOIN_FORM, hashType: SigHash.ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{ dust: 546n, finality: 3, blockTime: 150, maturity: 100, medianBlocks: 11 },
  fees: { rate: 2000n, floor: 1000n, ceiling: 100_000n },
};

describe('transactions, as @scure/btc-signer makes them', () => {
  it('spend the coins of an address by the same bytes', async () => {
    const cases = fc.record({
      name: fc.string(),
      version: fc.constantFrom(1, 2),
      address: fc.constantFrom('p2pkh' as const, 'p2wpkh' as const),
      coins: fc.array(coin, { minLength: 1, maxLength: 4 }),
      outputs: fc.array(output, { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ name, version, address, coins, outputs }) => {
        const signer = signerOf(name);
        const script = address === 'p2wpkh' ? p2wpkhScript(hash160(signer.key)) : p2pkhScript(hash160(signer.key));
        const theirs = new Transaction({ ...options, version });
        for (const { id, vout, amount: value } of coins) {
          const witnessUtxo = { script, amount: value };
          theirs.addInput({ txid: bytesToHex(id), index: vout, sequence: REPLACEABLE_SEQUENCE, witnessUtxo });
        }
        for (const one of outputs) theirs.addOutput(one);
        theirs.sign(signer.secretKey);
        theirs.finalize();
        const made = await signCoins(
          coins.map(({ id, vout, amount: value }) => ({ txid: bytesToHex(id), vout, value, bare: false })),
          {
            outputs: outputs.map(({ amount: value, script: to }) => ({ value, script: to })),
            coin: { ...COIN, address, form: { format: 'legacy', version } },
            signer,
          },
        );
        expect(made.hex).toBe(theirs.hex);
        expect(made.txid).toBe(theirs.id);
      }),
      { numRuns: draws({ sample: 15, change: 60 }) },
    );
  });

  it('claim and refund a payment by the same signed hash, and are read as what they say', async () => {
    const cases = fc.record({
      scheme: fc.constantFrom<ScriptScheme>('p2sh', 'p2wsh'),
      kind: fc.constantFrom('claim' as const, 'refund' as const),
      version: fc.constantFrom(1, 2),
      lock: fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
      replaceable: fc.boolean(),
      secret: hash,
      funding: coin,
      to: output,
      fee: fc.bigInt({ min: 0n, max: 545n }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ scheme, kind, version, lock, replaceable, secret, funding, to, fee }) => {
        const { sender, receiver } = { sender: signerOf('sender'), receiver: signerOf('receiver') };
        const terms = {
          lockTime: unixSecondsOf(lock),
          secretHash: hash160(secret),
          senderKey: sender.key,
          receiverKey: receiver.key,
        };
        const unsigned = unsignedSpend({
          ...{ kind, scheme, terms, fee, replaceable, to: to.script },
          form: { format: 'legacy', version },
          funding: { txid: bytesToHex(funding.id), vout: funding.vout, value: funding.amount },
        });
        const { transaction, redeemScript } = unsigned;
        const theirs = new Transaction({ ...options, version, lockTime: transaction.lockTime });
        const script = payToScript(redeemScript, scheme);
        theirs.addInput({
          ...{ txid: bytesToHex(funding.id), index: funding.vout, sequence: transaction.inputs[0]?.sequence ?? 0 },
          witnessUtxo: { script, amount: funding.amount },
          ...(scheme === 'p2wsh' ? { witnessScript: redeemScript } : { redeemScript }),
        });
        theirs.addOutput({ script: to.script, amount: funding.amount - fee });
        const signer = kind === 'claim' ? receiver : sender;
        theirs.signIdx(signer.secretKey, 0);
        const signature = await signer.sign(unsigned.signatureHash);
        const [part] = theirs.getInput(0).partialSig ?? [];
        expect(bytesToHex(part?.[1] ?? new Uint8Array(0))).toBe(`${bytesToHex(signature)}01`);
        const { bytes, txid } = signedSpend(unsigned, { signature, ...(kind === 'claim' ? { secret } : {}) });
        const read = Transaction.fromRaw(bytes, { ...options, disableScriptCheck: true });
        expect([read.id, bytesToHex(read.toBytes(true, true))]).toEqual([txid, bytesToHex(bytes)]);
        expect(read.getOutput(0)).toMatchObject({ amount: funding.amount - fee });
        expect([read.version, read.lockTime]).toEqual([version, transaction.lockTime]);
      }),
      { numRuns: draws({ sample: 15, change: 60 }) },
    );
  });
});
