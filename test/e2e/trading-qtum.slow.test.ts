import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTradingNode } from '../../src/cli/serve/trading-node.ts';
import { qtumAccount, qtumWalletAddress } from '../../src/htlc/index.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import type { Compatibility } from '../../src/node/node.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { requireDescribed } from '../support/described.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { tokenOf } from '../support/qtum/adapter-chain.ts';
import { accountOf, QTUM_MATURITY, QtumTestChain } from '../support/qtum/chain.ts';

const PASSWORD = 'RPC_UserP@SSW0RD';
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const WALLET = { pubtype: 120, p2shtype: 110, txfee: 400_000, mm2: 1, mature_confirmations: QTUM_MATURITY };
const OTHER = 'd4'.repeat(20);

describeWith(ANVIL, 'a trading node with coins of Qtum', () => {
  let chain: QtumTestChain;
  let server: ElectrumServer;
  let folder: string;
  let account: string;
  let token: string;

  beforeAll(async () => {
    chain = await QtumTestChain.start();
    const { coins } = await walletOfPassphrase(new Secret('bob passphrase'));
    account = qtumAccount(coins.key);
    await chain.fund(coins.key, { count: 3, value: 250_000_000n });
    ({ token } = await tokenOf(chain, {}));
    await chain.machine.apart(() => chain.machine.evm.mint(token, account, 7_654_321n));
    await chain.mine(2);
    server = await openElectrumServer({
      ...{ client: chain.client, clock: systemClock(), logger: LOGGER, software: 'a test', tcp: 0 },
    });
    folder = configure();
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await chain.close();
  });

  function configure(): string {
    const made = mkdtempSync(join(tmpdir(), 'swapfold-qtum-'));
    const confpath = join(made, 'qtum.conf');
    writeFileSync(confpath, chain.conf);
    const qrc20 = (contract_address: string) => ({
      protocol: { type: 'QRC20', protocol_data: { platform: 'QTUM', contract_address } },
    });
    const coins = [
      { coin: 'QTUM', confpath, ...WALLET, dust: 72_800, required_confirmations: 4, protocol: { type: 'QTUM' } },
      { coin: 'QTOK', confpath, ...WALLET, required_confirmations: 2, ...qrc20(`0x${token}`) },
      { coin: 'DEAF', ...WALLET, confpath: join(made, 'deaf.conf'), ...qrc20(`0x${token}`) },
      // What the file says counts, also where the token says otherwise, and 0 too.
      { coin: 'WHOLE', confpath, ...WALLET, decimals: 0, ...qrc20(`0x${token.toUpperCase()}`) },
      { coin: 'BARE', confpath, ...WALLET, ...qrc20(token) },
      { coin: 'ABSENT', confpath, ...WALLET, ...qrc20(`0x${OTHER}`) },
      { coin: 'HUGE', confpath, ...WALLET, decimals: 256, ...qrc20(`0x${token}`) },
      {
        ...{ coin: 'WITNESS', confpath, ...WALLET, ...qrc20(`0x${token}`) },
        ...{ segwit: true, bech32_hrp: 'tq', address_format: { format: 'segwit' } },
      },
    ];
    writeFileSync(join(made, 'coins'), JSON.stringify(coins));
    const config = { passphrase: 'bob passphrase', rpc_password: PASSWORD, rpcport: 0 };
    writeFileSync(join(made, 'MM2.json'), JSON.stringify(config));
    return made;
  }

  type Call = (request: object) => Promise<Record<string, unknown>>;

  async function withNode(
    run: (call: Call) => Promise<void>,
    compatibility: Compatibility = 'specification',
  ): Promise<void> {
    const node = await openTradingNode({
      conf: join(folder, 'MM2.json'),
      compatibility,
      logger: LOGGER,
      onStop: () => {},
    });
    try {
      await run(async (request) => {
        const body = JSON.stringify({ userpass: PASSWORD, ...request });
        const response = await fetch(node.url, { method: 'POST', body });
        const answer = (await response.json()) as Record<string, unknown>;
        requireDescribed(request, { status: response.status, body: answer });
        return answer;
      });
    } finally {
      await node.close();
    }
  }

  const contracts = () => ({ swap_contract_address: `0x${chain.swapContract}` });
  const servers = () => ({ servers: [{ url: `127.0.0.1:${server.tcpPort}` }] });
  const address = () => qtumWalletAddress(account, { keyPrefix: 120 });
  const errorOf = async (call: Call, request: object): Promise<string> => String((await call(request))['error']);

  it.each(['specification', 'kdf'] as const)('activates Qtum and a token of it by both methods (%s)', (compatibility) =>
    withNode(async (call) => {
      const told = { result: 'success', address: address(), unspendable_balance: '0', requires_notarization: false };
      for (const [method, way] of [
        ['electrum', servers()],
        ['enable', {}],
      ] as const) {
        expect(await call({ method, coin: 'QTUM', ...way })).toEqual({
          ...{ ...told, coin: 'QTUM', balance: '7.5', required_confirmations: 4, mature_confirmations: QTUM_MATURITY },
        });
        expect(await call({ method, coin: 'QTOK', ...way, ...contracts() })).toEqual({
          ...{
            ...told,
            coin: 'QTOK',
            balance: '7.654321',
            required_confirmations: 2,
            mature_confirmations: QTUM_MATURITY,
          },
        });
        for (const coin of ['QTOK', 'QTUM']) await call({ method: 'disable_coin', coin });
      }
    }, compatibility),
  );

  it('a token needs no active platform, nor one in the coins file; the decimals in the file count', () =>
    withNode(async (call) => {
      const answer = await call({ method: 'electrum', coin: 'WHOLE', ...servers(), ...contracts() });
      expect(answer).toMatchObject({ result: 'success', balance: '7654321' });
      expect(await call({ method: 'my_balance', coin: 'WHOLE' })).toMatchObject({ balance: '7654321', coin: 'WHOLE' });
    }));

  it('a request without a valid swap contract is refused before any other check', () =>
    withNode(async (call) => {
      const asked = { method: 'electrum', coin: 'QTOK' };
      expect(await errorOf(call, asked)).toContain(
        'invalid type: null, expected a 0x-prefixed hex string with length of 40',
      );
      expect(await errorOf(call, { ...asked, swap_contract_address: OTHER })).toContain('0x prefix is missing');
      expect(await errorOf(call, { ...asked, ...contracts(), fallback_swap_contract: '0x12' })).toContain(
        'invalid length 2',
      );
      expect(await errorOf(call, { ...asked, ...contracts() })).toContain('invalid type: null, expected a sequence');
      // The address of nobody is taken, as with the real node; no swap could be made with it.
      const zero = { ...asked, ...servers(), swap_contract_address: `0x${'0'.repeat(40)}` };
      expect(await call(zero)).toMatchObject({ result: 'success' });
    }));

  it.each([
    ['BARE', 'Address must be prefixed with 0x'],
    ['ABSENT', 'there is no contract at'],
    ['HUGE', 'decimals 256 is not u8'],
    ['WITNESS', 'Expect standard UTXO address format'],
  ])('an entry like that of %s is refused: %s', (coin, text) =>
    withNode(async (call) => {
      expect(await errorOf(call, { method: 'electrum', coin, ...servers(), ...contracts() })).toContain(text);
      expect(await errorOf(call, { method: 'enable', coin, ...contracts() })).toContain(text);
      expect(await call({ method: 'get_enabled_coins' })).toMatchObject({ result: [] });
    }),
  );

  it('a token over a daemon that does not report events is refused for that reason, unless it is wallet-only', async () => {
    const deaf = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString('utf8').replaceAll('"searchlogs"', '"no such method"');
      const { authorization = '' } = request.headers;
      const port = /rpcport=(\d+)/.exec(chain.conf)?.[1];
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: { authorization }, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as AddressInfo;
    writeFileSync(join(folder, 'deaf.conf'), chain.conf.replace(/rpcport=\d+/, `rpcport=${port}`));
    try {
      await withNode(async (call) => {
        const told = await errorOf(call, { method: 'enable', coin: 'DEAF', ...contracts() });
        expect(told).toMatch(/swaps need the events of contracts: the daemon refuses searchlogs: .*-logevents/);
        expect(await call({ method: 'get_enabled_coins' })).toMatchObject({ result: [] });
        const alone = { method: 'enable', coin: 'DEAF', ...contracts(), mm2: 0 };
        expect(await call(alone)).toMatchObject({ result: 'success', balance: '7.654321' });
      });
    } finally {
      deaf.closeAllConnections();
      await new Promise((resolve) => deaf.close(resolve));
    }
  });

  it('addresses are converted from each form to each, and those of scripts to none', () =>
    withNode(async (call) => {
      await call({ method: 'electrum', coin: 'QTUM', ...servers() });
      const converted = (from: string, format: string) =>
        call({ method: 'convertaddress', coin: 'QTUM', from, to_address_format: { format } });
      const wallet = 'qXxsj5RtciAby9T7m98AgAATL4zTi4UwDG';
      const contract = '0x9e032d4b0090a11dc40fe6c47601499a35d55fbb';
      for (const from of [wallet, contract]) {
        expect(await converted(from, 'wallet')).toEqual({ result: { address: wallet } });
        expect(await converted(from, 'contract')).toEqual({ result: { address: contract } });
      }
      const script = qtumWalletAddress(OTHER, { keyPrefix: 110 });
      const { error } = await converted(script, 'contract');
      expect(String(error)).toMatch(/error on parse wallet address: ".+", ".+", error on parse contract address: ".+"/);
    }));

  it('tokens and coins are withdrawn, with the fee details of the real node', () =>
    withNode(async (call) => {
      await call({ method: 'electrum', coin: 'QTUM', ...servers() });
      await call({ method: 'electrum', coin: 'QTOK', ...servers(), ...contracts() });
      const to = qtumWalletAddress(accountOf('somebody'), { keyPrefix: 120 });
      const fee = { type: 'Qrc20Gas', gas_limit: 90_000, gas_price: 41 };
      const made = await call({ method: 'withdraw', coin: 'QTOK', to, amount: '1.25', fee });
      expect(made).toMatchObject({
        ...{ from: [address()], to: [to], total_amount: '1.25', spent_by_me: '1.25', received_by_me: '0' },
        fee_details: { type: 'Qrc20', coin: 'QTUM', gas_limit: 90_000, gas_price: 41, total_gas_fee: '0.0369' },
      });
      // Neither takes what the other has signed for.
      const coins = await call({ method: 'withdraw', coin: 'QTUM', to, amount: '0.5' });
      expect(coins).toMatchObject({ fee_details: { type: 'Utxo', coin: 'QTUM' } });
      for (const [coin, { tx_hex }] of [
        ['QTOK', made],
        ['QTUM', coins],
      ] as const)
        expect(await call({ method: 'send_raw_transaction', coin, tx_hex })).toHaveProperty('tx_hash');
      await chain.mine();
      expect(await chain.machine.evm.tokensOf(token, accountOf('somebody'))).toBe(1_250_000n);
      const wrong = { method: 'withdraw', coin: 'QTOK', amount: '1' };
      expect(await errorOf(call, { ...wrong, to: `0x${OTHER}` })).toContain('not an address of a key');
      expect(await errorOf(call, { ...wrong, to, fee: { type: 'EthGas', gas_price: '1', gas: 1 } })).toContain(
        'Qrc20Gas',
      );
      expect(await errorOf(call, { ...wrong, to, amount: '1000' })).toContain('Not enough QTOK');
    }));
});
