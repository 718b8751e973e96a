import { evmAdapter } from '../../src/node/evm/adapter-module.ts';
import { AccountAddresses } from '../../src/node/evm/wallets/account-addresses.ts';
import { chainReader } from '../../src/node/evm/wallets/chain-reader.ts';
import { scanAddresses } from '../../src/node/evm/wallets/scan.ts';
import { walletOfWords } from '../../src/node/hd-keys.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { ANVIL, startAnvil } from '../support/evm/anvil.ts';
import { type CountingProxy, countingProxy } from '../support/evm/counting-proxy.ts';
import { evmNodeRows } from './evm-node.ts';
import { assertSame, measure, type Row, type SuiteOptions } from './measure.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const USED = 1000;
const GAP = 20;

type Call = { readonly method: string; readonly params: readonly unknown[] };

/** Coins of EVM chains, on a real node. */
export async function* evmSuite(options: SuiteOptions): AsyncGenerator<Row> {
  if (!ANVIL.present) throw new Error(ANVIL.absence);
  yield* scannedWallet(options);
  yield* evmNodeRows(options);
}

/** A wallet of a thousand used addresses: keys, batches and all, beside one request with the very questions that have to be asked. */
async function* scannedWallet({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const anvil = await startAnvil();
  const proxy = await countingProxy(anvil.url);
  try {
    const xpub = walletOfWords(new Secret(WORDS)).xpubAt("m/44'/60'/0'");
    const addresses = await new AccountAddresses(xpub).range({ chain: 'External', from: 0, count: USED + GAP + 1 });
    await post(
      anvil.url,
      addresses.slice(0, USED).map((address) => ({ method: 'anvil_setNonce', params: [address, '0x1'] })),
    );
    const questions = addresses.flatMap((address) =>
      ['eth_getBalance', 'eth_getTransactionCount'].map((method) => ({ method, params: [address, 'latest'] })),
    );
    const ours = async (): Promise<number> => {
      assertSame(await scanned(xpub, anvil.url), USED, 'addresses that a scan finds');
      return USED;
    };
    const reference = async (): Promise<number> => {
      assertSame((await post(anvil.url, questions)).length, questions.length, 'answers to one request');
      return USED;
    };
    const times = await measure({ ours, reference }, { rounds });
    const [mine, theirs] = [(times.ours * USED) / 1e6, (times.reference * USED) / 1e6];
    yield {
      name: 'evm: scan of 1,000 used addresses',
      unit: 'ms',
      ours: mine,
      reference: theirs,
      ratio: mine / theirs,
    };
    yield requestsRow(await requestsOf(xpub, proxy));
  } finally {
    proxy.close();
    anvil.stop();
  }
}

/** Unless anvil is told another one. */
const ANVIL_CHAIN = 31_337;

function requestsRow(count: number): Row {
  return { name: 'evm: requests of that scan', unit: 'requests', ours: count, reference: 1, ratio: count };
}

async function requestsOf(xpub: string, { url, requests }: CountingProxy): Promise<number> {
  await scanned(xpub, url);
  return requests.length;
}

/** How many addresses a scan tells of, by a wallet and connections that know nothing yet. */
async function scanned(xpub: string, url: string): Promise<number> {
  const { signal } = new AbortController();
  const adapter = await evmAdapter();
  const single = adapter.connectEvmNode({ url });
  const node = adapter.mergedNode({ batched: adapter.connectBatches({ url }), single });
  const reader = chainReader({
    ...{ adapter, reader: adapter.createEvmNodeReader(node, ANVIL_CHAIN), coin: 'ETH', tokens: {}, signal },
  });
  const keys = new AccountAddresses(xpub);
  try {
    const found = await scanAddresses({
      ...{ from: 0, gapLimit: GAP, reader, check() {} },
      addresses: (from, count) => keys.range({ chain: 'External', from, count }),
    });
    return found.length;
  } finally {
    single.close();
  }
}

async function post(url: string, calls: readonly Call[]): Promise<readonly unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as readonly unknown[];
}
