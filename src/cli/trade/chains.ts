import { numberText } from '../../primitives/json.ts';
import { startAnvil } from './anvil.ts';
import { callDaemon } from './calls.ts';
import { startEmbedded } from './embedded.ts';
import { startLitecoin } from './litecoin.ts';
import { servedHeight } from './served-height.ts';
import { type DaemonChain, type PlayChain, type Staging, TICKERS } from './stage.ts';

/** The program that is played on instead of chains of this package. */
export type OtherChains =
  | { readonly litecoin: string; readonly evm?: undefined }
  | { readonly evm: string; readonly litecoin?: undefined };

/** Both chains, each a process with a folder of its own: the first over its daemon. @throws TradeError TRADE_PART_FAILED */
export async function startChains(staging: Staging, other?: OtherChains): Promise<readonly [PlayChain, PlayChain]> {
  const [red, blu] = TICKERS;
  if (other?.evm !== undefined) {
    const started = startAnvil({ ...staging, program: other.evm, ticker: blu });
    const [first, second] = await Promise.all([startEmbedded(staging, red), started]);
    return [overDaemon(first), second];
  }
  const program = other?.litecoin;
  const start = (ticker: string): Promise<DaemonChain> =>
    program === undefined ? startEmbedded(staging, ticker) : startLitecoin({ ...staging, program, ticker });
  const [first, second] = await Promise.all([start(red), start(blu)]);
  return [overDaemon(first), await overElectrum(staging, second)];
}

type Reached = Pick<PlayChain, 'way' | 'activate' | 'told'>;

function overDaemon(chain: DaemonChain): PlayChain {
  const { ticker, access } = chain;
  return reached(chain, {
    way: 'over its daemon',
    activate: async (call) => void (await call({ method: 'enable', coin: ticker })),
    told: () => heightOf(access),
  });
}

async function overElectrum({ cast }: Staging, chain: DaemonChain): Promise<PlayChain> {
  const server = await cast.start(['electrum', '--conf', chain.conf, '--port', '0', '--poll', '200']);
  const port = Number(server.ready['tcp']);
  const servers = [{ url: `127.0.0.1:${port}`, protocol: 'TCP' }];
  return reached(chain, {
    way: 'over an Electrum server',
    activate: async (call) => void (await call({ method: 'electrum', coin: chain.ticker, servers })),
    told: () => servedHeight(port),
  });
}

function reached({ ticker, entry, mine, pay, access }: DaemonChain, way: Reached): PlayChain {
  return {
    ...{ ticker, entry, mine, pay, gas: null, ...way },
    height: () => heightOf(access),
    payments: (from) => countPayments(access, from),
  };
}

/** Payments to scripts that the blocks of a chain hold, asked of its daemon alone. */
async function countPayments(access: DaemonChain['access'], from: number): Promise<number> {
  let count = 0;
  for (let height = from; height <= (await heightOf(access)); height++) {
    const hash = await callDaemon(access, 'getblockhash', height);
    const { tx } = (await callDaemon(access, 'getblock', hash)) as { readonly tx: readonly string[] };
    for (const txid of tx) {
      const { vout } = (await callDaemon(access, 'getrawtransaction', txid, 1)) as { readonly vout: readonly Output[] };
      count += vout.filter(({ scriptPubKey }) => scriptPubKey.type === 'scripthash').length;
    }
  }
  return count;
}

type Output = { readonly scriptPubKey: { readonly type: string } };

async function heightOf(access: DaemonChain['access']): Promise<number> {
  return Number(numberText(await callDaemon(access, 'getblockcount')));
}
