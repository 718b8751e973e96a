import { Secret } from '../../src/primitives/secret.ts';
import { dispatch, listen, METHODS, methodTable, type NodeContext } from '../../src/rpc/index.ts';
import type { RpcMethod } from '../../src/rpc/smart-chain/method.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { systemRandom } from '../../src/runtime/host/random-system.ts';
import type { SmartChain } from '../../src/smartchain/node.ts';
import { PREFIXES } from '../../src/smartchain/params.ts';
import { openWallet } from '../../src/smartchain/wallet/wallet.ts';

const USER = 'user';
const PASSWORD = 'password';

/** What a call gives, as the specification writes it. */
export type HttpAnswer = {
  readonly status: number;
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
  readonly id: unknown;
};

/** What a node serves of a chain, with a wallet that holds nothing. The chain may be replaced, as by a restart. */
export async function contextOf(chain: SmartChain) {
  const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
  return { chain, wallet, compatibility: 'specification' as const, tokens: true, stop() {} };
}

/** A node behind HTTP on a free port. */
export async function nodeOverHttp(context: NodeContext, served: readonly RpcMethod[] = METHODS) {
  const methods = methodTable(served);
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const answer = (body: string | Uint8Array) => dispatch(body, { methods, context, logger });
  const listener = await listen({
    answer,
    credentials: { user: USER, password: new Secret(PASSWORD) },
    clock: systemClock(),
    logger,
    port: 0,
  });
  const url = `http://127.0.0.1:${listener.port}/`;
  const headers = {
    authorization: `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`,
    'content-type': 'text/plain;',
  };
  return {
    url,
    headers,
    answer,
    close: () => listener.close(),
    async call(method: string, ...params: readonly unknown[]): Promise<HttpAnswer> {
      const body = JSON.stringify({ jsonrpc: '1.0', id: 'curltest', method, params });
      const response = await fetch(url, { method: 'POST', headers, body });
      return { status: response.status, ...((await response.json()) as Omit<HttpAnswer, 'status'>) };
    },
  };
}
