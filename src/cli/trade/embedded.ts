import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, LosslessNumber } from '../../primitives/json.ts';
import { callDaemon, type DaemonAccess } from './calls.ts';
import { freePort } from './free-port.ts';
import { CONFIRMATIONS, type DaemonChain, type Staging } from './stage.ts';

/** A chain of this package, in a process and a folder of its own. */
export async function startEmbedded({ cast, folder }: Staging, ticker: string): Promise<DaemonChain> {
  const datadir = join(folder, ticker);
  await mkdir(datadir, { recursive: true, mode: 0o700 });
  const seed = join(datadir, 'seed');
  await writeFile(seed, `the first owner of ${ticker}`, { mode: 0o600 });
  const argv = [
    'chain',
    '--name',
    ticker,
    '--datadir',
    datadir,
    '--rpcport',
    String(await freePort()),
    '--maturity',
    '1',
  ];
  const { ready } = await cast.start([...argv, '--seed-file', seed]);
  const conf = (ready['files'] as JsonObject)['conf'] as string;
  const access = { url: ready['url'] as string, ...(await credentialsOf(conf)) };
  const call = (method: string, ...params: readonly JsonValue[]) => callDaemon(access, method, ...params);
  await call('generate', 2);
  return {
    ticker,
    access,
    conf,
    entry: {
      ...{ coin: ticker, mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, confpath: conf },
      ...{ required_confirmations: CONFIRMATIONS[ticker], txfee: ticker === 'RED' ? 3000 : 2000 },
      protocol: { type: 'UTXO' },
    },
    mine: async () => void (await call('generate', 1)),
    pay: async (address, amount) => void (await call('sendtoaddress', address, new LosslessNumber(amount))),
  };
}

async function credentialsOf(conf: string): Promise<Pick<DaemonAccess, 'user' | 'password'>> {
  const text = await readFile(conf, 'utf8');
  const named = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  return { user: named('rpcuser'), password: named('rpcpassword') };
}
