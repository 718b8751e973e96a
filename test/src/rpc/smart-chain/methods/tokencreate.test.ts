import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../../src/primitives/hex.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import {
  decodeChainTransaction,
  encodeChainTransaction,
  transactionIdOf,
} from '../../../../../src/smartchain/transaction.ts';
import { openWallet } from '../../../../../src/smartchain/wallet/wallet.ts';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, bareChain, errorOf, openNode, text, withPublicKeys } from '../method-context.ts';

type Made = {
  readonly desc: string;
  readonly txid: string;
  readonly hex: string;
  readonly decoded: { readonly vout: readonly { valueZat: number; scriptPubKey: { hex: string } }[] };
};
type Lifecycle = {
  readonly keys: Record<'A' | 'B', { wif: string; pubkey: string }>;
  readonly vectors: readonly Made[];
};

function identify(hex: string) {
  const read = decodeChainTransaction(hexToBytes(hex));
  if (read === undefined) throw new Error('no transaction');
  return { ...read, txid: transactionIdOf(read.bytes) };
}

/** A node whose ledger holds what the test puts in, and the wallet of a known key. */
async function bareNode(height: number, wif: string) {
  const bare = bareChain(height);
  const random = { bytes: (length: number) => new Uint8Array(length).fill(1) };
  const wallet = await openWallet({ prefixes: bare.chain.params.prefixes, random, seed: new Secret(wif) });
  const context: NodeContext = {
    chain: bare.chain,
    wallet,
    compatibility: 'specification',
    tokens: true,
    stop: () => undefined,
  };
  return { ...bare, context };
}

describeShared('token transactions with known keys', () => {
  const { keys, vectors } = JSON.parse(readShared('vectors/node/generated-token-lifecycle.json')) as Lifecycle;
  const [create, transfer, burn, createNft, transferNft] = vectors as [Made, Made, Made, Made, Made];

  it('creates, transfers and burns byte for byte', async () => {
    const { context, coin, confirm } = await bareNode(100, keys.A.wif);
    const script = '76a914e7221905125a73d01e68f3251e729ccc43bed0ca88ac';
    coin({ txid: '11'.repeat(32), vout: 0, value: 100_000_000n, script });
    const created = await ask(context, 'tokencreate', 'TEST', '0.00001000', 'generated vector');
    expect(created).toEqual({ result: 'success', hex: create.hex });
    confirm(identify(create.hex));
    const moved = await ask(context, 'tokentransfer', create.txid, keys.B.pubkey, '300');
    expect(moved).toEqual({ result: 'success', hex: transfer.hex });
    confirm(identify(transfer.hex));
    const burned = await ask(context, 'tokentransfer', create.txid, `02${'dead'.repeat(16)}`, '700');
    expect(burned).toEqual({ result: 'success', hex: burn.hex });
    confirm(identify(burn.hex));
    expect((await ask(context, 'tokenbalance', create.txid, keys.B.pubkey)).balance).toBe(300);
    expect((await ask(context, 'tokenbalance', create.txid)).balance).toBe(0);
    expect((await ask(context, 'tokeninfo', create.txid)).supply).toBe('0.00001000');
  });

  it('creates and transfers a non-fungible token byte for byte', async () => {
    const { context, coin, confirm } = await bareNode(100, keys.A.wif);
    const script = `21${keys.A.pubkey}ac`;
    coin({ txid: '22'.repeat(32), vout: 1, value: 5_000_000n, script });
    const created = await ask(context, 'tokencreate', 'NFT', '0.00000001', 'nft', 'f7aabbcc');
    expect(created).toEqual({ result: 'success', hex: createNft.hex });
    confirm(identify(createNft.hex));
    expect((await ask(context, 'tokenbalance', createNft.txid)).balance).toBe(1);
    expect(await ask(context, 'tokeninfo', createNft.txid)).toMatchObject({ name: 'NFT', data: 'f7aabbcc' });
    const moved = await ask(context, 'tokentransfer', createNft.txid, keys.B.pubkey, 1);
    expect(moved).toEqual({ result: 'success', hex: transferNft.hex });
  });
});

