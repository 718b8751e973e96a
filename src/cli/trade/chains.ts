import { numberText } from '../../primitives/json.ts';
import { callDaemon } from './calls.ts';
import { startEmbedded } from './embedded.ts';
import { startLitecoin } from './litecoin.ts';
import { type PlayChain, type Staging, TICKERS } from './stage.ts';

/** Two chains of this package, each a process with a folder of its own. */
export async function startChains(staging: Staging): Promise<readonly [PlayChain, PlayChain]> {
  const [red, blu] = TICKERS;
  return Promise.all([startEmbedded(staging, red), startEmbedded(staging, blu)]);
}

/** Two chains of Litecoin Core, in its mode for tests. */
export async function startLitecoins(staging: Staging, program: string): Promise<readonly [PlayChain, PlayChain]> {
  const [red, blu] = TICKERS;
  const start = (ticker: string) => startLitecoin({ ...staging, program, ticker });
  return Promise.all([start(red), start(blu)]);
}

/** Payments to scripts that the blocks of a chain hold, asked of its daemon alone. */
export async function countPayments({ access }: Pick<PlayChain, 'access'>, from: number): Promise<number> {
  let count = 0;
  for (let height = from; height <= (await heightOf({ access })); height++) {
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

export async function heightOf({ access }: Pick<PlayChain, 'access'>): Promise<number> {
  return Number(numberText(await callDaemon(access, 'getblockcount')));
}
