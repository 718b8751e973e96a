import { expect, it } from 'vitest';
import { enableEthRequest } from '../../../../src/events/enable-eth-request.ts';
import { CoinTable } from '../../../../src/node/coin-table.ts';
import { ethOrder } from '../../../../src/node/tasks/eth-order.ts';
import { PlatformCoins } from '../../../../src/node/tasks/platform-coins.ts';
import { reservingActivator } from '../../../../src/node/tasks/reserving-activator.ts';
import type { EvmActivationOrder } from '../../../../src/ports/evm-activator.ts';
import { coins, least } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble } from '../../../support/tasks/evm-double.ts';

const order = (): EvmActivationOrder =>
  ethOrder(enableEthRequest.parse({ ...least, erc20_tokens_requests: [{ ticker: 'TOK' }] }), coins);
const talk = {
  signal: new AbortController().signal,
  tell: async () => {},
  ask: () => Promise.reject(new Error('nothing is asked')),
};

it.each([
  ['ETH', { type: 'PlatformIsAlreadyActivated', data: 'ETH', passing: true }],
  ['TOK', { type: 'Internal', passing: true }],
])('an activation of %s under way is reported as that, and as one that may fail', async (ticker, fault) => {
  const table = new CoinTable();
  const place = table.reserve([ticker]);
  const evm = new EvmDouble([[]]);
  const refused = await reservingActivator(evm, new PlatformCoins(table)).activate(order(), talk);
  expect(refused).toMatchObject({ ok: false, fault });
  expect(JSON.stringify(refused)).toContain(`Coin ${ticker} is already being activated by another request`);
  expect(evm.orders).toEqual([]);
  place.release();
  expect((await reservingActivator(evm, new PlatformCoins(table)).activate(order(), talk)).ok).toBe(true);
});
