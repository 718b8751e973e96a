import { DirectSecp256k1Wallet, Registry } from '@cosmjs/proto-signing';
import { GasPrice, type SignerData, SigningStargateClient, StargateClient } from '@cosmjs/stargate';
import { Comet38Client, connectComet, WebsocketClient } from '@cosmjs/tendermint-rpc';
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moduleSwapId } from '../../../../src/htlc/module-swap-id.ts';
import { accountOfAddress } from '../../../../src/htlc/tendermint-address.ts';
import {
  decodeTendermintMessage,
  encodeTendermintMessage,
  type TendermintMessage,
} from '../../../../src/htlc/tendermint-messages.ts';
import { decodeStoredHtlc, encodeHtlcQuery, htlcQueryPath } from '../../../../src/htlc/tendermint-stored.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { createCometChain } from '../../../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../../../src/testing/cometbft/node.ts';
import { type ListeningNode, listenCometNode } from '../../../../src/testing/cometbft/server.ts';

// The client is another's, unmodified: what it takes for a chain is one by its word.

const GENESIS = 1_700_000_000;
const SECRET = '5e'.repeat(32);
const HASH = bytesToHex(sha256(hexToBytes(SECRET)));

const chain = createCometChain({
  ...{ chainId: 'nyancat-9', prefix: 'iaa', module: 'irismod', feeDenom: 'unyan', gasPrice: '0.25' as DecimalText },
  ...{ startHeight: 1000, startTime: GENESIS as UnixSeconds, blockTime: 5 },
});
const node = createCometNode(chain);

/** A message that the client's own library has no words for. */
function raw(message: TendermintMessage) {
  const { typeUrl, value } = decodeAny(message);
  return { typeUrl, value };
}

function decodeAny(message: TendermintMessage): { readonly typeUrl: string; readonly value: Uint8Array } {
  const known = decodeTendermintMessage(encodeTendermintMessage(message));
  if (known === undefined || (known.kind !== 'create' && known.kind !== 'claim'))
    throw new Error('no message of the module');
  const typeUrl = `/${known.module}.htlc.Msg${known.kind === 'create' ? 'Create' : 'Claim'}HTLC`;
  // Behind the tag and the length of the type, and of the value.
  const bytes = encodeTendermintMessage(message);
  const from = 2 + typeUrl.length;
  const long = (bytes[from + 1] ?? 0) >= 0x80;
  return { typeUrl, value: bytes.subarray(from + (long ? 3 : 2)) };
}

const asIs = {
  encode: (value: Uint8Array) => ({ finish: () => value }),
  decode: (value: Uint8Array) => value,
  fromPartial: (value: Uint8Array) => value,
};

