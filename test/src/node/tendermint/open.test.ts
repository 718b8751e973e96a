import { expect, it, onTestFinished } from 'vitest';
import { tendermintAccount, tendermintAddress } from '../../../../src/htlc/tendermint-address.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { tendermintAdapter } from '../../../../src/node/tendermint/adapter-module.ts';
import { TendermintHomes } from '../../../../src/node/tendermint/homes.ts';
import { watchingSigner } from '../../../../src/node/tendermint/key-elsewhere.ts';
import { openTendermint } from '../../../../src/node/tendermint/open.ts';
import { orderOf } from '../../../../src/node/tendermint/order.ts';
import { tendermintParams } from '../../../../src/node/tendermint/params.ts';
import type { Logger } from '../../../../src/ports/logger.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
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

function orderFor(urls: readonly string[], more: object = {}) {
  const asked = { ticker: 'IRIS', nodes: urls.map((url) => ({ url })), tokens_params: [], ...more };
  const params = tendermintParams.specification.parse(asked);
  return orderOf({ params, coins: COINS, isKept: () => false, passive: false, compatibility: 'specification' });
}

const QUIET = { info() {}, warn() {}, error() {} };

async function partsOf(logger: Logger = QUIET) {
  const clock = virtualClock();
  return {
    ...{ clock, poll: 5, adapter: await tendermintAdapter() },
    ...{ homes: new TendermintHomes(clock, logger), keyPlace: 'here' as const },
    signer: walletOfPassphrase(new Secret('of this test')),
    ...{ confirmationsOf: () => 1, isWalletOnly: () => false },
  };
}

it('gives each host one voice, whose addresses are tried in their order, and each once', () => {
  const [one, two, other] = ['https://node.example/a', 'wss://node.example/b?key=1', 'https://other.example'];
  expect(orderFor([one, other, two, one]).voices).toEqual([
    { name: 'node.example', urls: [one, two] },
    { name: 'other.example', urls: [other] },
  ]);
});

it('makes coins of an external account wallet-only, which sign nothing', async () => {
  const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  const pubkey = { type: 'secp256k1', value: [...key] };
  const order = orderFor(['http://127.0.0.1:1'], {
    activation_params: { type: 'WithPubkey', params: { pubkey, is_ledger_connection: true } },
  });
  const { coins } = openTendermint({ ...(await partsOf()), signer: watchingSigner(key), keyPlace: 'watched' }, order);
  const [coin] = coins;
  expect([coin?.walletOnly, coin?.address]).toEqual([true, tendermintAddress('iaa', tendermintAccount(key) ?? '')]);
  const to = coin?.address ?? '';
  const refusal = await coin?.wallet.withdraw({ to, amount: '1' as DecimalText, fee: null });
  expect(refusal).toMatchObject({
    ok: false,
    refusal: { text: 'the key of IRIS is held elsewhere: sign there, and send the bytes with send_raw_transaction' },
  });
  coin?.close();
});

it('reaches a node by another of its addresses if one of them is silent', async () => {
  const chain = createCometChain({
    ...{ ...RULES, gasPrice: '0.1' as DecimalText, startTime: 1_700_000_000 as UnixSeconds, blockTime: 5 },
  });
  const listening = await listenCometNode(createCometNode(chain), { sockets: false });
  onTestFinished(() => listening.close());
  const { port } = new URL(listening.url);
  const urls = [`ws://127.0.0.1:${port}/websocket`, `http://localhost:${port}`, listening.url];
  const lines: unknown[] = [];
  const warn = (message: string, fields: object): void => void lines.push([message, fields]);
  const logger = { info() {}, warn, error() {} };
  const opened = openTendermint(await partsOf(logger), orderFor(urls));
  expect(orderFor(urls).voices.length).toBe(1);
  expect(await opened.block()).toBe(chain.tip().height);
  const [coin] = opened.coins;
  expect(await coin?.balances()).toEqual({ ok: true, value: { spendable: '0', unspendable: '0' } });
  coin?.close();
  opened.leave();
  await expect(opened.block()).rejects.toThrow('no node answers');
  // Who lets go of his nodes says nothing about them.
  expect(lines).toEqual([]);
});
