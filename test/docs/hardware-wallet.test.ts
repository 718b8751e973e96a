import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addressText } from '../../src/chains/evm/address.ts';
import { openTradingNode } from '../../src/cli/serve/trading-node.ts';
import { startSimulatedDevice } from '../../src/hardware/simulator/index.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { systemRandom } from '../../src/runtime/host/random-system.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { OTHER_WORDS } from '../support/hardware.ts';
import { describeWith } from '../support/optional-part.ts';
import { followed } from '../support/tasks/followed.ts';
import { fencesOf } from './fences.ts';

const PAGE = 'docs/guides/hardware-wallet.md';
const PASSWORD = 'a password of the page';
const HIDDEN = mnemonicToAccount(OTHER_WORDS, { passphrase: 'my hidden wallet' }).address;
const NO_WITHDRAWAL = 'hardware wallet';
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
type Config = { readonly hardware_wallet: { readonly udp_port: number; readonly device_pubkey: string } };

describeWith(ANVIL, `${PAGE}: in a served node`, () => {
  let chain: EvmTestChain;
  const blocks = fencesOf(PAGE).filter(({ language }) => language === 'json');

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterAll(() => chain?.stop());

  /** The device whose key the page shows, and a node with the configuration of the page; the port is one that is free. */
  async function served() {
    const [config] = blocks.map(({ text }) => JSON.parse(text) as Config);
    if (config === undefined) throw new Error('the page shows no configuration');
    const device = await startSimulatedDevice({
      ...{ clock: systemClock(), random: systemRandom, words: new Secret(OTHER_WORDS), passphrase: true },
    });
    const protocol = { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } };
    const conf = join(mkdtempSync(join(tmpdir(), 'swapfold-page-')), 'MM2.json');
    const whole = {
      ...{
        passphrase: 'the passphrase of the page',
        rpc_password: PASSWORD,
        rpcport: 0,
        disable_p2p: true,
        dbdir: 'DB',
      },
      coins: [
        { coin: 'ETH', trezor_coin: 'Ethereum', derivation_path: "m/44'/60'", mm2: 1, protocol },
        { coin: 'OWN', mm2: 1, protocol },
      ],
      hardware_wallet: { ...config.hardware_wallet, udp_port: device.port },
    };
    writeFileSync(conf, JSON.stringify(whole));
    const node = await openTradingNode({ conf, compatibility: 'specification', logger: SILENT, onStop() {} });
    onTestFinished(async () => {
      await node.close();
      await device.unplug();
    });
    const stream = await followed(node.url, { client: 0, password: PASSWORD });
    const call = async (request: object): Promise<JsonObject> => {
      const body = JSON.stringify({ userpass: PASSWORD, ...request });
      return (await (await fetch(node.url, { method: 'POST', body })).json()) as JsonObject;
    };
    const task = (step: string, params: object) => call({ mmrpc: '2.0', method: `task::enable_eth::${step}`, params });
    return {
      call,
      async activated(passphrase: string): Promise<JsonObject> {
        const request = {
          ticker: 'ETH',
          nodes: [{ url: chain.url }],
          erc20_tokens_requests: [],
          scan_policy: 'do_not_scan',
        };
        const swap_contract_address = `0x${'24'.repeat(20)}`;
        const begun = await task('init', { ...request, swap_contract_address, priv_key_policy: { type: 'Trezor' } });
        const { task_id } = begun['result'] as { readonly task_id: number };
        await stream.until('EnterTrezorPassphrase');
        await task('user_action', { task_id, user_action: { action_type: 'TrezorPassphrase', passphrase } });
        await stream.until('Ok', 'Error');
        return (await task('status', { task_id }))['result'] as JsonObject;
      },
    };
  }

  it('has only the configurations that are used here, with the usual port', () => {
    expect(blocks.map(({ text }) => (JSON.parse(text) as Config).hardware_wallet.udp_port)).toEqual([21_324]);
  });

  it('uses the device that the configuration names, under its passphrase, and no other one', async () => {
    const { activated, call } = await served();
    const other = await activated('another wallet');
    expect(other).toMatchObject({
      details: { result: { error_type: 'HwError', error_data: 'FoundUnexpectedDevice' } },
    });
    expect(await activated('my hidden wallet')).toMatchObject({ status: 'Ok' });
    expect((await call({ method: 'get_enabled_coins' }))['result']).toEqual([{ ticker: 'ETH', address: HIDDEN }]);
  });

  it('does not trade what is in a device, nor withdraw it, and says so', async () => {
    const { activated, call } = await served();
    await activated('my hidden wallet');
    await chain.give(HIDDEN.slice(2), ETHER);
    await chain.mine();
    const urls = [chain.url];
    const enable = { method: 'enable', coin: 'OWN', urls, swap_contract_address: addressText(chain.contract) };
    expect(await call(enable)).toMatchObject({ result: 'success' });
    const withdrawal = { method: 'withdraw', coin: 'ETH', to: `0x${'66'.repeat(20)}`, amount: '0.1' };
    expect(String((await call(withdrawal))['error'])).toContain(NO_WITHDRAWAL);
    for (const method of ['setprice', 'buy', 'sell', 'swap::offer']) {
      for (const [base, rel] of [
        ['ETH', 'OWN'],
        ['OWN', 'ETH'],
      ]) {
        const offer = { mmrpc: '2.0', method, params: { base, rel, base_amount: '1', rel_amount: '1' } };
        const request = method === 'swap::offer' ? offer : { method, base, rel, price: '1', volume: '1' };
        expect(String((await call(request))['error']), method).toContain("'ETH' is a wallet only asset");
      }
    }
  });
});
