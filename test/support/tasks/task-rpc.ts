import { expect, onTestFinished } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { type Compatibility, createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { listenWith } from '../../../src/rpc/framework/listen.ts';
import { FRAMEWORK_API, withRpc } from '../../../src/rpc/index.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { virtualClock } from '../virtual-clock.ts';
import { coins } from './eth-tasks.ts';
import { type Deed, EvmDouble } from './evm-double.ts';

export const PASSWORD = 'a password of the suite';
const LOCAL = { address: '127.0.0.1', local: true };

type Step = 'init' | 'status' | 'user_action' | 'cancel';
type Answer = { readonly http: number; readonly body: JsonObject };

type Serving = { readonly compatibility?: Compatibility; readonly log?: EventLog; readonly tradingProtoV2?: boolean };

/** A node over a double of an EVM chain, asked as by HTTP; its answers are held to their schemas. It is closed when the test ends. */
export async function serveTasks(
  scripts: readonly (readonly Deed[])[] | EvmDouble = [[]],
  { compatibility = 'specification', log = createMemoryLog(), tradingProtoV2 = false }: Serving = {},
) {
  const clock = virtualClock();
  const evm = scripts instanceof EvmDouble ? scripts : new EvmDouble(scripts);
  const made = createNode({
    ...{ coins, signer: walletOfPassphrase(new Secret('a passphrase of the suite')), log, clock, evm, compatibility },
    tradingProtoV2,
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
  });
  const node = withRpc(made, { password: new Secret(PASSWORD) });
  onTestFinished(async () => void (await node.close()));
  const send = async (request: JsonObject | readonly JsonObject[]): Promise<Answer> => {
    const init = { method: 'POST', body: JSON.stringify(request) };
    const response = await node.fetch(new Request('http://node/', init), LOCAL);
    return { http: response.status, body: (await response.json()) as JsonObject };
  };
  const bodyOf = (step: Step, params: object): JsonObject => ({
    ...{ method: `task::enable_eth::${step}`, mmrpc: '2.0', userpass: PASSWORD, params: params as JsonObject },
  });
  const call = async (step: Step, params: object): Promise<Answer> => {
    const answer = await send(bodyOf(step, params));
    const { v2 } = FRAMEWORK_API[`task::enable_eth::${step}`];
    if (answer.http === 200) expect(v2.result.safeParse(answer.body['result']).error).toBeUndefined();
    return answer;
  };
  const seen = async (task_id: number, forget_if_finished = false): Promise<unknown> => {
    await clock.advance(0);
    return (await call('status', { task_id, forget_if_finished })).body['result'];
  };
  /** The same over a port of this host: gives how to send a body there. */
  const listen = async () => {
    const { port, close } = await listenWith(node.handle, { clock: systemClock(), port: 0, timeouts: { close: 50 } });
    onTestFinished(() => close());
    return async (request: JsonObject): Promise<Answer> => {
      const init = { method: 'POST', body: JSON.stringify(request) };
      const response = await fetch(`http://127.0.0.1:${port}/`, init);
      return { http: response.status, body: (await response.json()) as JsonObject };
    };
  };
  return {
    ...{ node, evm, clock, call, seen, send, bodyOf, listen },
    legacy: (m: JsonObject) => send({ userpass: PASSWORD, ...m }),
  };
}
