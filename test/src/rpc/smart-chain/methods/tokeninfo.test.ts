import { expect, it } from 'vitest';
import { compactSize, concatBytes } from '../../../../../src/htlc/byte-writer.ts';
import { BITCOIN_FORM } from '../../../../../src/htlc/spend.ts';
import type { DecodedTransaction, TransactionOutput } from '../../../../../src/htlc/transaction.ts';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import { type CreatePayload, payloadScript } from '../../../../../src/smartchain/tokens/payload.ts';
import { MARKER_SCRIPT, tokenScript } from '../../../../../src/smartchain/tokens/scripts.ts';
import { encodeChainTransaction, transactionIdOf } from '../../../../../src/smartchain/transaction.ts';
import { ask, bareChain, openNode } from '../method-context.ts';

const owner = new Uint8Array(33).fill(2);
const encode = (text: string) => new TextEncoder().encode(text);
const varBytes = (bytes: Uint8Array) => concatBytes([compactSize(bytes.length), bytes]);

function transactionOf(vout: number, outputs: readonly TransactionOutput[]): DecodedTransaction {
  return {
    ...BITCOIN_FORM,
    inputs: [{ txid: 'ee'.repeat(32), vout, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff }],
    outputs,
    lockTime: 0,
  };
}

function creation(blobs: CreatePayload['blobs']): TransactionOutput {
  const payload = { kind: 'create' as const, owner, name: encode('IMP'), description: encode('d'), blobs };
  return { value: 0n, script: payloadScript(payload) };
}

/** What `tokeninfo` says of an import whose creation carries this proof. */
async function infoOf(proof: Uint8Array) {
  const node = await openNode({ seed: 'importer' });
  const { chain } = bareChain(5);
  const outputs = [
    { value: 10_000n, script: MARKER_SCRIPT },
    { value: 42n, script: tokenScript([owner]) },
    creation([{ id: 0x81, data: proof }]),
  ];
  const transaction = transactionOf(1_000_000_000, outputs);
  const bytes = encodeChainTransaction(transaction);
  const txid = transactionIdOf(bytes);
  const place = { height: 2, position: 1, coinbase: false, token: undefined, spendable: 2 };
  chain.tree.ledger.transactions.set(txid, {
    txid,
    transaction,
    bytes,
    ...place,
    spentBy: outputs.map(() => undefined),
  });
  return ask({ ...node, chain }, 'tokeninfo', txid);
}

function burnProof(kind: Uint8Array): { proof: Uint8Array; sourceId: string } {
  const source = encodeChainTransaction(transactionOf(0, [{ value: 1n, script: Uint8Array.of(0x51) }]));
  const raw = concatBytes([varBytes(encode('SRC')), source]);
  const burn = concatBytes([
    Uint8Array.of(0xe2, 0x81, 0x05),
    varBytes(encode('DST')),
    new Uint8Array(32),
    varBytes(raw),
  ]);
  const payload = {
    kind: 'transfer' as const,
    tokenId: 'aa'.repeat(32),
    keys: [owner],
    blobs: [{ id: 0x80, data: burn }],
  };
  const transaction = encodeChainTransaction(transactionOf(0, [{ value: 0n, script: payloadScript(payload) }]));
  return { proof: concatBytes([Uint8Array.of(0xe2), kind, transaction]), sourceId: transactionIdOf(source) };
}

const hashes = concatBytes([Uint8Array.of(2), new Uint8Array(64)]);

it.each([
  ['a branch', concatBytes([Uint8Array.of(0x11), new Uint8Array(32), Uint8Array.of(0x80, 0x01), hashes])],
  ['ids of notaries', concatBytes([Uint8Array.of(0x12), hashes])],
  ['a block', concatBytes([Uint8Array.of(0x13), varBytes(new Uint8Array(20))])],
])('says where an imported token comes from: proof by %s', async (_name, kind) => {
  const { proof, sourceId } = burnProof(kind);
  const info = await infoOf(proof);
  expect(Object.keys(info).slice(-3)).toEqual(['IsImported', 'sourceChain', 'sourceTokenId']);
  expect(info).toEqual({
    result: 'success',
    tokenid: info.tokenid,
    owner: bytesToHex(owner),
    name: 'IMP',
    supply: '0.00000042',
    description: 'd',
    IsImported: 'yes',
    sourceChain: 'SRC',
    sourceTokenId: sourceId,
  });
});

it('reports a proof that it cannot read as unreadable', async () => {
  const { proof } = burnProof(concatBytes([Uint8Array.of(0x12), hashes]));
  for (const bad of [Uint8Array.of(0xe2), proof.subarray(0, -30), Uint8Array.of(0xe3, ...proof.subarray(1))]) {
    expect(await infoOf(bad)).toMatchObject({
      IsImported: 'yes',
      sourceChain: "can't decode",
      sourceTokenId: "can't decode",
    });
  }
});
