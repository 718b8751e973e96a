import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectElectrum as connectOver } from '../../src/chains/utxo/electrum/connection.ts';
import type { JsonValue } from '../../src/primitives/json.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { expectAgreement } from '../support/electrum/agreement.ts';
import { CERT, KEY } from '../support/electrum/certificate.ts';
import { connectElectrum, type ElectrumClient } from '../support/electrum/client.ts';
import { hashOfHeader } from '../support/electrum/proofs.ts';
import { recount, scripthash } from '../support/electrum/recount.ts';
import { LITECOIND, type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const FORMS = ['legacy', 'p2sh-segwit', 'bech32'] as const;

describeWith(LITECOIND, 'an Electrum server over Litecoin Core', () => {
  let node: Litecoind;
  let server: ElectrumServer;
  let client: ElectrumClient;
  let other: ElectrumClient;
  const addresses: string[] = [];
  const ask = (method: string, ...params: readonly unknown[]) => node.call(method, ...params);
  const mine = async (blocks: number) => void (await ask('generatetoaddress', blocks, addresses[2]));
  const pay = async (place: number, amount: string) => String(await ask('sendtoaddress', addresses[place], amount));
  const scriptOf = async (place: number) =>
    ((await ask('getaddressinfo', addresses[place])) as { readonly scriptPubKey: string }).scriptPubKey;

  beforeAll(async () => {
    node = await startLitecoind();
    await ask('createwallet', 'own');
    for (const form of FORMS) addresses.push(String(await ask('getnewaddress', '', form)));
    await mine(104);
    await pay(0, '1.00000007');
    await pay(1, '2.5');
    await mine(1);
    const answering = { batch: (calls: Parameters<Litecoind['batch']>[0]) => node.batch(calls) as never };
    const logger = { info() {}, warn() {}, error() {} };
    server = await openElectrumServer({
      client: answering,
      clock: virtualClock(),
      logger,
      software: 'swapfold',
      tcp: 0,
      wss: { port: 0, cert: CERT, key: KEY },
    });
    client = await connectElectrum({ port: server.tcpPort ?? 0 });
    other = await connectElectrum({ port: server.tcpPort ?? 0 });
  });
  afterAll(async () => {
    client?.close();
    other?.close();
    await server?.close();
    node?.stop();
  });

  it('agrees with its daemon about transactions with witnesses and without, confirmed, pending and behind others', async () => {
    // Each spends the change of the one before.
    for (const amount of ['49.1', '49.2', '0.3']) for (const place of FORMS.keys()) await pay(place, amount);
    await server.look();
    await expectAgreement(other, ask);
    await mine(2);
    await server.look();
    await expectAgreement(other, ask);
  });

  it('notifies subscribers of a payment, of its block, and of a reorganization that disconnects it', async () => {
    const script = await scriptOf(1);
    const hash = scripthash(script);
    await client.call('blockchain.headers.subscribe');
    await client.call('blockchain.scripthash.subscribe', hash);
    const told = async () => {
      await server.look();
      const [of, status] = await client.told('blockchain.scripthash.subscribe');
      expect([of, status]).toEqual([hash, (await recount(ask)).status(script)]);
      return status;
    };
    await pay(1, '0.77');
    const waiting = await told();
    await mine(3);
    const confirmed = await told();
    const lost = await ask('getblockhash', Number(await ask('getblockcount')) - 2);
    await ask('invalidateblock', lost);
    expect(await told()).toBe(waiting);
    expect(confirmed).not.toBe(waiting);
    await expectAgreement(other, ask);
    // A branch of other blocks, as long as the one that was given up and longer.
    await ask('generatetoaddress', 4, addresses[0]);
    await told();
    await expectAgreement(other, ask);
    await mine(1);
    await server.look();
    const [header] = (await client.told('blockchain.headers.subscribe')) as unknown as [{ readonly hex: string }];
    expect(hashOfHeader(header.hex)).toBe(await ask('getbestblockhash'));
  });

  it('relays a transaction, its refusal, its parts and its fees', async () => {
    const unsigned = await ask('createrawtransaction', [], [{ [addresses[0] as string]: '0.5' }]);
    const funded = (await ask('fundrawtransaction', unsigned)) as { readonly hex: string };
    const { hex } = (await ask('signrawtransactionwithwallet', funded.hex)) as { readonly hex: string };
    const txid = (await client.call('blockchain.transaction.broadcast', hex)) as string;
    expect(await ask('getrawmempool')).toContain(txid);
    expect(await client.call('blockchain.scripthash.get_mempool', scripthash(await scriptOf(0)))).toMatchObject([
      { tx_hash: txid, height: 0 },
    ]);
    expect(await client.call('blockchain.transaction.get', txid)).toBe(hex);
    expect(await client.call('blockchain.transaction.get', txid, true)).toEqual(
      (await ask('getrawtransaction', txid, 1)) as JsonValue,
    );
    const entry = (await ask('getmempoolentry', txid)) as { readonly vsize: number };
    const [[rate, size]] = (await client.call('mempool.get_fee_histogram')) as unknown as [[number, number]];
    expect(size).toBe(entry.vsize);
    expect(rate).toBeGreaterThanOrEqual(1);
    await expect(client.call('blockchain.transaction.broadcast', hex.slice(0, -2))).rejects.toThrow(
      /^1 the transaction was rejected by network rules\.\n\nTX decode failed/,
    );
    const { relayfee } = (await ask('getnetworkinfo')) as { readonly relayfee: JsonValue };
    expect(await client.call('blockchain.relayfee')).toEqual(relayfee);
    expect(await client.call('blockchain.estimatefee', 6)).toBe(-1);
  });

  it('answers the same over web sockets with TLS', async () => {
    const url = `localhost:${server.wssPort}`;
    const over = await connectOver({
      server: { url, protocol: 'WSS', disableCertVerification: true, timeoutMs: 5000 },
      clock: virtualClock(),
      onNotification() {},
    });
    const hash = scripthash(await scriptOf(1));
    const calls = ['get_balance', 'get_history', 'listunspent'].map((name) => `blockchain.scripthash.${name}`);
    const told = await over.batch(calls.map((call) => [call, hash]));
    const expected = await Promise.all(calls.map((call) => client.call(call, hash)));
    expect(told).toEqual(expected.map((result) => ({ result })));
    expect(JSON.stringify(expected)).toContain('tx_hash');
    over.close('done');
  });
});
