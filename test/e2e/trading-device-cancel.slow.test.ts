import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTrezorWallet } from '../../src/hardware/index.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { holdingProxy } from '../support/evm/holding-proxy.ts';
import { askingDevice, PLACES } from '../support/evm-wallets/asking-device.ts';
import { WORDS } from '../support/hardware.ts';
import { describeWith } from '../support/optional-part.ts';
import { type DeviceNode, deviceNode } from '../support/tasks/device-node.ts';
import { type Outside, TASK_PLACES, type TaskPlace, type TaskUser, taskUser } from '../support/tasks/task-places.ts';

type Bench = Outside & { readonly node: DeviceNode };

const many = <T>(count: number, act: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, act));

describeWith(ANVIL, 'a task with a device that is cancelled', () => {
  let chain: EvmTestChain;

  beforeAll(async () => {
    chain = await EvmTestChain.start();
  }, 60_000);
  afterAll(() => chain?.stop());

  async function bench(): Promise<Bench> {
    const asking = await askingDevice();
    const proxy = await holdingProxy(chain.url);
    const node = await deviceNode({ port: asking.device.port, chainId: CHAIN_ID });
    onTestFinished(async () => {
      proxy.close();
      await node.close();
      await asking.device.unplug();
    });
    return { node, proxy, asking };
  }

  const userOf = ({ node }: Bench, task_id: number): TaskUser =>
    taskUser({ stream: node.stream, act: (user_action) => node.call('user_action', { task_id, user_action }) });

  /** The log is told to take its time once the last status is in it. */
  const finishing = (under: Bench): TaskPlace => ({
    status: 'Finishing',
    before: () => under.node.held.holdAfter('Finishing'),
    reach: (_, { until }) => until('Finishing'),
  });
  const places: readonly (readonly [string, (under: Bench) => TaskPlace])[] = [
    ...TASK_PLACES.map((place) => [`${place.status} ${place.when ?? ''}`.trim(), () => place] as const),
    ['Finishing', finishing],
  ];

  it.each(places)(
    'in %s leaves nothing behind, and the next task gets the device',
    async (_, placeIn) => {
      const under = await bench();
      const place = placeIn(under);
      const { node, proxy } = under;
      const begin = async () => (await node.begin({ nodes: [{ url: proxy.url }], ...REQUEST }))['result'];
      await place.before?.(under);
      const first = { task_id: 0 };
      expect(await begin()).toEqual(first);
      await place.reach(under, userOf(under, 0));
      // Whoever asks for the same has the same task, wherever it stands.
      expect(new Set((await many(50, begin)).map((task) => JSON.stringify(task)))).toEqual(
        new Set([JSON.stringify(first)]),
      );
      const came = node.cancelCame();
      const cancelling = many(20, () => node.call('cancel', first));
      await came;
      node.held.letGo();
      const answers = await cancelling;
      expect(answers.filter(({ http, result }) => http === 200 && result === 'success')).toHaveLength(1);
      const others = answers.filter(({ http }) => http !== 200).map(({ error_type }) => error_type);
      expect(others.filter((type) => type !== 'Internal' && type !== 'NoSuchTask')).toEqual([]);

      await node.held.written('enable-eth/0', 'Cancelled');
      const types = await node.typesOf(0);
      expect(types.slice(-2)).toEqual(['CancelRequested', 'Cancelled']);
      expect(types.filter((type) => type === 'TaskStarted' || type === 'Completed')).toEqual(['TaskStarted']);
      // What still comes finds nobody.
      proxy.letGo();
      await proxy.idle();
      for (const user_action of [
        { action_type: 'TrezorPin', pin: PLACES },
        { action_type: 'TrezorPassphrase', passphrase: '' },
      ]) {
        expect(await node.call('user_action', { ...first, user_action })).toMatchObject(NO_SUCH_TASK);
      }
      expect(await node.call('status', first)).toMatchObject(NO_SUCH_TASK);
      expect((await node.send({ method: 'get_enabled_coins' }))['result']).toEqual([]);
      expect([node.node.coins.active(), node.node.evm.homes.size, node.node.ethTasks.active.active()]).toEqual([
        [],
        0,
        [],
      ]);
      expect(node.lines.filter((line) => line.includes('does not stop'))).toEqual([]);

      // Another wallet of the device: nothing of the first one is in anybody's way.
      await place.after?.(under);
      expect(await begin()).toEqual({ task_id: 1 });
      const { until, enter } = userOf(under, 1);
      expect(await until('EnterTrezorPassphrase', 'Ok', 'Error')).toBe('EnterTrezorPassphrase');
      await enter('another wallet');
      expect(await until('Ok', 'Error')).toBe('Ok');
      const { address } = mnemonicToAccount(WORDS, { passphrase: 'another wallet' });
      expect((await node.send({ method: 'get_enabled_coins' }))['result']).toEqual([{ ticker: 'ETHHW', address }]);
      expect([under.asking.device.screen(), node.node.evm.homes.size]).toEqual([{ kind: 'home' }, 1]);
      expect(await node.typesOf(0)).toEqual(types);
      await node.stream.cut();
    },
    60_000,
  );

  it.each(places)(
    'in %s of a node that is stopped holds neither device nor nodes, and is neither over nor cancelled',
    async (_, placeIn) => {
      const under = await bench();
      const place = placeIn(under);
      const { node, proxy, asking } = under;
      const types: string[] = [];
      node.held.log.subscribe({ after: 0 }, ({ envelope: { stream, type } }) => {
        if (stream === 'enable-eth/0') types.push(type);
      });
      await place.before?.(under);
      await node.begin({ nodes: [{ url: proxy.url }], ...REQUEST });
      await place.reach(under, userOf(under, 0));
      const stopping = node.node.close();
      node.held.letGo();
      proxy.letGo();
      await stopping;
      expect(types[0]).toBe('TaskStarted');
      expect(types.filter((type) => /^(?:CancelRequested|Cancelled|Failed)$/.test(type))).toEqual([]);
      expect([node.node.coins.active(), node.node.evm.homes.size]).toEqual([[], 0]);
      expect(node.lines.filter((line) => line.includes('does not stop'))).toEqual([]);
      await proxy.idle();
      await place.after?.(under);
      // Whoever asks next has the device at once.
      const wallet = createTrezorWallet({ clock: systemClock(), port: asking.device.port });
      const step = await wallet.connect({ waitMs: 1000 });
      expect(['pin', 'passphrase']).toContain(step.kind);
      if (step.kind === 'pin' || step.kind === 'passphrase') await step.cancel();
      await node.stream.cut();
    },
    60_000,
  );
});

/** The coins of a device are for looking at: no contract is looked for. */
const REQUEST = { swap_contract_address: `0x${'24'.repeat(20)}`, scan_policy: 'do_not_scan' };
const NO_SUCH_TASK = { http: 400, error_type: 'NoSuchTask', error_data: 0 };
