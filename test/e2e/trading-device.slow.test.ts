import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressText } from '../../src/chains/evm/address.ts';
import { openTradingNode } from '../../src/cli/serve/trading-node.ts';
import { MESSAGE } from '../../src/hardware/trezor/message-types.ts';
import type { Compatibility } from '../../src/node/node.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { askingDevice, PLACES } from '../support/evm-wallets/asking-device.ts';
import { WORDS } from '../support/hardware.ts';
import { describeWith } from '../support/optional-part.ts';
import { describeShared, SHARED_DIR } from '../support/shared.ts';
import { followed } from '../support/tasks/followed.ts';

const PASSWORD = 'RPC_UserP@SSW0RD';
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const CLIENT = 7;

type Status = { readonly status: string; readonly details: JsonObject & string };

describeWith(ANVIL, 'a served node and an EVM chain', () => {
  let chain: EvmTestChain;
  let token: string;
  let folder: string;
  const used: string[] = [];

  beforeAll(async () => {
    chain = await EvmTestChain.start();
    token = addressText(await chain.token({ decimals: 6 }));
    folder = mkdtempSync(join(tmpdir(), 'swapfold-device-'));
  }, 60_000);
  afterAll(() => chain?.stop());

  type Serving = {
    readonly compatibility?: Compatibility;
    readonly udpPort?: number;
    readonly hd?: boolean;
    readonly dbdir?: string;
  };

  /** A node over the example coins, of which those of EVM chains are on the chain of this suite. */
  async function serving({
    compatibility = 'specification',
    udpPort = 1,
    hd = false,
    dbdir = `DB${used.length}`,
  }: Serving) {
    const coin = {
      mm2: 1,
      derivation_path: "m/44'/60'",
      protocol: { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } },
    };
    const protocol_data = { platform: 'ETH', contract_address: token };
    const coins = [
      { coin: 'ETH', ...coin },
      { coin: 'ETHX', ...coin },
      { coin: 'ETHHW', trezor_coin: 'Ethereum', ...coin },
      { coin: 'ERC20DEV', mm2: 1, decimals: 6, protocol: { type: 'ERC20', protocol_data } },
    ];
    const config = {
      ...{ passphrase: WORDS, enable_hd: hd, rpc_password: PASSWORD, rpcport: 0, disable_p2p: true, coins, dbdir },
      hardware_wallet: { udp_port: udpPort },
    };
    used.push(dbdir);
    const conf = join(folder, `${dbdir}.json`);
    writeFileSync(conf, JSON.stringify(config));
    const node = await openTradingNode({ conf, compatibility, logger: LOGGER, onStop() {} });
    const call = async (method: string, params: object = {}): Promise<JsonObject> => {
      const body = JSON.stringify({ userpass: PASSWORD, mmrpc: '2.0', method, params });
      return (await (await fetch(node.url, { method: 'POST', body })).json()) as JsonObject;
    };
    const task = async (step: string, params: object) => (await call(`task::enable_eth::${step}`, params))['result'];
    const begin = async (members: object = {}) => {
      const request = {
        ...{ ticker: 'ETHHW', swap_contract_address: addressText(chain.contract), erc20_tokens_requests: [] },
        ...{ nodes: [{ url: chain.url }], priv_key_policy: { type: 'Trezor' }, client_id: CLIENT, ...members },
      };
      return ((await task('init', request)) as { readonly task_id: number }).task_id;
    };
    const statusOf = async (task_id: number) =>
      (await task('status', { task_id, forget_if_finished: false })) as Status;
    return { node, task, begin, statusOf };
  }

  const follow = (url: string) => followed(url, { client: CLIENT, password: PASSWORD });

  it('shows every status of a task with a device, and no longer needs the device for a known account', async () => {
    const { device, traffic } = await askingDevice();
    await device.unplug();
    const first = await serving({ udpPort: device.port, dbdir: 'DEVICE' });
    const stream = await follow(first.node.url);
    const id = await first.begin({ scan_policy: 'do_not_scan' });
    expect((await first.statusOf(id)).status).toBe('InProgress');
    await stream.until('WaitingForDeviceToConnect');
    expect(await first.statusOf(id)).toEqual({ status: 'InProgress', details: 'WaitingForDeviceToConnect' });
    await device.plugIn();
    await stream.until('EnterTrezorPin');
    expect(await first.statusOf(id)).toEqual({ status: 'UserActionRequired', details: 'EnterTrezorPin' });
    const act = (user_action: object) => first.task('user_action', { task_id: id, user_action });
    expect(await act({ action_type: 'TrezorPin', pin: PLACES })).toBe('success');
    await stream.until('EnterTrezorPassphrase');
    expect(await act({ action_type: 'TrezorPassphrase', passphrase: '' })).toBe('success');
    await stream.until('Ok');
    expect(stream.seen).toEqual([
      ...['WaitingForDeviceToConnect', 'EnterTrezorPin', 'EnterTrezorPassphrase', 'FollowHwDeviceInstructions'],
      ...['ActivatingCoin', 'RequestingWalletBalance', 'Finishing', 'Ok'],
    ]);
    const { details } = await first.statusOf(id);
    expect(details).toMatchObject({
      ticker: 'ETHHW',
      wallet_balance: { wallet_type: 'HD', accounts: [{ account_index: 0, derivation_path: "m/44'/60'/0'" }] },
      nfts_infos: {},
    });
    expect(JSON.stringify(details)).toContain(mnemonicToAccount(WORDS).address);
    await stream.cut();
    await first.node.close();
    // Then it asks for its PIN again.
    await device.unplug();
    await device.plugIn();

    // Another process has to know which device it is, and reads no key of an account that the log has.
    const until = traffic.length;
    const second = await serving({ udpPort: device.port, dbdir: 'DEVICE' });
    const again = await follow(second.node.url);
    const other = await second.begin({ scan_policy: 'do_not_scan' });
    await again.until('EnterTrezorPin');
    await second.task('user_action', { task_id: other, user_action: { action_type: 'TrezorPin', pin: PLACES } });
    await again.until('EnterTrezorPassphrase');
    await second.task('user_action', {
      task_id: other,
      user_action: { action_type: 'TrezorPassphrase', passphrase: '' },
    });
    await again.until('Ok');
    expect((await second.statusOf(other)).details['wallet_balance']).toEqual(details['wallet_balance']);
    expect(traffic.slice(until).map(({ type }) => type)).not.toContain(MESSAGE.ethereumGetPublicKey);
    await again.cut();
    await second.node.close();
    await device.unplug();
  }, 120_000);

  it('names a wrong PIN as the real node does', async () => {
    const { device } = await askingDevice();
    for (const compatibility of ['specification', 'kdf'] as const) {
      const { node, task, begin, statusOf } = await serving({ udpPort: device.port, compatibility });
      const stream = await follow(node.url);
      const id = await begin();
      await stream.until('EnterTrezorPin');
      await task('user_action', { task_id: id, user_action: { action_type: 'TrezorPin', pin: '111111' } });
      await stream.until('Error');
      const { details } = await statusOf(id);
      const error = compatibility === 'kdf' ? details : details['result'];
      const told =
        compatibility === 'kdf'
          ? { error_type: 'Internal', error_data: 'InvalidPin' }
          : { error_type: 'HwError', error_data: 'InvalidPin' };
      expect(error).toMatchObject(told);
      await stream.cut();
      await node.close();
    }
    await device.unplug();
  }, 120_000);

  describeShared('as others say that it answers', () => {
    type Case = { readonly id: string; readonly needs: string; readonly mode: string };
    const cases = JSON.parse(readFileSync(join(SHARED_DIR, 'interface-b/cases.json'), 'utf8')) as readonly Case[];
    // For one case somebody waits 300 s; the suite of tasks has a clock of its own for that.
    const wanted = (id: string) =>
      /^(?:hw-|status-hd-|out-nft-|out-token-custom-|out-wc-)/.test(id) && id !== 'hw-pin-timeout-spec';

    async function verdicts(url: string, { mode, only }: { readonly mode: string; readonly only: string }) {
      const report = join(folder, `report-${mode}.json`);
      const { subs } = JSON.parse(readFileSync(join(SHARED_DIR, 'interface-b/subs.example.json'), 'utf8')) as {
        subs: object;
      };
      const own = { EVM_URL: chain.url, SWAP_CONTRACT: addressText(chain.contract), ERC20_CONTRACT: token };
      const file = join(folder, 'subs.json');
      writeFileSync(
        file,
        JSON.stringify({ subs: { ...subs, ...own }, available: ['anvil', 'hd-node', 'fake-trezor'] }),
      );
      const runner = join(SHARED_DIR, 'interface-b/run.mjs');
      const options = ['--mode', mode, '--only', only, '--json', report];
      const child = spawn(process.execPath, [runner, url, file, ...options], { stdio: 'ignore' });
      await new Promise((resolve) => child.once('exit', resolve));
      return (
        JSON.parse(readFileSync(report, 'utf8')) as { report: readonly { id: string; verdict: string; why: unknown }[] }
      ).report;
    }

    it.each([
      ['spec', 'specification'],
      ['kdf', 'kdf'],
    ] as const)(
      'in the mode %s',
      async (mode, compatibility) => {
        const own = cases.filter((each) => wanted(each.id) && (each.mode === 'both' || each.mode === mode));
        const bad: unknown[] = [];
        const run = async (ids: readonly string[], given: Serving): Promise<void> => {
          const { node } = await serving({ ...given, compatibility });
          const found = await verdicts(node.url, { mode, only: `^(?:${ids.join('|')})$` });
          bad.push(...found.filter(({ verdict }) => verdict !== 'pass'));
          expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
          await node.close();
        };
        const idsOf = (fits: (needs: string) => boolean) => own.filter(({ needs }) => fits(needs)).map(({ id }) => id);
        await run(
          idsOf((needs) => needs.includes('hd-node')),
          { hd: true },
        );
        await run(
          idsOf((needs) => !needs.includes('hd-node') && !needs.includes('trezor')),
          {},
        );
        // A device that nobody has asked before, each time.
        for (const id of idsOf((needs) => needs.includes('trezor'))) {
          const { device } = await askingDevice({ presses: false });
          await run([id], { udpPort: device.port });
          await device.unplug();
        }
        expect(bad).toEqual([]);
        expect(own).toHaveLength(mode === 'spec' ? 10 : 14);
      },
      240_000,
    );
  });
});
