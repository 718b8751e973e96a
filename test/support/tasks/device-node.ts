import { createTrezorWallet } from '../../../src/hardware/index.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { listenWith } from '../../../src/rpc/framework/listen.ts';
import { withRpc } from '../../../src/rpc/index.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { heldLog } from '../held-log.ts';
import { followed } from './followed.ts';

const PASSWORD = 'a password of the suite';
const CLIENT = 7;

export type TaskStep = 'init' | 'status' | 'user_action' | 'cancel';
export type TaskSaid = JsonObject & { readonly http: number; readonly task_id?: number };

export type DeviceNode = Awaited<ReturnType<typeof deviceNode>>;

/** A whole node over HTTP, with a device at a port of this host, and a coin of an EVM chain that the device may hold. */
export async function deviceNode({ port, chainId }: { readonly port: number; readonly chainId: number }) {
  const clock = systemClock();
  const held = heldLog(createMemoryLog());
  const lines: string[] = [];
  const say = (message: string): void => void lines.push(message);
  const coin = {
    mm2: 1,
    derivation_path: "m/44'/60'",
    protocol: { type: 'ETH', protocol_data: { chain_id: chainId } },
  };
  const made = createNode({
    ...{ log: held.log, clock, logger: { info: say, warn: say, error: say } },
    signer: walletOfPassphrase(new Secret('a passphrase of the suite')),
    coins: coinsOf([{ coin: 'ETHHW', trezor_coin: 'Ethereum', ...coin }], 'the suite'),
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    device: { wallet: createTrezorWallet({ clock, port }) },
  });
  const node = withRpc(made, { password: new Secret(PASSWORD) });
  await node.start();
  const listener = await listenWith(node.handle, { clock, port: 0, timeouts: { close: 50 } });
  const url = `http://127.0.0.1:${listener.port}/`;
  const send = async (request: object): Promise<TaskSaid> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ userpass: PASSWORD, ...request }) });
    return { ...((await response.json()) as JsonObject), http: response.status };
  };
  const call = (step: TaskStep, params: object) =>
    send({ mmrpc: '2.0', method: `task::enable_eth::${step}`, params: { ...params } });
  return {
    ...{ node, held, lines, send, call },
    stream: await followed(url, { client: CLIENT, password: PASSWORD }),
    /** Begins a task of the coin; the same members make the same request. */
    begin: (members: object) =>
      call('init', {
        ticker: 'ETHHW',
        erc20_tokens_requests: [],
        priv_key_policy: 'Trezor',
        client_id: CLIENT,
        ...members,
      }),
    typesOf: async (id: number) => (await held.log.read(`enable-eth/${id}`)).map(({ type }) => type),
    /** Settles once a call to cancel has come to the tasks of the node, whatever becomes of it. */
    cancelCame(): Promise<void> {
      const { ethTasks } = made;
      const cancel = ethTasks.cancel.bind(ethTasks);
      return new Promise((resolve) => {
        ethTasks.cancel = (id) => {
          const answer = cancel(id);
          resolve();
          return answer;
        };
      });
    },
    async close(): Promise<void> {
      await listener.close();
      await node.close();
    },
  };
}
