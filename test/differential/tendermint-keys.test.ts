import { stringToPath } from '@cosmjs/crypto';
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { coinsOf } from '../../src/node/coins-file.ts';
import { walletOfWords } from '../../src/node/hd-keys.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import { createNode, type NodeOptions } from '../../src/node/node.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { Secret } from '../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { createCometChain } from '../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../src/testing/cometbft/node.ts';
import { type ListeningNode, listenCometNode } from '../../src/testing/cometbft/server.ts';
import { virtualClock } from '../support/virtual-clock.ts';

// Whose account a coin is of: by the words and paths of cosmjs's own wallet, and by addresses that others have published.

/** Words of BIP 39's own test vectors. */
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const OTHER_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const CHAIN_ID = 'keys-1';

const entryOf = (prefix: string, path: string | null) => ({
  ...{ coin: 'COIN', mm2: 1, avg_blocktime: 5, ...(path === null ? {} : { derivation_path: path }) },
  protocol: {
    type: 'TENDERMINT',
    protocol_data: { decimals: 6, denom: 'ucoin', account_prefix: prefix, chain_id: CHAIN_ID },
  },
});

describe('the account of a coin of a Tendermint chain', () => {
  const nodes = new Map<string, ListeningNode>();

  beforeAll(async () => {
    for (const prefix of ['cosmos', 'iaa', 'nuc']) {
      const rules = { chainId: CHAIN_ID, prefix, module: null, feeDenom: 'ucoin', gasPrice: '0.1' as DecimalText };
      const chain = createCometChain({ ...rules, startTime: 1_700_000_000 as UnixSeconds, blockTime: 5 });
      nodes.set(prefix, await listenCometNode(createCometNode(chain), { sockets: false }));
    }
  });
  afterAll(async () => {
    for (const node of nodes.values()) await node.close();
  });

  type Asked = {
    readonly prefix: string;
    readonly path: string | null;
    readonly keys: Pick<NodeOptions, 'signer' | 'signerOfPath'>;
    readonly at?: object;
  };

  async function addressOf({ prefix, path, keys, at }: Asked): Promise<string> {
    const node = createNode({
      ...{ coins: coinsOf([entryOf(prefix, path)], 'coins'), log: createMemoryLog(), clock: virtualClock() },
      ...{ ...keys, peers: createInProcessNetwork().peer('a1'.repeat(32)) },
    });
    await node.start();
    try {
      const { address } = await node.enableTendermint({
        ...{ ticker: 'COIN', tokens_params: [], nodes: [{ url: nodes.get(prefix)?.url ?? '' }] },
        ...(at === undefined ? {} : { path_to_address: at }),
      });
      return address;
    } finally {
      await node.close();
    }
  }

  const wordsOf = (words: string) => {
    const signer = walletOfWords(new Secret(words));
    return { signer, signerOfPath: signer.ofPath };
  };

  it.each<[prefix: string, words: string, path: string, at: object | undefined, rest: string]>([
    ['cosmos', WORDS, "m/44'/118'", undefined, "0'/0/0"],
    ['iaa', WORDS, "m/44'/566'", { account_id: 2, chain: 'External', address_id: 1 }, "2'/0/1"],
    ['iaa', OTHER_WORDS, "m/44'/118'", { account_id: 0, chain: 'Internal', address_id: 7 }, "0'/1/7"],
    [
      'nuc',
      OTHER_WORDS,
      "m/44'/118'",
      { account_id: 2_147_483_647, chain: 'External', address_id: 0 },
      "2147483647'/0/0",
    ],
  ])('%s of words is that of cosmjs (%s, %s, %o)', async (prefix, words, path, at, rest) => {
    const hdPaths = [stringToPath(`${path}/${rest}`)];
    const [account] = await (await DirectSecp256k1HdWallet.fromMnemonic(words, { hdPaths, prefix })).getAccounts();
    const given = { prefix, path, keys: wordsOf(words), ...(at === undefined ? {} : { at }) };
    expect(await addressOf(given)).toBe(account?.address);
  });

  it('of words is the one that wallets publish for them', async () => {
    const keys = wordsOf(WORDS);
    expect(await addressOf({ prefix: 'cosmos', path: "m/44'/118'", keys })).toBe(
      'cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4',
    );
  });

  it('of words needs a path in the coins file', async () => {
    await expect(addressOf({ prefix: 'cosmos', path: null, keys: wordsOf(WORDS) })).rejects.toThrow(
      "'derivation_path' field is not found in config",
    );
  });

  it('of a passphrase is the one that the framework’s own tests publish, whatever path the file has', async () => {
    const keys = { signer: walletOfPassphrase(new Secret('tendermint constant balance seed')) };
    for (const path of [null, "m/44'/118'"])
      expect(await addressOf({ prefix: 'cosmos', path, keys })).toBe('cosmos10tfc28dmn2m5qdrmg5ycjyqq7lyu7y8ledc8tc');
  });
});
