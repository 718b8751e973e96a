import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { connectBlock } from '../../../../src/smartchain/chain/connect-block.ts';
import { applyTransaction, emptyLedger, moveInLedger } from '../../../../src/smartchain/chain/ledger.ts';
import { acceptTransaction, emptyMempool, isRefused } from '../../../../src/smartchain/chain/mempool.ts';
import { mineBlock } from '../../../../src/smartchain/chain/miner.ts';
import { DEFAULT_RELAY_POLICY } from '../../../../src/smartchain/chain/relay-policy.ts';
import { addBlock, blockFault } from '../../../../src/smartchain/chain/tree.ts';
import { DEFAULT_PARAMS, PREFIXES } from '../../../../src/smartchain/params.ts';
import { DEAD_KEY, MODULE_FEE } from '../../../../src/smartchain/tokens/scripts.ts';
import { decodeChainTransaction } from '../../../../src/smartchain/transaction.ts';
import { addKey, keyring } from '../../../../src/smartchain/wallet/keyring.ts';
import {
  buildCreate,
  buildTransfer,
  createOf,
  type Signed,
  type TokenFrame,
  transferOf,
} from '../../../../src/smartchain/wallet/token-transactions.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import {
  builtOf,
  coinAt,
  identified,
  makerOf,
  mineBlocks,
  scriptOf,
  submit,
  testChain,
} from '../../../support/smart-chain.ts';

const text = (value: string) => new TextEncoder().encode(value);

describeShared('the lifecycle of a token whose bytes are known', () => {
  type Vector = {
    hex: string;
    txid: string;
    inputs?: { txid: string; n: number; amount: number; scriptPubKey: string }[];
  };
  const lifecycle = () => {
    const vectors = nodeVectors<Vector>('generated-token-lifecycle');
    const { keys } = JSON.parse(readShared('vectors/node/generated-token-lifecycle.json')) as {
      keys: Record<'A' | 'B', { privkey: string; pubkey: string }>;
    };
    const ring = keyring(PREFIXES.main);
    const key = addKey(ring, { secretKey: hexToBytes(keys.A.privkey), compressed: true });
    expect(bytesToHex(key.publicKey)).toBe(keys.A.pubkey);
    const frame = (height: number): TokenFrame => ({ params: DEFAULT_PARAMS, height, ring, publicKey: key.publicKey });
    const recipient = hexToBytes(keys.B.pubkey);
    const first = vectors[0]?.inputs?.[0];
    if (first === undefined) throw new Error('the first vector has no input');
    const coin = {
      txid: first.txid,
      vout: first.n,
      output: { value: BigInt(first.amount), script: hexToBytes(first.scriptPubKey) },
    };
    const nftCoin = { txid: '22'.repeat(32), vout: 1, output: { value: 5_000_000n, script: scriptOf(key) } };
    const create = createOf(frame(101), {
      coins: [coin],
      ...{ name: text('TEST'), supply: 1000n, description: text('generated vector') },
    });
    const tokenId = create.built.txid;
    const plain = { tokenId, boundEval: undefined };
    const transfer = transferOf(frame(102), {
      ...{ ...plain, recipient, amount: 300n },
      ...{ paying: [coinAt(create.built, 2)], tokens: [coinAt(create.built, 1)] },
    });
    const burn = transferOf(frame(103), {
      ...{ ...plain, recipient: DEAD_KEY, amount: 700n },
      ...{ paying: [coinAt(transfer.built, 2)], tokens: [coinAt(transfer.built, 1)] },
    });
    const nft = createOf(frame(101), {
      coins: [nftCoin],
      ...{ name: text('NFT'), supply: 1n, description: text('nft'), data: hexToBytes('f7aabbcc') },
    });
    const nftTransfer = transferOf(frame(102), {
      ...{ tokenId: nft.built.txid, boundEval: 0xf7, recipient, amount: 1n },
      ...{ paying: [coinAt(nft.built, 2)], tokens: [coinAt(nft.built, 1)] },
    });
    return { vectors, coin, nftCoin, made: [create, transfer, burn, nft, nftTransfer] };
  };

  it('create, transfer, burn, and both steps of a non-fungible token are built byte for byte', () => {
    const { vectors, made } = lifecycle();
    expect(vectors.length).toBe(5);
    const hex = ({ built, unsigned }: Signed) => [bytesToHex(built.bytes), built.txid, unsigned];
    expect(made.map(hex)).toEqual(vectors.map((vector) => [vector.hex, vector.txid, []]));
  });

  it('a chain that holds their inputs accepts them all, into the mempool and into one block', async () => {
    const { vectors, coin, nftCoin } = lifecycle();
    const { chain } = await testChain();
    const { tree } = chain;
    for (const [position, source] of [coin, nftCoin].entries()) {
      const outputs = Array.from({ length: source.vout + 1 }, () => source.output);
      const known = { ...identified({ ...emptyTransaction(), outputs }), txid: source.txid };
      const token = moveInLedger(tree.ledger, known);
      applyTransaction(tree.ledger, known, { height: 0, position: position + 1, token });
    }
    const mempool = emptyMempool();
    const terms = { tree, policy: DEFAULT_RELAY_POLICY, time: chain.time(), allowHighFees: false };
    for (const { hex, txid } of vectors) {
      const read = decodeChainTransaction(hexToBytes(hex));
      if (read === undefined) throw new Error('a vector is not read');
      const answer = acceptTransaction(mempool, { txid, ...read }, terms);
      expect(isRefused(answer) ? answer : answer.token?.tokenId).toMatch(/^[0-9a-f]{64}$/);
    }
    const block = mineBlock(tree, mempool, { script: Uint8Array.of(0x51), time: chain.time() });
    if (block === undefined) throw new Error('no block was found');
    expect(blockFault(tree, block)).toBeUndefined();
    addBlock(tree, block);
    const supplies = [...tree.ledger.tokens].map(([key, { balance }]) => `${key.slice(0, 4)} ${balance}`);
    expect(supplies.sort()).toEqual(['727e 300', '727e 700', 'e8e9 1']);
    const bare = emptyLedger(tree.params);
    expect(connectBlock(bare, block, { isVerified: () => false })).toMatchObject({
      reason: 'bad-txns-inputs-missingorspent',
    });
  });
});

