import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { placesOf, type SimulatedDevice, startSimulatedDevice } from '../../src/hardware/simulator/index.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { systemRandom } from '../../src/runtime/host/random-system.ts';
import { builtModule } from '../support/built.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { PIN, WORDS } from '../support/hardware.ts';
import { describeWith } from '../support/optional-part.ts';

type Step = 'init' | 'status' | 'user_action' | 'cancel';
type Said = {
  readonly result?: { readonly status?: string; readonly details?: unknown } | string;
  readonly error_type?: string;
};
type Running = { readonly child: ChildProcess; readonly port: number };

const PASSWORD = 'a password of the suite';
const LONGEST_MS = 120_000;

describeWith(ANVIL, 'a process that is killed while a task', () => {
  let chain: EvmTestChain;
  let device: SimulatedDevice;
  let source: string;
  let path: string;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    source = new URL('../', builtModule('src/rpc/index.js')).href;
    chain = await EvmTestChain.start();
  }, 300_000);
  afterAll(() => chain?.stop());
  afterEach(async () => {
    for (const child of running) await kill(child);
    await device?.unplug();
  });

  async function plugIn(): Promise<void> {
    path = join(mkdtempSync(join(tmpdir(), 'swapfold-task-')), 'node.db');
    device = await startSimulatedDevice({
      ...{ clock: systemClock(), random: systemRandom, words: new Secret(WORDS), buttons: 'wait' },
      ...{ pin: new Secret(PIN), passphrase: true },
    });
  }

  async function start(hold: string): Promise<Running> {
    const args = [join(import.meta.dirname, 'task-child.mjs'), source, path, device.port, CHAIN_ID, hold].map(String);
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(child);
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      return { child, port: Number(line) };
    }
    throw new Error('the process ended before it listened');
  }

  async function kill(child: ChildProcess): Promise<void> {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
  }

  async function post({ port }: Running, body: object): Promise<Said> {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify({ userpass: PASSWORD, ...body }),
    });
    return (await answer.json()) as Said;
  }

  const call = (node: Running, step: Step, params: object) =>
    post(node, { mmrpc: '2.0', method: `task::enable_eth::${step}`, params });

  async function statusOf(node: Running): Promise<string> {
    const { result, error_type = '' } = await call(node, 'status', { task_id: 0, forget_if_finished: false });
    if (typeof result !== 'object') return error_type;
    return result.status === 'Ok' || result.status === 'Error' ? result.status : String(result.details);
  }

  /** What the user does until the task stands there. */
  async function reach(node: Running, wanted: readonly string[]): Promise<string> {
    for (const end = Date.now() + LONGEST_MS; Date.now() < end; ) {
      const status = await statusOf(node);
      if (wanted.includes(status)) return status;
      const screen = device.screen();
      const answer = (user_action: object) => call(node, 'user_action', { task_id: 0, user_action });
      if (status === 'EnterTrezorPin' && screen.kind === 'pin') {
        await answer({ action_type: 'TrezorPin', pin: placesOf(PIN, screen.grid) });
      } else if (status === 'EnterTrezorPassphrase') await answer({ action_type: 'TrezorPassphrase', passphrase: '' });
      else if (status === 'FollowHwDeviceInstructions' && screen.kind === 'confirm') device.press('confirm');
      await pause(20);
    }
    throw new Error(`the task stands in ${await statusOf(node)}, not in ${wanted.join(' or ')}`);
  }

  const request = (members: object = {}) => ({
    ticker: 'ETH',
    swap_contract_address: `0x${chain.contract}`,
    erc20_tokens_requests: [],
    nodes: [{ url: chain.url }],
    priv_key_policy: 'Trezor',
    ...members,
  });

  const enabled = async (node: Running) => (await post(node, { method: 'get_enabled_coins' })).result;
  const active = [{ ticker: 'ETH', address: expect.stringMatching(/^0x/) }];

  const statuses = [
    'ActivatingCoin',
    'WaitingForDeviceToConnect',
    'EnterTrezorPin',
    'EnterTrezorPassphrase',
    'FollowHwDeviceInstructions',
    'RequestingWalletBalance',
    'Finishing',
  ];
  it.each(statuses)(
    'is in %s restarts, and the task goes on',
    async (status) => {
      await plugIn();
      const first = await start(status);
      expect(await call(first, 'init', request())).toMatchObject({ result: { task_id: 0 } });
      await reach(first, [status]);
      await kill(first.child);
      const second = await start('-');
      expect(await reach(second, ['Ok', 'Error'])).toBe('Ok');
      expect(await enabled(second)).toEqual(active);
      // The next task has the next id.
      expect(await call(second, 'init', request())).toMatchObject({ error_type: 'PlatformIsAlreadyActivated' });
    },
    300_000,
  );

  it('had succeeded, with its result read, restarts, and the coin is in use', async () => {
    await plugIn();
    const first = await start('-');
    await call(first, 'init', request());
    await reach(first, ['Ok']);
    expect(await call(first, 'status', { task_id: 0 })).toMatchObject({ result: { status: 'Ok' } });
    await kill(first.child);
    const second = await start('-');
    await reach(second, ['Ok']);
    expect(await enabled(second)).toEqual(active);
  }, 300_000);

  it('is being cancelled and does not end restarts, and the task is cancelled', async () => {
    await plugIn();
    const first = await start('cancelling');
    await call(first, 'init', request());
    expect(await call(first, 'cancel', { task_id: 0 })).toMatchObject({ result: 'success' });
    await kill(first.child);
    const second = await start('-');
    expect(await statusOf(second)).toBe('NoSuchTask');
    expect(await enabled(second)).toEqual([]);
    expect(await call(second, 'init', request())).toMatchObject({ result: { task_id: 1 } });
  }, 300_000);

  it('has a password restarts, and the task says that it must be sent again', async () => {
    await plugIn();
    const url = new URL(chain.url);
    url.username = 'somebody';
    url.password = 'hunter2';
    const first = await start('Finishing');
    await call(first, 'init', request({ nodes: [{ url: url.href }], priv_key_policy: 'ContextPrivKey' }));
    await reach(first, ['Finishing']);
    await kill(first.child);
    const second = await start('-');
    const { result } = await call(second, 'status', { task_id: 0 });
    expect(result).toMatchObject({ status: 'Error', details: { result: { error_type: 'InvalidPayload' } } });
    expect(JSON.stringify(result)).toContain('/nodes/0/url');
    expect(await enabled(second)).toEqual([]);
  }, 300_000);
});
