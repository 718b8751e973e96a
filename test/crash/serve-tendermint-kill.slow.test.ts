import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tendermintAccount, tendermintAddress } from '../../src/htlc/tendermint-address.ts';
import { decodeTendermintTransaction } from '../../src/htlc/tendermint-transaction.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type CometChain, createCometChain } from '../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../src/testing/cometbft/node.ts';
import { type ListeningNode, listenCometNode } from '../../src/testing/cometbft/server.ts';
import { type HoldingProxy, holdingProxy } from '../support/evm/holding-proxy.ts';
import {
  freeNetid,
  passphraseOf,
  type ServedChain,
  type Serving,
  servedChain,
  serving,
  servingFolder,
  until,
} from '../support/serving.ts';

// Processes of `swapfold serve` are killed with SIGKILL while coins of a Tendermint chain are activated, and while they are swapped. Both chains go on meanwhile.
// With `SWAPFOLD_CRASH=all` in each status, and in swaps of both directions.

const DENOM = 'unyan';
const BLOCK_TIME = 1;
const HAS = 9_000_000n;
const info = { decimals: 6, denom: DENOM, account_prefix: 'iaa', chain_id: 'nyancat-9' };
const NYAN = {
  ...{ coin: 'NYAN', mm2: 1, avg_blocktime: BLOCK_TIME, required_confirmations: 1 },
  protocol: { type: 'TENDERMINT', protocol_data: info },
};
const ALL = process.env['SWAPFOLD_CRASH'] === 'all';
const BALANCES = '/cosmos.bank.v1beta1.Query/Balance';

const folder = servingFolder();
const running = new Set<Serving>();
let comet: CometChain;
let listening: ListeningNode;
let proxy: HoldingProxy;
let chain: ServedChain;
let netid = 0;
let mining: NodeJS.Timeout;

beforeAll(async () => {
  netid = await freeNetid();
  const rules = { chainId: info.chain_id, prefix: 'iaa', module: 'irismod', feeDenom: DENOM } as const;
  const startTime = (Math.floor(Date.now() / 1000) - 60) as UnixSeconds;
  comet = createCometChain({ ...rules, gasPrice: '0.2' as DecimalText, startTime, blockTime: BLOCK_TIME });
  for (const name of ['maker', 'taker']) comet.fund(await addressOf(name), [{ denom: DENOM, amount: HAS }]);
  mining = setInterval(() => comet.mine(), BLOCK_TIME * 1000);
  listening = await listenCometNode(createCometNode(comet), { sockets: false });
  proxy = await holdingProxy(listening.url);
  chain = await servedChain(folder, { coin: 'MAK', passphrase: passphraseOf('maker'), mineEveryMs: 700 });
}, 120_000);
afterAll(async () => {
  for (const node of running) await node.kill();
  clearInterval(mining);
  proxy?.close();
  await listening?.close();
  await chain?.close();
});

async function addressOf(name: string): Promise<string> {
  const { coins } = await walletOfPassphrase(new Secret(passphraseOf(name)));
  return tendermintAddress('iaa', tendermintAccount(coins.key) ?? '');
}

async function start(name: string, config: object): Promise<Serving> {
  const node = await serving(folder, { name, coins: [NYAN, chain.entry], config: { netid, ...config } });
  running.add(node);
  return node;
}

async function kill(node: Serving): Promise<void> {
  await node.kill();
  running.delete(node);
}

const v2 = async (node: Serving, method: string, params: object) =>
  (await node.call({ mmrpc: '2.0', method, params })) as JsonObject & { readonly result?: JsonObject };
const asked = () => ({ ticker: 'NYAN', tokens_params: [], nodes: [{ url: proxy.url }] });

/** Coins of a Tendermint chain come back by themselves. */
async function active(node: Serving, ...tickers: readonly string[]): Promise<true> {
  return until(async () => {
    const { result } = await node.call({ method: 'get_enabled_coins' });
    const found = ((result ?? []) as readonly { readonly ticker: string }[]).map(({ ticker }) => ticker);
    return tickers.every((ticker) => found.includes(ticker)) ? true : null;
  });
}

describe('swapfold serve that is killed while it activates a coin of a Tendermint chain', () => {
  const ALONE = { disable_p2p: true };

  const PLACES: readonly (readonly [status: string, held: readonly string[] | undefined])[] = [
    ['RequestingWalletBalance', [BALANCES]],
    ['ActivatingCoin', undefined],
  ];

  it.each(ALL ? PLACES : PLACES.slice(0, 1))(
    'as a task in %s restarts, and the task goes on',
    async (status, held) => {
      const first = await start('taker', ALONE);
      proxy.hold(held);
      const { result } = await v2(first, 'task::enable_tendermint::init', asked());
      const task_id = Number(result?.['task_id']);
      const told = async (node: Serving): Promise<JsonObject> => {
        const params = { task_id, forget_if_finished: false };
        return (await v2(node, 'task::enable_tendermint::status', params)).result ?? {};
      };
      await until(async () => ((await told(first))['details'] === status ? true : null));
      await proxy.held();
      expect((await told(first))['details']).toBe(status);
      await kill(first);
      proxy.letGo();
      const second = await start('taker', ALONE);
      const ended = await until(async () => {
        const now = await told(second);
        return now['status'] === 'InProgress' ? null : now;
      });
      expect(ended).toMatchObject({ status: 'Ok', details: { ticker: 'NYAN', address: await addressOf('taker') } });
      expect(await v2(second, 'enable_tendermint_with_assets', asked())).toMatchObject({
        error_type: 'PlatformIsAlreadyActivated',
      });
      await kill(second);
      const third = await start('taker', ALONE);
      await active(third, 'NYAN');
      expect(await third.call({ method: 'disable_coin', coin: 'NYAN' })).toHaveProperty('result');
      expect(await third.stop()).toBe(0);
      running.delete(third);
    },
    120_000,
  );
});

