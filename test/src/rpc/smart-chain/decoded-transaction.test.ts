import { expect, it } from 'vitest';
import { SMART_CHAIN_FORM } from '../../../../src/htlc/spend.ts';
import type { DecodedTransaction } from '../../../../src/htlc/transaction.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { stringifyJson } from '../../../../src/primitives/json.ts';
import { decodedTransaction } from '../../../../src/rpc/smart-chain/decoded-transaction.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { decodeChainTransaction, transactionIdOf } from '../../../../src/smartchain/transaction.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const prefixes = PREFIXES.main;

function decodedText(hex: string): string {
  const read = decodeChainTransaction(hexToBytes(hex));
  if (read === undefined) throw new Error('no transaction');
  const txid = transactionIdOf(read.bytes);
  return stringifyJson(decodedTransaction(read.transaction, { txid, prefixes, satoshis: 'valueZat' }));
}

/** Numbers as doubles, members in their order. */
const plain = (text: string) => JSON.stringify(JSON.parse(text));

type Published = { readonly layout: string; readonly hex: string; readonly expected: unknown; readonly source: string };
type Made = { readonly desc: string; readonly hex: string; readonly decoded: unknown };

describeShared('published decodings', () => {
  const current = nodeVectors<Published>('decoderawtransaction').filter(({ layout }) => layout === 'current');

  it('prints the published samples of the current layout, member for member', () => {
    expect(current.length).toBe(20);
    for (const { hex, expected } of current) expect(plain(decodedText(hex))).toBe(JSON.stringify(expected));
  });

  it('agrees with the legacy samples in what both layouts hold', () => {
    const legacy = nodeVectors<Published>('decoderawtransaction').filter(({ layout }) => layout !== 'current');
    for (const { hex, expected } of legacy) {
      const old = expected as Record<string, unknown>;
      const now = JSON.parse(decodedText(hex)) as Record<string, unknown>;
      expect(now['txid']).toBe(old['txid']);
      expect(now['version']).toBe(old['version']);
      expect(now['locktime']).toBe(old['locktime']);
    }
  });

  it.each(['token-transactions', 'generated-token-lifecycle'])('decodes the transactions of %s', (name) => {
    const { vectors } = JSON.parse(readShared(`vectors/node/${name}.json`)) as { vectors: Made[] };
    for (const { hex, decoded, desc } of vectors) {
      expect(JSON.parse(decodedText(hex)), desc).toEqual(decoded);
    }
  });
});

it('prints amounts with eight decimals, whatever their size or sign', () => {
  const transaction: DecodedTransaction = {
    ...SMART_CHAIN_FORM,
    inputs: [],
    outputs: [-1n, 0n, 1n, 100_000_000n, 20_000_000_012_345_678n].map((value) => ({
      value,
      script: Uint8Array.of(0x6a),
    })),
    lockTime: 0,
    expiryHeight: 7,
    valueBalance: -10_000n,
  };
  const text = stringifyJson(decodedTransaction(transaction, { txid: 'ab', prefixes, satoshis: 'valueSat' }));
  expect(
    [...text.matchAll(/"value":([^,]+),"valueSat":([^,]+),/g)].map(([, value, satoshis]) => [value, satoshis]),
  ).toEqual([
    ['-0.00000001', '-1'],
    ['0.00000000', '0'],
    ['0.00000001', '1'],
    ['1.00000000', '100000000'],
    ['200000000.12345678', '20000000012345678'],
  ]);
  expect(text).toContain('"valueBalance":-0.00010000,"vShieldedSpend":[],"vShieldedOutput":[]}');
  expect(text).toContain('"versiongroupid":"892f2085","locktime":0,"expiryheight":7,');
});

it('names the parts of shielded spends, outputs and join splits with numbers of 256 bits last byte first', () => {
  const counted = (length: number) => Uint8Array.from({ length }, (_, index) => index & 0xff);
  const transaction: DecodedTransaction = {
    ...SMART_CHAIN_FORM,
    inputs: [],
    outputs: [],
    lockTime: 0,
    shielded: {
      spends: [counted(384)],
      outputs: [counted(948)],
      joinSplits: [counted(1698)],
      joinSplitSeal: counted(96),
      bindingSignature: counted(64),
    },
  };
  const json = JSON.parse(stringifyJson(decodedTransaction(transaction, { txid: '', prefixes, satoshis: 'valueZat' })));
  const [spend] = json.vShieldedSpend;
  const [output] = json.vShieldedOutput;
  const [joinSplit] = json.vjoinsplit;
  expect(Object.keys(spend)).toEqual(['cv', 'anchor', 'nullifier', 'rk', 'proof', 'spendAuthSig']);
  expect(spend.cv).toMatch(/^1f1e1d.*020100$/);
  expect(spend.proof).toHaveLength(384);
  expect(spend.spendAuthSig).toHaveLength(128);
  expect(Object.keys(output)).toEqual(['cv', 'cmu', 'ephemeralKey', 'encCiphertext', 'outCiphertext', 'proof']);
  expect([output.encCiphertext.length, output.outCiphertext.length, output.proof.length]).toEqual([1160, 160, 384]);
  expect(joinSplit.vpub_oldZat).toBe(0x0706050403020100);
  expect(joinSplit.anchor).toMatch(/^2f2e.*1110$/);
  expect(joinSplit.nullifiers).toHaveLength(2);
  expect(joinSplit.proof).toHaveLength(384);
  expect(joinSplit.ciphertexts.map((each: string) => each.length)).toEqual([1202, 1202]);
  expect(json.bindingSig).toHaveLength(128);
});
