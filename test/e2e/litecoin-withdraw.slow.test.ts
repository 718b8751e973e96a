import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedNode, openTradingNode } from '../../src/cli/serve/trading-node.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { CERT, KEY } from '../support/electrum/certificate.ts';
import { LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

const LOGGER = { info() {}, warn() {}, error() {} };
const PASSWORD = 'RPC_UserP@SSW0RD';
const COMMON = {
  mm2: 1,
  pubtype: 111,
  p2shtype: 58,
  bech32_hrp: 'rltc',
  segwit: true,
  txversion: 2,
  dust: 5460,
  txfee: 10_000,
};
const WITNESS = { address_format: { format: 'segwit' } };
const PROTOCOL = { protocol: { type: 'UTXO' } };

type Decoded = {
  readonly vsize: number;
  readonly vin: readonly { readonly txinwitness?: readonly string[] }[];
  readonly vout: readonly {
    readonly value: unknown;
    readonly scriptPubKey: { readonly addresses?: readonly string[] };
  }[];
};

describeWith(LITECOIND, 'what leaves the wallet of a trading node over Litecoin Core', () => {
  let daemon: Litecoind;
  let server: ElectrumServer;
  let node: OpenedNode;
  const ask = (method: string, ...params: readonly unknown[]) => daemon.call(method, ...params);

  beforeAll(async () => {
    daemon = await startLitecoind();
    await ask('createwallet', 'own');
    await ask('generatetoaddress', 110, await ask('getnewaddress'));
    const answering = { batch: (calls: Parameters<Litecoind['batch']>[0]) => daemon.batch(calls) as never };
    const terms = { client: answering, clock: systemClock(), logger: LOGGER, software: 'a test' };
    server = await openElectrumServer({ ...terms, wss: { port: 0, cert: CERT, key: KEY } });
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-withdraw-'));
    const { url, authorization } = daemon.access;
    const [user, password] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
    const confpath = join(folder, 'litecoin.conf');
    writeFileSync(confpath, `rpcuser=${user}\nrpcpassword=${password}\nrpcport=${new URL(url).port}\n`);
    const coins = [
      { coin: 'LTC-segwit', confpath, ...COMMON, ...WITNESS, ...PROTOCOL },
      { coin: 'LTC', confpath, ...COMMON, ...PROTOCOL },
    ];
    writeFileSync(join(folder, 'coins'), JSON.stringify(coins));
    const conf = join(folder, 'MM2.json');
    writeFileSync(conf, JSON.stringify({ passphrase: 'a wallet of outputs', rpc_password: PASSWORD, rpcport: 0 }));
    node = await openTradingNode({ conf, compatibility: 'specification', logger: LOGGER, onStop() {} });
  });
  afterAll(async () => {
    await node?.close();
    await server?.close();
    daemon?.stop();
  });

  const call = async (request: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify({ userpass: PASSWORD, ...request });
    return (await (await fetch(node.url, { method: 'POST', body })).json()) as Record<string, unknown>;
  };
  const enabling = (coin: string, backend: 'daemon' | 'servers') => {
    const servers = [{ url: `localhost:${server.wssPort}`, protocol: 'WSS', disable_cert_verification: true }];
    return backend === 'daemon' ? { method: 'enable', coin } : { method: 'electrum', coin, servers };
  };

  /** An address of two keys of the daemon's, by a witness script: its hash has 32 bytes. */
  const scriptAddress = async (): Promise<string> => {
    const keys = [await ask('getnewaddress'), await ask('getnewaddress')];
    return ((await ask('addmultisigaddress', 2, keys, '', 'bech32')) as { readonly address: string }).address;
  };

  it.each([
    ['LTC-segwit', 'daemon'],
    ['LTC-segwit', 'servers'],
    ['LTC', 'daemon'],
    ['LTC', 'servers'],
  ] as const)('%s over its %s: to every kind of address, at the requested rate', async (coin, backend) => {
    const enabled = await call(enabling(coin, backend));
    expect(enabled).toMatchObject({ result: 'success' });
    const own = String(enabled['address']);
    expect(own.startsWith('rltc1q')).toBe(coin === 'LTC-segwit');
    for (const amount of ['0.7', '0.60000001']) await ask('sendtoaddress', own, amount);
    await ask('generatetoaddress', 1, await ask('getnewaddress'));
    await server.look();
    const forms = ['legacy', 'p2sh-segwit', 'bech32'] as const;
    const addresses = [
      ...(await Promise.all(forms.map((form) => ask('getnewaddress', '', form)))),
      await scriptAddress(),
    ];
    expect(String(addresses.at(-1)).length).toBeGreaterThan(60);
    for (const [place, to] of addresses.entries()) {
      // From 20.11 base units a byte on, another one each time.
      const rate = 20_110 + place;
      const fee = { type: 'UtxoPerKbyte', amount: (rate / 1e8).toFixed(8) };
      // One that needs both coins, where there still are two, and some that need one.
      const amount = place === 0 ? '0.9' : `0.0123456${place}`;
      const signed = await call({ method: 'withdraw', coin, to, amount, fee });
      expect(signed).toMatchObject({ to: [to], from: [own], coin });
      const [verdict] = (await ask('testmempoolaccept', [signed['tx_hex']])) as [{ readonly allowed: boolean }];
      expect(verdict).toMatchObject({ allowed: true, txid: signed['tx_hash'] });
      const tx = (await ask('decoderawtransaction', signed['tx_hex'])) as Decoded;
      expect(tx.vout[0]?.scriptPubKey.addresses).toEqual([to]);
      expect(tx.vin.every(({ txinwitness }) => (txinwitness?.length ?? 0) === (coin === 'LTC' ? 0 : 2))).toBe(true);
      const paid = Math.round(Number((signed['fee_details'] as { readonly amount: string }).amount) * 1e8);
      // Signatures have one or two bytes less than the largest.
      expect((paid * 1000) / tx.vsize).toBeGreaterThanOrEqual(rate);
      expect((paid * 1000) / tx.vsize).toBeLessThan(rate * 1.03);
      expect(await call({ method: 'send_raw_transaction', coin, tx_hex: signed['tx_hex'] })).toEqual({
        tx_hash: signed['tx_hash'],
      });
      await ask('generatetoaddress', 1, addresses[0]);
      await server.look();
    }
    const all = await call({
      method: 'withdraw',
      coin,
      to: addresses[3],
      max: true,
      fee: { type: 'UtxoPerKbyte', amount: '0.0003' },
    });
    expect(all).toMatchObject({ received_by_me: '0' });
    await call({ method: 'send_raw_transaction', coin, tx_hex: all['tx_hex'] });
    await ask('generatetoaddress', 1, addresses[0]);
    await server.look();
    expect(await call({ method: 'my_balance', coin })).toMatchObject({ balance: '0' });
    const dear = { type: 'UtxoPerKbyte', amount: '0.0000098' };
    await ask('sendtoaddress', own, '0.1');
    await ask('generatetoaddress', 1, addresses[0]);
    await server.look();
    const cheap = await call({ method: 'withdraw', coin, to: addresses[2], amount: '0.05', fee: dear });
    expect(cheap['error']).toContain('Invalid fee parameters: nodes relay no transaction with so low a fee');
    const rest = await call({ method: 'withdraw', coin, to: addresses[2], max: true });
    await call({ method: 'send_raw_transaction', coin, tx_hex: rest['tx_hex'] });
    await ask('generatetoaddress', 1, addresses[0]);
    await call({ method: 'disable_coin', coin });
  });
});
