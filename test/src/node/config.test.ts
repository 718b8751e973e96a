import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coinsOf, readCoinsFile } from '../../../src/node/coins-file.ts';
import { nearestMember, nodeConfigOf, readNodeConfig } from '../../../src/node/config.ts';
import type { JsonObject, JsonValue } from '../../../src/primitives/json.ts';

const LEAST = { passphrase: 'a seed phrase', rpc_password: 'a password', coins: [] };
const PATH = '/etc/MM2.json';

function refusal(run: () => unknown): readonly unknown[] {
  try {
    run();
  } catch (error) {
    const { code, facts, message } = error as { code: string; facts: Record<string, unknown>; message: string };
    expect(message).not.toContain('a seed phrase');
    return [code, facts['member'] ?? facts['entry'] ?? facts['fault']];
  }
  return ['taken'];
}

describe('the configuration of a node', () => {
  it('has the real node’s defaults', () => {
    expect(nodeConfigOf(LEAST, PATH)).toMatchObject({
      enableHd: false,
      rpcPort: 7783,
      rpcIp: '127.0.0.1',
      rpcLocalOnly: true,
      rpcCors: null,
      dbdir: 'DB',
      isWatcher: false,
      useWatchers: true,
      paymentLocktime: null,
      ignored: [],
    });
  });

  it('accepts a port as a number or as its text', () => {
    expect(nodeConfigOf({ ...LEAST, rpcport: '7001' }, PATH).rpcPort).toBe(7001);
    expect(nodeConfigOf({ ...LEAST, rpcport: 0 }, PATH).rpcPort).toBe(0);
  });

  it('accepts the lock that a private network has agreed on', () => {
    const lock = (payment_locktime: JsonValue) => nodeConfigOf({ ...LEAST, payment_locktime }, PATH).paymentLocktime;
    expect([30, 900, 604_800].map(lock)).toEqual([30, 900, 604_800]);
  });

  it('says whether the contracts of the second trading protocol are asked for', () => {
    const asks = (content: JsonObject) => nodeConfigOf(content, PATH).useTradingProtoV2;
    expect([LEAST, { ...LEAST, use_trading_proto_v2: true }].map(asks)).toEqual([false, true]);
  });

  it('says how others are reached', () => {
    const network = (change: object) => nodeConfigOf({ ...LEAST, ...change } as JsonObject, PATH).network;
    expect(network({})).toEqual({ netid: 0, seeds: [], listen: null, disabled: false });
    expect(network({ netid: 8762, seednodes: ['198.51.100.7', 'seed.example.org:9'], myipaddr: '10.0.0.1' })).toEqual({
      ...{ netid: 8762, seeds: ['198.51.100.7', 'seed.example.org:9'], listen: null, disabled: false },
    });
    expect(network({ i_am_seed: true, is_bootstrap_node: true })).toMatchObject({ listen: '0.0.0.0' });
    expect(network({ i_am_seed: true, myipaddr: '10.0.0.1' })).toMatchObject({ listen: '10.0.0.1' });
    expect(network({ disable_p2p: true })).toMatchObject({ disabled: true });
  });

  it('says where a hardware wallet is, and which one it is', () => {
    const device = (hardware_wallet?: JsonValue) => {
      const content = hardware_wallet === undefined ? LEAST : { ...LEAST, hardware_wallet };
      return nodeConfigOf(content, PATH).device;
    };
    expect(device()).toEqual({ udpPort: 21_324, devicePubkey: null });
    const key = 'C54C08C271cd1cfd4680bc38e034f10db57415ae';
    expect(device({ udp_port: 7000, device_pubkey: key })).toEqual({ udpPort: 7000, devicePubkey: key.toLowerCase() });
    for (const [member, wrong] of [
      ['hardware_wallet', 'usb'],
      ['hardware_wallet.udp_port', { udp_port: 0 }],
      ['hardware_wallet.udp_port', { udp_port: '21324' }],
      ['hardware_wallet.device_pubkey', { device_pubkey: 'c5' }],
      ['hardware_wallet.usb', { usb: true }],
    ] as const) {
      expect(refusal(() => device(wrong))).toEqual(['NODE_CONFIG_INVALID', member]);
    }
  });

  it('names members without effect', () => {
    expect(nodeConfigOf({ ...LEAST, dbdir: 'x', seednodes: [], mm2_db: 1 }, PATH).ignored).toEqual(['mm2_db']);
  });

  it.each([
    [{ passphrase: undefined }, 'passphrase'],
    [{ passphrase: '' }, 'passphrase'],
    [{ passphrase: 5 }, 'passphrase'],
    [{ rpc_password: null }, 'rpc_password'],
    [{ rpcport: 1023 }, 'rpcport'],
    [{ rpcport: 65_536 }, 'rpcport'],
    [{ rpcport: '7x' }, 'rpcport'],
    [{ rpcport: 7783.5 }, 'rpcport'],
    [{ rpc_local_only: 'no' }, 'rpc_local_only'],
    [{ coins: 5 }, 'coins'],
    [{ dbdir: 5 }, 'dbdir'],
    [{ enable_hd: 'yes' }, 'enable_hd'],
    [{ hd_account_id: 1 }, 'hd_account_id'],
    [{ https: true }, 'https'],
    [{ use_trading_proto_v2: 'yes' }, 'use_trading_proto_v2'],
    [{ netid: 7777 }, 'netid'],
    [{ netid: 14_429 }, 'netid'],
    [{ netid: '8762' }, 'netid'],
    [{ seednodes: 'seed.example.org' }, 'seednodes'],
    [{ seednodes: ['seed.example.org', 'http://seed'] }, 'seednodes/1'],
    [{ seednodes: Array.from({ length: 65 }, () => 'seed.example.org') }, 'seednodes'],
    [{ i_am_seed: 'yes' }, 'i_am_seed'],
    [{ i_am_seed: true, myipaddr: 'seed.example.org' }, 'myipaddr'],
    [{ is_bootstrap_node: true }, 'is_bootstrap_node'],
    [{ disable_p2p: true, seednodes: ['seed.example.org'] }, 'disable_p2p'],
    [{ disable_p2p: true, i_am_seed: true }, 'disable_p2p'],
    [{ wss_certs: {} }, 'wss_certs'],
    [{ payment_locktime: 29 }, 'payment_locktime'],
    [{ payment_locktime: 604_801 }, 'payment_locktime'],
    [{ payment_locktime: 90.5 }, 'payment_locktime'],
    [{ payment_locktime: '900' }, 'payment_locktime'],
    [{ payment_locktime: true }, 'payment_locktime'],
    [{ p2p_in_memory: true }, 'p2p_in_memory'],
  ])('is refused by the name of what is wrong: %o', (change, member) => {
    const content = { ...LEAST, ...change } as JsonObject;
    expect(refusal(() => nodeConfigOf(content, PATH))).toEqual(['NODE_CONFIG_INVALID', member]);
  });

  it('never shows its secrets', () => {
    const shown = JSON.stringify(nodeConfigOf(LEAST, PATH));
    expect(shown).not.toContain('a seed phrase');
    expect(shown).not.toContain('a password');
  });

  it('finds the coins file and the folder of the node beside itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-conf-'));
    writeFileSync(join(folder, 'MM2.json'), JSON.stringify({ ...LEAST, coins: 'my-coins' }));
    writeFileSync(join(folder, 'my-coins'), '[{"coin":"KMD"}]');
    const { coins, dbdir } = await readNodeConfig(join(folder, 'MM2.json'));
    expect([coins, dbdir]).toEqual([join(folder, 'my-coins'), join(folder, 'DB')]);
    expect((await readCoinsFile(String(coins))).tickers).toEqual(['KMD']);
  });

  it('says in which line a file is not JSON, and nothing of its content', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-conf-'));
    writeFileSync(join(folder, 'MM2.json'), '{\n  "passphrase": "a phrase"\n  "rpc_password": "hunter2"\n}');
    const error = await readNodeConfig(join(folder, 'MM2.json')).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ facts: { fault: 'it is not JSON: line 3' } });
    expect(String(error)).not.toMatch(/a phrase|hunter2/);
    await expect(readNodeConfig(folder)).rejects.toMatchObject({ facts: { fault: 'it is a folder (EISDIR)' } });
  });

  it('names the member that was meant', () => {
    expect([nearestMember('rpc_port'), nearestMember('rpc_pasword'), nearestMember('zzz')]).toEqual([
      'rpcport',
      'rpc_password',
      undefined,
    ]);
  });

  it('says which file cannot be read', async () => {
    await expect(readNodeConfig('/nowhere/MM2.json')).rejects.toMatchObject({
      code: 'NODE_CONFIG_INVALID',
      facts: { file: '/nowhere/MM2.json', fault: 'the file does not exist (ENOENT)' },
      next: 'Give a JSON file with the members of MM2.json; nothing was started.',
    });
    await expect(readCoinsFile('/nowhere/coins')).rejects.toMatchObject({ code: 'COINS_FILE_INVALID' });
  });
});

describe('the coins file', () => {
  it('finds an entry by its exact ticker, and of two the first', () => {
    const coins = coinsOf([{ coin: 'KMD', p: 1 }, { coin: 'KMD', p: 2 }, { coin: 'kmd' }], 'coins');
    expect(coins.entryOf('KMD')).toEqual({ coin: 'KMD', p: 1 });
    expect(coins.entryOf('Kmd')).toBeUndefined();
    expect(coins.tickers).toEqual(['KMD', 'kmd']);
  });

  it.each([
    [{}, 'it is not an array of coins'],
    [[5], 0],
    [[{ coin: 'A' }, { coin: '' }], 1],
    [[{ ticker: 'A' }], 0],
  ])('is refused with the place of what is wrong: %o', (content, place) => {
    expect(refusal(() => coinsOf(content as JsonValue, 'coins'))).toEqual(['COINS_FILE_INVALID', place]);
  });
});
