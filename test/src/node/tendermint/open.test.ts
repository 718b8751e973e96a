import { expect, it, onTestFinished } from 'vitest';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { tendermintAdapter } from '../../../../src/node/tendermint/adapter-module.ts';
import { openTendermint } from '../../../../src/node/tendermint/open.ts';
import { orderOf } from '../../../../src/node/tendermint/order.ts';
import { tendermintParams } from '../../../../src/node/tendermint/params.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { createCometChain } from '../../../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../../../src/testing/cometbft/node.ts';
import { listenCometNode } from '../../../../src/testing/cometbft/server.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const RULES = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod', feeDenom: 'uiris' } as const;
const COINS = coinsOf(
  [
    {
      ...{ coin: 'IRIS', avg_blocktime: 5 },
      protocol: {
        type: 'TENDERMINT',
        protocol_data: { decimals: 6, denom: 'uiris', account_prefix: 'iaa', chain_id: 'irishub-1' },
      },
    },
  ],
  'coins',
);

function orderFor(urls: readonly string[]) {
  const asked = { ticker: 'IRIS', nodes: urls.map((url) => ({ url })), tokens_params: [] };
  const params = tendermintParams.specification.parse(asked);
  return orderOf({ params, coins: COINS, isActive: () => false, compatibility: 'specification' });
}

it('gives each host one voice, whose addresses are tried in their order, and each once', () => {
  const [one, two, other] = ['https://node.example/a', 'wss://node.example/b?key=1', 'https://other.example'];
  expect(orderFor([one, other, two, one]).voices).toEqual([
    { name: 'node.example', urls: [one, two] },
    { name: 'other.example', urls: [other] },
  ]);
});

it('reaches a node by another of its addresses where one of them is silent', async () => {
  const chain = createCometChain({
    ...{ ...RULES, gasPrice: '0.1' as DecimalText, startTime: 1_700_000_000 as UnixSeconds, blockTime: 5 },
  });
  const listening = await listenCometNode(createCometNode(chain), { sockets: false });
  onTestFinished(() => listening.close());
  const { port } = new URL(listening.url);
  const urls = [`ws://127.0.0.1:${port}/websocket`, `http://localhost:${port}`, listening.url];
  const opened = openTendermint(
    {
      ...{ clock: virtualClock(), poll: 5, adapter: await tendermintAdapter() },
      signer: walletOfPassphrase(new Secret('of this test')),
      ...{ confirmationsOf: () => 1, isWalletOnly: () => false },
    },
    orderFor(urls),
  );
  expect(orderFor(urls).voices.length).toBe(1);
  expect(await opened.block()).toBe(chain.tip().height);
  const [coin] = opened.coins;
  expect(await coin?.balances()).toEqual({ ok: true, value: { spendable: '0', unspendable: '0' } });
  coin?.close();
  await expect(opened.block()).rejects.toThrow('no node answers');
});