describe('a chain in this process is a Cosmos chain to a client that knows nothing of it', () => {
  let listening: ListeningNode;
  let sender = '';
  let receiver = '';
  let wallets: readonly DirectSecp256k1Wallet[] = [];

  const clientOf = async (wallet: DirectSecp256k1Wallet | undefined): Promise<SigningStargateClient> => {
    if (wallet === undefined) throw new Error('there is no such wallet');
    const registry = new Registry();
    for (const kind of ['Create', 'Claim'])
      registry.register(`/irismod.htlc.Msg${kind}HTLC`, asIs as Parameters<Registry['register']>[1]);
    const options = { registry, gasPrice: GasPrice.fromString('0.25unyan'), broadcastPollIntervalMs: 5 };
    return SigningStargateClient.connectWithSigner(listening.url, wallet, options);
  };

  beforeAll(async () => {
    listening = await listenCometNode(node);
    wallets = await Promise.all(
      ['sender', 'receiver'].map((name) =>
        DirectSecp256k1Wallet.fromKey(sha256(new TextEncoder().encode(name)), 'iaa'),
      ),
    );
    [sender = '', receiver = ''] = await Promise.all(
      wallets.map(async (wallet) => (await wallet.getAccounts())[0]?.address ?? ''),
    );
    chain.fund(sender, [
      { denom: 'unyan', amount: 50_000_000n },
      { denom: 'ibc/AB', amount: 77n },
    ]);
    chain.fund(receiver, [{ denom: 'unyan', amount: 1_000_000n }]);
  });
  afterAll(() => listening?.close());

  /** A client that waits for its transaction sees the block that takes it. */
  async function mined<T>(work: Promise<T>): Promise<T> {
    const taking = chain.subscribe((news) => {
      if ('entered' in news) queueMicrotask(() => chain.mine());
    });
    try {
      return await work;
    } finally {
      taking.close();
    }
  }

  it('reports its id, height, blocks, balances and accounts', async () => {
    const client = await StargateClient.connect(listening.url);
    expect(await client.getChainId()).toBe('nyancat-9');
    expect(await client.getHeight()).toBe(chain.tip().height);
    const { header } = await client.getBlock(chain.tip().height);
    expect([header.chainId, header.time]).toEqual([
      'nyancat-9',
      new Date(chain.tip().time * 1000).toISOString().replace('.000Z', '.000000000Z'),
    ]);
    expect(await client.getBalance(sender, 'ibc/AB')).toEqual({ denom: 'ibc/AB', amount: '77' });
    expect(await client.getAllBalances(receiver)).toEqual([{ denom: 'unyan', amount: '1000000' }]);
    expect(await client.getSequence(sender)).toEqual({ accountNumber: 0n, sequence: 0 });
    expect(await client.getAccount('iaa1unknown')).toBe(null);
    client.disconnect();
  });

  it('accepts what the client signs, with the gas that it was told, and finds it by its id', async () => {
    const client = await clientOf(wallets[0]);
    const paid = await mined(client.sendTokens(sender, receiver, [{ denom: 'unyan', amount: '1234' }], 1.3, 'a memo'));
    expect([paid.code, paid.height]).toEqual([0, chain.tip().height]);
    expect(paid.gasUsed).toBeLessThan(paid.gasWanted);
    expect((await client.getTx(paid.transactionHash))?.hash).toBe(paid.transactionHash);
    expect((await client.getBalance(receiver, 'unyan')).amount).toBe('1001234');
    expect((await client.getSequence(sender)).sequence).toBe(1);
    client.disconnect();
  });

  it('keeps a payment under a lock, gives it to its receiver for the secret, and finds both by search', async () => {
    const [payer, claimer] = [await clientOf(wallets[0]), await clientOf(wallets[1])];
    const coins = [{ denom: 'unyan', amount: 2_400_000n }];
    const create = raw({
      ...{ kind: 'create', module: 'irismod', sender, to: receiver, coins, hashLock: HASH },
      ...{ timestamp: 0n, timeLock: 60n, isTransfer: false },
    });
    const paid = await mined(payer.signAndBroadcast(sender, [create], 1.3));
    expect(paid.code).toBe(0);
    const id = moduleSwapId({
      secretHash: hexToBytes(HASH),
      sender: hexToBytes(accountOfAddress('iaa', sender) ?? ''),
      receiver: hexToBytes(accountOfAddress('iaa', receiver) ?? ''),
      coins: '2400000unyan',
    }).toUpperCase();
    expect((await payer.searchTx(`create_htlc.id='${id}'`)).map(({ hash }) => hash)).toEqual([paid.transactionHash]);
    const before = BigInt((await claimer.getBalance(receiver, 'unyan')).amount);
    const claim = raw({ kind: 'claim', module: 'irismod', sender: receiver, id, secret: SECRET });
    const claimed = await mined(claimer.signAndBroadcast(receiver, [claim], 1.3));
    expect(claimed.code).toBe(0);
    const fee = (claimed.gasWanted + 3n) / 4n;
    expect(BigInt((await claimer.getBalance(receiver, 'unyan')).amount)).toBe(before + 2_400_000n - fee);
    expect((await payer.searchTx(`claim_htlc.id='${id}'`)).length).toBe(1);
    const comet = await connectComet(listening.url);
    const { value } = await comet.abciQuery({ path: htlcQueryPath('irismod'), data: encodeHtlcQuery(id) });
    expect(decodeStoredHtlc('irismod', value)).toMatchObject({ id, state: 'completed', secret: SECRET });
    const again = await payer.signAndBroadcast(sender, [create], 1.3).catch((error: unknown) => String(error));
    expect(again).toContain('already exists');
    for (const one of [payer, claimer, comet]) one.disconnect();
  });

  it('refuses a used sequence, a fee that is too low and a different key', async () => {
    const client = await clientOf(wallets[0]);
    const send = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: sender, toAddress: receiver, amount: [{ denom: 'unyan', amount: '1' }] },
    };
    const fee = { amount: [{ denom: 'unyan', amount: '1' }], gas: '100000' };
    const low = await client.broadcastTxSync(Uint8Array.from([])).catch((error: unknown) => String(error));
    expect(low).toContain('tx parse error');
    const cheap = await client.signAndBroadcastSync(sender, [send], fee).catch((error: unknown) => String(error));
    expect(cheap).toContain('insufficient fees; got: 1unyan required: 25000unyan');
    const dear = { ...fee, amount: [{ denom: 'unyan', amount: '25000' }] };
    const { sequence } = await client.getSequence(sender);
    const sent = async (explicit: Partial<SignerData>) => {
      const data = { accountNumber: 0n, sequence, chainId: 'nyancat-9', ...explicit };
      const signed = await client.sign(sender, [send], dear, '', data);
      return client.broadcastTxSync(TxRaw.encode(signed).finish()).catch((error: unknown) => String(error));
    };
    expect(await sent({ sequence: sequence - 1 })).toContain(`expected ${sequence}, got ${sequence - 1}`);
    expect(await sent({ sequence: sequence + 1 })).toContain(`expected ${sequence}, got ${sequence + 1}`);
    expect(await sent({ chainId: 'irishub-1' })).toContain('signature verification failed');
    expect(await sent({ accountNumber: 1n })).toContain('signature verification failed');
    expect(await sent({})).toMatch(/^[0-9A-F]{64}$/);
    expect(await sent({})).toContain('tx already exists in cache');
    client.disconnect();
  });

  it('reports blocks and transactions by web socket', async () => {
    const line = new WebsocketClient(listening.url.replace('http', 'ws'));
    const client = Comet38Client.create(line);
    const blocks: number[] = [];
    const heights: number[] = [];
    const told = new Promise<void>((resolve) => {
      client.subscribeNewBlock().addListener({
        next: ({ header }) => {
          blocks.push(header.height);
          if (blocks.length === 2) resolve();
        },
        error: (error: unknown) => {
          throw error;
        },
        complete: () => undefined,
      });
      client.subscribeTx().addListener({
        next: ({ height }) => void heights.push(height),
        error: () => undefined,
        complete: () => undefined,
      });
    });
    expect((await client.status()).syncInfo.latestBlockHeight).toBe(chain.tip().height);
    chain.mine();
    chain.mine();
    await told;
    expect(blocks).toEqual([chain.tip().height - 1, chain.tip().height]);
    client.disconnect();
  });
});
