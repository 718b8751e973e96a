import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { asked, coins, least } from '../../support/tasks/eth-tasks.ts';
import { ADDRESS, EvmDouble } from '../../support/tasks/evm-double.ts';
import { nodeProcesses } from '../../support/tasks/node-processes.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };

describe('a coin of an EVM chain that is removed', () => {
  it('alone, as a token, stays out after a restart, and the coin that it came with comes back', async () => {
    const { start, clock } = nodeProcesses();
    const first = await start();
    await first.activate(TOKENS);
    expect(first.active()).toEqual(['ETH', 'TOK']);
    expect(await first.node.disable('TOK')).toEqual({ cancelledOrders: [], passivized: false });
    await first.node.close();
    const second = await start();
    await clock.advance(0);
    expect(second.active()).toEqual(['ETH']);
    await second.node.close();
  });

  it('is given up if it has not come back, and stays out', async () => {
    const { start, clock } = nodeProcesses();
    const first = await start();
    await first.activate(TOKENS);
    await first.node.close();
    const fault = { type: 'Transport', data: 'nobody answers', passing: true } as const;
    const second = await start(new EvmDouble([[{ fail: fault }]]));
    await clock.advance(60_000);
    expect([second.active(), await second.node.disable('MATIC')]).toEqual([[], undefined]);
    expect(await second.node.disable('ETH')).toEqual({ cancelledOrders: [], passivized: false });
    expect(await second.node.disable('ETH')).toBeUndefined();
    await second.node.close();
    const third = await start();
    await clock.advance(60_000);
    expect([third.active(), third.evm.orders]).toEqual([[], []]);
    await third.node.close();
  });

  it('holds no connection for a token that another task activated again', async () => {
    const { start } = nodeProcesses();
    const { node, evm, activate, active } = await start();
    await activate(TOKENS);
    await node.disable('ETH');
    expect([active(), evm.open]).toEqual([['TOK'], 1]);
    await node.disable('TOK');
    expect(evm.open).toBe(0);
    await activate(TOKENS);
    expect([active(), evm.open]).toEqual([['ETH', 'TOK'], 1]);
    await node.close();
  });

  it('leaves a token that another activation keeps and reports, until that is removed too', async () => {
    const { start } = nodeProcesses();
    const { node, evm, activate, active } = await start();
    await activate(TOKENS);
    const token = node.coins.get('TOK');
    await node.disable('ETH');
    expect(await activate(TOKENS)).toMatchObject({
      status: 'Ok',
      details: { wallet_balance: { balance: { ETH: { spendable: '1.5' }, TOK: { spendable: '2.5' } } } },
    });
    expect(evm.orders.at(-1)?.tokens).toMatchObject([{ ticker: 'TOK', kept: { decimals: 18, address: ADDRESS } }]);
    expect([node.coins.get('TOK') === token, evm.open]).toEqual([true, 2]);
    await node.disable('TOK');
    expect([active(), evm.open]).toEqual([['ETH'], 1]);
    await node.close();
  });

  it('J1: gives its ticker to no other token while it is active', async () => {
    const { start } = nodeProcesses();
    const { node, activate } = await start();
    const custom = (byte: string) => ({
      erc20_tokens_requests: [
        {
          ticker: 'OWN',
          protocol: {
            type: 'ERC20',
            protocol_data: { platform: 'ETH', contract_address: `0x${byte.repeat(20)}` },
          },
        },
      ],
    });
    expect(await activate(custom('11'))).toMatchObject({ status: 'Ok' });
    await node.disable('ETH');
    expect(await activate(custom('22'))).toMatchObject({
      status: 'Error',
      details: { result: { error_type: 'Internal', error: 'Coin OWN already initialized' } },
    });
    expect(await activate(custom('11'))).toMatchObject({ status: 'Ok' });
    await node.close();
  });
});

describe('a node with the second trading protocol', () => {
  it.each(['specification', 'kdf'] as const)('requires requests to name its contracts (%s)', async (compatibility) => {
    const clock = virtualClock();
    const node = createNode({
      ...{ coins, signer: walletOfPassphrase(new Secret('a passphrase of the suite')), clock, evm: new EvmDouble() },
      ...{ log: createMemoryLog(), peers: createInProcessNetwork().peer('a1'.repeat(32)), compatibility },
      tradingProtoV2: true,
    });
    await node.start();
    const text = 'swap_v2_contracts must be provided when using trading protocol v2';
    const { swap_contract_address, nodes } = least;
    await node.ethTasks.init(asked());
    await clock.advance(0);
    expect(await node.ethTasks.status(0, false)).toMatchObject({
      result: { details: { result: { error_type: 'InvalidPayload', error: text } } },
    });
    const urls = nodes.map(({ url }) => url);
    await expect(node.enable({ coin: 'ETH', mm2: 1, swap_contract_address, urls })).rejects.toThrow(text);
    await node.close();
  });
});
