import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../primitives/json.ts';
import { stringifyJson } from '../../primitives/json.ts';
import { callFailed } from './error.ts';
import type { Call } from './stage.ts';

export type TaskTerms = {
  readonly ticker: string;
  /** Url of a node of the chain. */
  readonly node: string;
  /** Address of the swap contract. */
  readonly contract: string;
};

const SOON_MS = 100;

/** Has a node activate the coin of an EVM chain, and waits for it. @throws TradeError TRADE_CALL_FAILED */
export async function activateByTask(call: Call, { ticker, node, contract }: TaskTerms): Promise<void> {
  // A restarted node activates automatically what was active before.
  const enabled = (await call({ method: 'get_enabled_coins' }))['result'] as readonly JsonObject[];
  if (enabled.some((coin) => coin['ticker'] === ticker)) return;
  const served = { swap_contract_address: contract, contract_supports_watchers: true, nodes: [{ url: node }] };
  const params = { ticker, ...served, erc20_tokens_requests: [] };
  const begun = await call({ mmrpc: '2.0', method: 'task::enable_eth::init', params });
  const { task_id } = begun['result'] as JsonObject;
  const question = { mmrpc: '2.0', method: 'task::enable_eth::status', params: { task_id } };
  for (;;) {
    const { status, details } = (await call(question))['result'] as JsonObject;
    if (status === 'Ok') return;
    if (status === 'Error') throw callFailed('task::enable_eth', stringifyJson(details ?? null));
    await pause(SOON_MS);
  }
}
