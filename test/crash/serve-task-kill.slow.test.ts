import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/index.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { builtModule } from '../support/built.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { holdingProxy } from '../support/evm/holding-proxy.ts';
import { askingDevice, PLACES } from '../support/evm-wallets/asking-device.ts';
import { WORDS } from '../support/hardware.ts';
import { describeWith } from '../support/optional-part.ts';
import { PASSWORD, type ServeGiven, type Serving, serving, servingFolder } from '../support/serving.ts';
import { type Followed, followed } from '../support/tasks/followed.ts';
import { type Outside, TASK_PLACES, taskUser } from '../support/tasks/task-places.ts';

const CLIENT = 7;
const NAME = 'owner';
const COIN = {
  ...{ coin: 'ETHHW', trezor_coin: 'Ethereum', derivation_path: "m/44'/60'", mm2: 1 },
  protocol: { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } },
};
/** Its result does not fit on a disk that has room for all else: the task stands in its last status until the work is done anew, a second later. */
const LONG = { min_addresses_number: 1500, get_balances: false };
const FULL = { mostBytes: 450 * 1024 };

type Told = { readonly status: string; readonly details: JsonObject & string };
type Step = 'init' | 'status' | 'user_action' | 'cancel';

type Bench = Outside & {
  readonly folder: string;
  /** The process that runs. */
  node: Serving;
  /** Its device and its chain stay. */
  readonly kill: () => Promise<void>;
  readonly start: (given?: Pick<ServeGiven, 'mostBytes'>) => Promise<void>;
  readonly close: () => Promise<void>;
};

const call = ({ node }: Bench, step: Step, params: object) =>
  node.call({ mmrpc: '2.0', method: `task::enable_eth::${step}`, params });
const follow = ({ node }: Bench): Promise<Followed> =>
  followed(String(node.row['url']), { client: CLIENT, password: PASSWORD });
const enabled = async ({ node }: Bench) => (await node.call({ method: 'get_enabled_coins' }))['result'];
const disable = ({ node }: Bench) => node.call({ method: 'disable_coin', coin: COIN.coin });

async function begin(bench: Bench, members: object): Promise<JsonObject> {
  const request = { ticker: COIN.coin, erc20_tokens_requests: [], swap_contract_address: `0x${'24'.repeat(20)}` };
  const usual = { priv_key_policy: { type: 'Trezor' }, scan_policy: 'do_not_scan', client_id: CLIENT };
  return call(bench, 'init', { ...request, ...usual, nodes: [{ url: bench.proxy.url }], ...members });
}

async function begun(bench: Bench, members: object): Promise<number> {
  const { result } = await begin(bench, members);
  return (result as { readonly task_id: number }).task_id;
}

const userOf = (bench: Bench, task_id: number) => (user_action: object) =>
  call(bench, 'user_action', { task_id, user_action });

async function toldOf(bench: Bench, task_id: number): Promise<Told> {
  return (await call(bench, 'status', { task_id, forget_if_finished: false }))['result'] as Told;
}

/** What the user does until the task is over. */
async function ended(bench: Bench, id: number): Promise<Told> {
  const act = userOf(bench, id);
  for (;;) {
    const told = await toldOf(bench, id);
    if (told.status === 'Ok' || told.status === 'Error') return told;
    if (told.details === 'EnterTrezorPin') await act({ action_type: 'TrezorPin', pin: PLACES });
    else if (told.details === 'EnterTrezorPassphrase') await act({ action_type: 'TrezorPassphrase', passphrase: '' });
    else await pause(10);
  }
}

/** The records of each task, once nobody has the log. */
async function typesIn({ folder }: Bench): Promise<(id: number) => Promise<readonly string[]>> {
  const files = readdirSync(join(folder, NAME), { recursive: true, encoding: 'utf8' });
  const path = join(folder, NAME, files.find((file) => file.endsWith('.db')) ?? '');
  const log = await openSqliteLog({ path });
  onTestFinished(() => log.close());
  return async (id) => (await log.read(`enable-eth/${id}`)).map(({ type }) => type);
}

/** In which status the process was lost that worked on a task. */
function lostIn(types: readonly string[]): string | undefined {
  const before = types[types.indexOf('SessionLost') - 1];
  return before === 'TaskStarted' ? 'ActivatingCoin' : before;
}

