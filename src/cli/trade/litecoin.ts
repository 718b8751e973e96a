import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../primitives/json.ts';
import { callDaemon } from './calls.ts';
import { freePort } from './free-port.ts';
import { CONFIRMATIONS, type DaemonChain, type Staging } from './stage.ts';
import { untilReady } from './until-ready.ts';

type Litecoin = Staging & { readonly program: string; readonly ticker: string };

/** From here on locks are a rule of consensus in the test mode. */
const BLOCKS = 1400;
const AT_ONCE = 200;
/** In seconds: more than so many blocks are stamped ahead. */
const LONG_AGO = 7200;

/** A chain of Litecoin Core in its mode for tests, in a process and a folder of its own. */
export async function startLitecoin({ cast, folder, program, ticker }: Litecoin): Promise<DaemonChain> {
  const datadir = join(folder, ticker);
  await mkdir(datadir, { recursive: true, mode: 0o700 });
  const [user, password, port] = ['swapfold', randomBytes(16).toString('hex'), await freePort()];
  const conf = join(datadir, `${ticker}.conf`);
  await writeFile(conf, `rpcuser=${user}\nrpcpassword=${password}\nrpcport=${port}\n`, { mode: 0o600 });
  const access = { url: `http://127.0.0.1:${port}`, user, password };
  const options = ['-regtest', '-server', '-listen=0', '-txindex=1', '-fallbackfee=0.0001', '-printtoconsole=0'];
  // Without the last one mining stops at height 431, where a fork that the test chain does not know begins.
  const { gone } = cast.spawn(program, [
    ...options,
    `-datadir=${datadir}`,
    `-conf=${conf}`,
    `-rpcport=${port}`,
    '-vbparams=mweb:-2:0',
  ]);
  const call = (method: string, ...params: readonly JsonValue[]) => callDaemon(access, method, ...params);
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  await untilReady(() => call('getblockcount'), { program, isGone: () => isGone });
  await call('createwallet', 'first');
  const owner = (await call('getnewaddress', '', 'legacy')) as string;
  // Blocks that come this quickly are stamped ahead of the clock, and swaps go by the later of both.
  await call('setmocktime', Math.floor(Date.now() / 1000) - LONG_AGO);
  for (let mined = 0; mined < BLOCKS; mined += AT_ONCE) await call('generatetoaddress', AT_ONCE, owner);
  await call('setmocktime', 0);
  return {
    ticker,
    access,
    conf,
    entry: {
      ...{ coin: ticker, mm2: 1, txversion: 2, pubtype: 111, p2shtype: 58, wiftype: 239, confpath: conf },
      ...{ required_confirmations: CONFIRMATIONS[ticker], txfee: ticker === 'RED' ? 3000 : 2000 },
      ...{ mature_confirmations: 100, segwit: false, protocol: { type: 'UTXO' } },
    },
    mine: async () => void (await call('generatetoaddress', 1, owner)),
    pay: async (address, amount) => void (await call('sendtoaddress', address, amount)),
  };
}
