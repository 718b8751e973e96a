import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daemonOfConf } from '../../../src/node/daemon-conf.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-conf-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function daemonOf(lines: readonly string[]) {
  const path = join(folder, 'a.conf');
  await writeFile(path, lines.join('\n'));
  const { url, user, password } = await daemonOfConf(path, { port: '7771' });
  return [url.replace('http://127.0.0.1:', ''), user, password.reveal()];
}

const LOGIN = ['rpcuser=me', 'rpcpassword=a=b'];

describe('the conf file of a daemon', () => {
  it.each([
    [
      'a line each, the first of two, blanks and comments aside',
      [...LOGIN, ' rpcport = 11 # mine', 'rpcport=12'],
      '11',
    ],
    ['the port of the entry where there is none', LOGIN, '7771'],
    ['the section of its chain', ['regtest=1', ...LOGIN, '[main]', 'rpcport=21', '[regtest]', 'rpcport=22'], '22'],
    [
      'the section of a chain by name',
      ['chain=test', ...LOGIN, '[regtest]', 'rpcport=31', '[test]', 'rpcport=32'],
      '32',
    ],
    ['the section of the main chain otherwise', [...LOGIN, '[test]', 'rpcport=41', '[main]', 'rpcport=42'], '42'],
    ['what stands above before any section', ['regtest=1', ...LOGIN, 'rpcport=51', '[regtest]', 'rpcport=52'], '51'],
    ['no section of another chain', [...LOGIN, '[regtest]', 'rpcport=61'], '7771'],
  ])('reports %s', async (_, lines, port) => {
    expect(await daemonOf(lines)).toEqual([port, 'me', 'a=b']);
  });

  it.each(['0', '00000', '65536'])('is refused with port %s, at which no daemon is found', async (port) => {
    await expect(daemonOf([...LOGIN, `rpcport=${port}`])).rejects.toMatchObject({
      kind: 'daemonConf',
      message: `Rpc port ${port} of conf file ${join(folder, 'a.conf')} is not from 1 to 65535, so no daemon can listen on it`,
    });
  });

  it('has its login where its chain has it', async () => {
    expect(await daemonOf(['testnet=1', '[test]', ...LOGIN])).toEqual(['7771', 'me', 'a=b']);
    await expect(daemonOf(['[test]', ...LOGIN])).rejects.toMatchObject({ kind: 'daemonConf' });
  });
});