describeShared('published creations', () => {
  const unsigned = (hex: string) => {
    const { transaction } = identify(hex);
    const inputs = transaction.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0) }));
    return bytesToHex(encodeChainTransaction({ ...transaction, inputs }));
  };
  const { vectors } = JSON.parse(readShared('vectors/node/token-transactions.json')) as {
    vectors: (Made & {
      opret: { eval: string; func: string; name: string; description: string; pubkey: string; blobs?: unknown[] };
      inputs: { amount?: number; prevScript?: string }[];
    })[];
  };
  const sapling = vectors.filter(({ opret, inputs, hex }) => {
    return opret.eval === '0xf2' && opret.func === 'c' && inputs.length === 1 && hex.startsWith('0400008085');
  });

  it('are built again, except for signatures of unpublished keys', async () => {
    expect(sapling.length).toBe(2);
    for (const { hex, opret, inputs, decoded } of sapling) {
      const { transaction } = identify(hex);
      const [input] = transaction.inputs;
      const height = (transaction.expiryHeight ?? 0) - 201;
      const { chain, coin } = bareChain(height);
      const [spent] = inputs;
      coin({
        txid: input?.txid ?? '',
        vout: input?.vout ?? 0,
        value: BigInt(spent?.amount ?? 0),
        script: spent?.prevScript ?? '',
      });
      const node = withPublicKeys({ ...(await openNode()), chain }, [opret.pubkey]);
      // The entry of the key has no secret, so signing must not be tried: without the key in the ring it is not.
      node.wallet.ring.keys.clear();
      const supply = ((decoded.vout[1]?.valueZat ?? 0) / 1e8).toFixed(8);
      const { hex: built } = await ask(node, 'tokencreate', opret.name, supply, opret.description);
      expect(built).toBe(unsigned(hex));
    }
  });
});

describe('requests that tokencreate refuses', () => {
  let node: NodeContext;
  beforeAll(async () => {
    node = await openNode({ seed: 'a maker of tokens' });
    await ask(node, 'generate', 3);
  });
  const failure = (error: string) => ({ result: 'error', error });

  it('names the first fault in the order of the parameters', async () => {
    const name = failure('Token name must not be empty and up to 32 characters');
    expect(await ask(node, 'tokencreate', '', 'x', 'd')).toEqual(name);
    expect(await ask(node, 'tokencreate', 'n'.repeat(33), '1')).toEqual(name);
    expect(await ask(node, 'tokencreate', 'é'.repeat(17), '1')).toEqual(name);
    const supply = failure('Token supply must be positive');
    for (const text of ['0', '-1', 'abc', '', '0.000000001']) {
      expect(await ask(node, 'tokencreate', 'n', text, 'd'.repeat(5000))).toEqual(supply);
    }
    const description = failure('Token description must be <= 4096 characters');
    expect(await ask(node, 'tokencreate', 'n', '1', 'd'.repeat(4097), 'zz')).toEqual(description);
    const size = failure('Non-fungible data size must be <= 10001');
    expect(await ask(node, 'tokencreate', 'n', '1', 'd', 'ab'.repeat(10_002))).toEqual(size);
    const data = failure('Non-fungible data incorrect');
    expect(await ask(node, 'tokencreate', 'n', '1', 'd', 'zz')).toEqual(data);
    const one = failure('for non-fungible tokens tokensupply should be equal to 1');
    expect(await ask(node, 'tokencreate', 'n', '0.00000002', 'd', 'f701')).toEqual(one);
    expect(await ask(node, 'tokencreate', 'n', '20000000')).toEqual(failure('cant find normal inputs'));
  });

  it('accepts the supply as a text or a number', async () => {
    const texts = await Promise.all(['8.2', 8.2].map((supply) => text(node, 'tokencreate', 'n', supply, 'd')));
    expect(texts[0]).toContain('"result":"success"');
    expect(texts[1]).toBe(texts[0]);
  });

  it('is exact, and loses the satoshi that doubles lose only as the node', async () => {
    const locked = async (context: NodeContext) => {
      const { hex } = await ask(context, 'tokencreate', 'n', '8.2');
      return identify(hex).transaction.outputs[1]?.value;
    };
    expect(await locked(node)).toBe(820_000_000n);
    expect(await locked({ ...node, compatibility: 'node' })).toBe(819_999_999n);
  });

  it('throws for other types', async () => {
    const notText = '-1 JSON value is not a string as expected';
    expect(await errorOf(node, 'tokencreate', 5, '1')).toBe(notText);
    expect(await errorOf(node, 'tokencreate', 'n', true)).toBe(notText);
    expect(await errorOf(node, 'tokencreate', 'n', '1', null)).toBe(notText);
    expect(await errorOf(node, 'tokencreate', 'n', '1', 'd', 7)).toBe(notText);
  });

  it.each(['tokenaddress', 'tokenbalance', 'tokencreate', 'tokeninfo', 'tokenlist', 'tokentransfer'])(
    'asks for a key of the node first: %s',
    async (method) => {
      const wanted =
        '-1 to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet\n';
      expect(await errorOf(await openNode(), method)).toBe(wanted);
      expect(await errorOf({ ...node, tokens: false }, method)).toBe(wanted);
    },
  );
});