function emptyTransaction() {
  const read = decodeChainTransaction(hexToBytes(`01000000${'00'.repeat(6)}`));
  if (read === undefined) throw new Error('not a transaction');
  return read.transaction;
}

it('a creation gives change only if it is worth more than the fee; the rest goes to the miner', async () => {
  const test = await testChain();
  const [a] = test.keys;
  const exact = {
    txid: '33'.repeat(32),
    vout: 0,
    output: { value: 1_000n + 3n * MODULE_FEE - 1n, script: scriptOf(a) },
  };
  const frame = { params: test.chain.params, height: 5, ring: test.ring, publicKey: a.publicKey };
  const options = { name: text('x'), supply: 1_000n, description: text('') };
  expect(createOf(frame, { ...options, coins: [exact] }).built.transaction.outputs.length).toBe(3);
  const more = { ...exact, output: { ...exact.output, value: exact.output.value + 1n } };
  const [, , change] = createOf(frame, { ...options, coins: [more] }).built.transaction.outputs;
  expect(change?.value).toBe(MODULE_FEE);
});

it('the builder names what is missing in the words of the node', async () => {
  const test = await testChain();
  const [a, b] = test.keys;
  const create = { name: text('x'), supply: 10n, description: text('') };
  const send = { recipient: b.publicKey, amount: 5n };
  expect(buildCreate(makerOf(test, a), create)).toEqual({ error: 'cant find normal inputs' });
  expect(buildTransfer(makerOf(test, a), { tokenId: '11'.repeat(32), ...send })).toEqual({
    error: 'insufficient normal inputs for tx fee',
  });
  await mineBlocks(test, 3);
  expect(buildTransfer(makerOf(test, a), { tokenId: '11'.repeat(32), ...send })).toEqual({ error: 'no token inputs' });
  const { txid: tokenId } = submit(test, builtOf(buildCreate(makerOf(test, a), create)));
  expect(buildTransfer(makerOf(test, a), { tokenId, ...send })).toEqual({ error: 'no token inputs' });
  await mineBlocks(test, 1);
  expect(buildTransfer(makerOf(test, a), { tokenId, recipient: b.publicKey, amount: 11n })).toEqual({
    error: 'insufficient token inputs',
  });
  submit(test, builtOf(buildTransfer(makerOf(test, a), { tokenId, ...send })));
  expect(buildTransfer(makerOf(test, a), { tokenId, ...send })).toEqual({ error: 'no token inputs' });
});