/** The device and the chain are there all the time; only the process is killed. */
describeWith(ANVIL, 'swapfold serve that is killed', () => {
  let chain: EvmTestChain;
  let bench: Bench | null = null;
  const lost: (readonly [id: number, status: string])[] = [];
  let cancelled = -1;
  let accounts = 0;

  beforeAll(async () => {
    builtModule('src/cli/main.js');
    chain = await EvmTestChain.start();
  }, 300_000);
  afterAll(async () => {
    await bench?.close();
    chain?.stop();
  });

  async function open(given: Pick<ServeGiven, 'mostBytes'> = {}): Promise<Bench> {
    const asking = await askingDevice();
    const proxy = await holdingProxy(chain.url);
    const folder = servingFolder();
    const config = { disable_p2p: true, hardware_wallet: { udp_port: asking.device.port } };
    const serve = (changes: Pick<ServeGiven, 'mostBytes'>) =>
      serving(folder, { name: NAME, coins: [COIN], config, ...changes });
    const made: Bench = {
      ...{ asking, proxy, folder, node: await serve(given) },
      kill: () => made.node.kill(),
      async start(changes = {}) {
        made.node = await serve(changes);
      },
      async close() {
        await made.node.kill();
        proxy.close();
        await asking.device.unplug();
      },
    };
    return made;
  }

  /** The process that the test before has started last, with an account that no test before has asked for. */
  async function next() {
    const under = bench ?? (await open());
    bench = under;
    // It locks itself.
    await under.asking.device.unplug();
    await under.asking.device.plugIn();
    accounts += 1;
    const account_id = accounts;
    return { under, account: { path_to_address: { account_id } }, address: addressAt(account_id) };
  }

  it.each(TASK_PLACES.map((place) => [`${place.status} ${place.when ?? ''}`.trim(), place] as const))(
    'while a task with a device is in %s restarts, and the task goes on',
    async (_, place) => {
      const { under, account, address } = await next();
      const stream = await follow(under);
      await place.before?.(under);
      const id = await begun(under, account);
      await place.reach(under, taskUser({ stream, act: userOf(under, id) }));
      await under.kill();
      await place.after?.(under);
      under.proxy.letGo();
      await under.start();
      expect((await ended(under, id)).status).toBe('Ok');
      expect(await enabled(under)).toEqual([{ ticker: COIN.coin, address }]);
      expect((await begin(under, account))['error_type']).toBe('PlatformIsAlreadyActivated');
      await disable(under);
      lost.push([id, place.status]);
    },
    120_000,
  );

  it('while a task is being cancelled restarts, and nothing of the task returns', async () => {
    const { under, account } = await next();
    under.proxy.hold();
    const id = await begun(under, account);
    await under.proxy.held();
    expect((await call(under, 'cancel', { task_id: id }))['result']).toBe('success');
    cancelled = id;
    await under.kill();
    under.proxy.letGo();
    await under.start();
    expect((await call(under, 'status', { task_id: id }))['error_type']).toBe('NoSuchTask');
    expect(await enabled(under)).toEqual([]);
  }, 60_000);

  it('while a task whose request had a password waits for a PIN restarts, and the task says what must be sent again', async () => {
    const { under, account } = await next();
    const stream = await follow(under);
    const url = under.proxy.url.replace('://', '://user:hunter2@');
    const secret = { ...account, nodes: [{ url }] };
    const id = await begun(under, secret);
    await taskUser({ stream, act: userOf(under, id) }).until('EnterTrezorPin');
    const before = under.node.lines;
    await under.kill();
    await under.start();
    const told = await ended(under, id);
    expect(told).toMatchObject({ status: 'Error', details: { result: { error_type: 'InvalidPayload' } } });
    expect(JSON.stringify(told)).toContain('/nodes/0/url');
    expect(JSON.stringify([told, before, under.node.lines])).not.toContain('hunter2');
    // The device still shows what the first process asked, and is free for the next task.
    expect([await enabled(under), under.asking.device.screen().kind]).toEqual([[], 'pin']);
    const other = await begun(under, secret);
    expect((await ended(under, other)).status).toBe('Ok');
  }, 60_000);

  it('has logged the status at each kill, and one outcome of each task', async () => {
    const under = bench;
    if (under === null) throw new Error('no test before has begun');
    await under.node.stop();
    const types = await typesIn(under);
    for (const [id, status] of lost) {
      const told = await types(id);
      expect([status, lostIn(told)]).toEqual([status, status]);
      expect(told.filter((type) => type === 'Completed')).toHaveLength(1);
    }
    expect((await types(cancelled)).slice(-2)).toEqual(['CancelRequested', 'Cancelled']);
  }, 60_000);

  it('while a task is in Finishing and the disk is full restarts, and the task goes on', async () => {
    const under = await open(FULL);
    onTestFinished(() => under.close());
    const stream = await follow(under);
    const id = await begun(under, LONG);
    await taskUser({ stream, act: userOf(under, id) }).until('Finishing');
    await under.kill();
    await under.start();
    expect((await ended(under, id)).status).toBe('Ok');
    expect(await enabled(under)).toEqual([{ ticker: COIN.coin, address: addressAt(0) }]);
    await under.node.stop();
    expect(lostIn(await (await typesIn(under))(id))).toBe('Finishing');
  }, 120_000);
});

function addressAt(accountIndex: number): string {
  return mnemonicToAccount(WORDS, { accountIndex }).address;
}