describe('swapfold serve that is killed while it swaps a coin of a Tendermint chain', () => {
  type Side = 'maker' | 'taker';
  const nodes = new Map<Side, Serving>();
  const CONFIG = {
    maker: { i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' },
    taker: { seednodes: ['127.0.0.1'] },
  };
  const nodeOf = (side: Side) => nodes.get(side) as Serving;

  type Told = {
    readonly is_finished: boolean;
    readonly is_success: boolean;
    readonly events: readonly { readonly event: { readonly type: string } }[];
  };
  const swapOf = async (side: Side, uuid: string): Promise<Told | null> =>
    ((await nodeOf(side).call({ method: 'my_swap_status', params: { uuid } }))['result'] ?? null) as Told | null;

  /** Kills a side as soon as it is told to have the event, perhaps some steps further on, and starts it again. */
  async function killAt(side: Side, uuid: string, type: string): Promise<void> {
    await until(async () => {
      const swap = await swapOf(side, uuid);
      return swap?.events.some(({ event }) => event.type === type) === true ? true : null;
    });
    await kill(nodeOf(side));
    const node = await start(side, CONFIG[side]);
    nodes.set(side, node);
    await node.call({ method: 'enable', coin: 'MAK' });
    await active(node, 'NYAN', 'MAK');
  }

  /** What the transactions of an account that a block holds do, failed ones too. */
  const doneBy = (address: string): readonly string[] =>
    comet.blocks().flatMap(({ transactions }) =>
      transactions.flatMap(({ bytes, result }) => {
        const { messages = [], signer = '' } = readOf(bytes);
        const kinds = messages.map(({ kind }) => (result.code === 0 ? kind : `${kind} failed`));
        return signer === address ? kinds : [];
      }),
    );

  function readOf(bytes: Uint8Array) {
    const made = decodeTendermintTransaction(bytes);
    if (made === undefined) return {};
    return { messages: made.messages, signer: tendermintAddress('iaa', tendermintAccount(made.key) ?? '') };
  }

  type Kill = readonly [side: Side, event: string];
  type Course = readonly [gives: Side, kills: readonly Kill[], books: Readonly<Record<Side, readonly string[]>>];
  const COURSES: readonly Course[] = [
    [
      'taker',
      [
        ['taker', 'TakerFeeSent'],
        ['taker', 'TakerPaymentSent'],
      ],
      { taker: ['send', 'create'], maker: ['claim'] },
    ],
    [
      'taker',
      [
        ['maker', 'MakerPaymentSent'],
        ['maker', 'TakerPaymentReceived'],
      ],
      { taker: ['send', 'create'], maker: ['claim'] },
    ],
    [
      'maker',
      [
        ['maker', 'MakerPaymentSent'],
        ['taker', 'MakerPaymentReceived'],
        ['taker', 'TakerPaymentSpent'],
      ],
      { taker: ['claim'], maker: ['create'] },
    ],
  ];

  it.each(ALL ? COURSES : COURSES.slice(0, 1))(
    'that the %s gives, at some of its events: one payment, one fee, no sequence twice',
    async (gives, kills, books) => {
      for (const side of ['maker', 'taker'] as const) {
        const node = await start(side, CONFIG[side]);
        nodes.set(side, node);
        // What was in use before comes back by itself.
        await v2(node, 'enable_tendermint_with_assets', asked());
        await node.call({ method: 'enable', coin: 'MAK' });
        await active(node, 'NYAN', 'MAK');
      }
      const addresses = { maker: await addressOf('maker'), taker: await addressOf('taker') };
      const before = { maker: doneBy(addresses.maker).length, taker: doneBy(addresses.taker).length };
      // The taker has what the first of them brought it.
      const [base, rel, volume] = gives === 'taker' ? ['MAK', 'NYAN', '0.8'] : ['NYAN', 'MAK', '0.3'];
      await nodeOf('maker').call({ method: 'setprice', base, rel, price: '1.25', volume: '1' });
      const bought = await until(async () => {
        const { result } = await nodeOf('taker').call({ method: 'buy', base, rel, price: '1.5', volume });
        return (result ?? null) as { readonly uuid: string } | null;
      });
      const { uuid } = bought;
      for (const [side, type] of kills) await killAt(side, uuid, type);
      for (const side of ['maker', 'taker'] as const) {
        const swap = await until(async () => {
          const told = await swapOf(side, uuid);
          return told?.is_finished === true ? told : null;
        });
        expect(swap.is_success).toBe(true);
      }
      await pause(2 * BLOCK_TIME * 1000);
      for (const side of ['maker', 'taker'] as const)
        expect(doneBy(addresses[side]).slice(before[side])).toEqual(books[side]);
      expect(comet.waiting()).toEqual([]);
      for (const side of ['maker', 'taker'] as const) {
        expect(await nodeOf(side).stop()).toBe(0);
        running.delete(nodeOf(side));
      }
    },
    240_000,
  );
});
