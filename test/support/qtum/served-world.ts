import { expect } from 'vitest';
import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { qtumAccount } from '../../../src/htlc/index.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { openElectrumServer } from '../../../src/rpc/electrum/server.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';
import { freeNetid, passphraseOf, type Serving, servedChain, serving, servingFolder, until } from '../serving.ts';
import { tokenOf } from './adapter-chain.ts';
import { QTUM_BLOCK_TIME, QTUM_MATURITY, QtumTestChain } from './chain.ts';
import { callsIn, scriptSwapsIn } from './swap-books.ts';

export type Side = 'maker' | 'taker';
export const SIDES = ['maker', 'taker'] as const;
/** Base units of the token that each side has at first. */
const HAS = 9_000_000n;
const WALLET = { pubtype: 120, p2shtype: 110, txfee: 400_000, mm2: 1, mature_confirmations: QTUM_MATURITY };
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const CONFIG = {
  maker: { i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' },
  taker: { seednodes: ['127.0.0.1'] },
};
const now = () => Math.floor(Date.now() / 1000);

export type Told = {
  readonly is_finished: boolean;
  readonly is_success: boolean;
  readonly events: readonly { readonly event: { readonly type: string } }[];
};

/** What each account did on the chain of the token, the swaps of scripts on the other chain, and base units of the token of each side. */
export type Books = {
  readonly maker: readonly string[];
  readonly taker: readonly string[];
  readonly scripts: readonly string[];
  readonly tokens: readonly bigint[];
};

/** Of a wish for a swap: who gives the token, and how many base units of it the taker's request has. */
export type Wish = { readonly gives: Side; readonly volume: string };

export type WorldOptions = {
  /** What the configuration of both nodes has besides. */
  readonly config?: JsonObject;
  /** Who has coins of the other chain, MAK. @defaultValue the maker */
  readonly miner?: Side;
};

/**
 * Two processes of `swapfold serve` that swap a QRC20 token (QTOK), over an Electrum server, with a coin of an embedded chain (MAK). Both
 * chains go on while a process is gone.
 */
export async function servedQrc20World({ config = {}, miner = 'maker' }: WorldOptions = {}) {
  const folder = servingFolder();
  const nodes = new Map<Side, Serving>();
  const accounts = new Map<Side, string>();
  const line = holdingClient();
  const netid = await freeNetid();
  const qtum = await QtumTestChain.start(now() - 60 * QTUM_BLOCK_TIME);
  const { token } = await tokenOf(qtum, {});
  for (const side of SIDES) {
    const wallet = await walletOfPassphrase(new Secret(passphraseOf(side)));
    const account = qtumAccount(wallet.coins.key);
    accounts.set(side, account);
    // So many coins that a second payment would find its own.
    await qtum.fund(wallet.coins.key, { count: 30, value: 200_000_000n });
    await qtum.machine.apart(() => qtum.machine.evm.mint(token, account, HAS));
  }
  await mine();
  const mining = setInterval(() => void mine(), 1000);
  line.to = qtum.client;
  const client: DaemonClient = { batch: (calls) => line.batch(calls) };
  const server = await openElectrumServer({ client, clock: systemClock(), logger: QUIET, software: 'a test', tcp: 0 });
  const other = await servedChain(folder, { coin: 'MAK', passphrase: passphraseOf(miner), mineEveryMs: 700 });
  const protocol_data = { platform: 'QTUM', contract_address: `0x${token}` };
  const coins = [
    other.entry,
    { coin: 'QTUM', ...WALLET, dust: 72_800, required_confirmations: 1, protocol: { type: 'QTUM' } },
    { coin: 'QTOK', ...WALLET, required_confirmations: 2, protocol: { type: 'QRC20', protocol_data } },
  ];

  /** A block with the time of the host. */
  async function mine(): Promise<void> {
    qtum.now = now() - QTUM_BLOCK_TIME;
    await qtum.mine();
  }

  const nodeOf = (side: Side) => nodes.get(side) as Serving;
  const accountOf = (side: Side) => accounts.get(side) as string;

  /** What was activated by `electrum` and `enable` waits for its request again. */
  async function start(side: Side): Promise<void> {
    const node = await serving(folder, { name: side, coins, config: { netid, ...config, ...CONFIG[side] } });
    nodes.set(side, node);
    const servers = [{ url: `127.0.0.1:${server.tcpPort}` }];
    const swap_contract_address = `0x${qtum.swapContract}`;
    for (const request of [
      { method: 'electrum', coin: 'QTUM', servers },
      { method: 'electrum', coin: 'QTOK', servers, swap_contract_address },
      { method: 'enable', coin: 'MAK' },
    ])
      expect(await node.call(request)).toMatchObject({ result: 'success' });
  }

  const swapOf = async (side: Side, uuid: string): Promise<Told | null> =>
    ((await nodeOf(side).call({ method: 'my_swap_status', params: { uuid } }))['result'] ?? null) as Told | null;

  return {
    ...{ qtum, token, line, start, swapOf, nodeOf },
    /** SIGKILL. Whatever its broadcast waits for comes to pass. */
    async kill(side: Side): Promise<void> {
      await nodeOf(side).kill();
      nodes.delete(side);
      line.letGo();
    },
    /** Ends all processes as their owner does. @returns their exit codes */
    async stop(): Promise<readonly (number | null)[]> {
      const codes = await Promise.all([...nodes.values()].map((node) => node.stop()));
      nodes.clear();
      return codes;
    },
    hasEvent: (side: Side, { uuid, type }: { readonly uuid: string; readonly type: string }): Promise<true> =>
      until(async () => {
        const swap = await swapOf(side, uuid);
        return swap?.events.some(({ event }) => event.type === type) === true ? true : null;
      }),
    finished: (side: Side, uuid: string): Promise<Told> =>
      until(async () => {
        const told = await swapOf(side, uuid);
        return told?.is_finished === true ? told : null;
      }),
    /** An order of the maker, and a request of the taker that takes it. @returns the id of their swap */
    async begin({ gives, volume }: Wish): Promise<string> {
      const [base, rel] = gives === 'taker' ? ['MAK', 'QTOK'] : ['QTOK', 'MAK'];
      await nodeOf('maker').call({ method: 'setprice', base, rel, price: '1.25', volume: '1' });
      const { uuid } = await until(async () => {
        const { result } = await nodeOf('taker').call({ method: 'buy', base, rel, price: '1.5', volume });
        return (result ?? null) as { readonly uuid: string } | null;
      });
      return uuid;
    },
    /** Moves rewards of the miner to its own address, since none but coins of that pay trading fees. */
    async ownRewards(): Promise<void> {
      const call = (request: JsonObject) => nodeOf(miner).call({ coin: 'MAK', ...request });
      const { address } = await call({ method: 'my_balance' });
      const { tx_hex } = await call({ method: 'withdraw', to: address ?? '', amount: '10' });
      expect(await call({ method: 'send_raw_transaction', tx_hex: tx_hex ?? '' })).toHaveProperty('tx_hash');
      const sent = other.blocks().length;
      await until(async () => (other.blocks().length > sent + 1 ? true : null));
    },
    /** Until whatever was sent before is in a block. */
    async settle(): Promise<void> {
      const heights = () => [qtum.height, other.blocks().length];
      const ended = heights();
      await until(async () =>
        heights().every((height, place) => height >= (ended[place] as number) + 3) ? true : null,
      );
    },
    books: async (): Promise<Books> => ({
      maker: callsIn(qtum, accountOf('maker')),
      taker: callsIn(qtum, accountOf('taker')),
      scripts: scriptSwapsIn(other.blocks()),
      tokens: await Promise.all(SIDES.map((side) => qtum.machine.evm.tokensOf(token, accountOf(side)))),
    }),
    async close(): Promise<void> {
      for (const node of nodes.values()) await node.kill();
      clearInterval(mining);
      await server.close();
      await qtum.close();
      await other.close();
    },
  };
}

export type ServedQrc20World = Awaited<ReturnType<typeof servedQrc20World>>;

/** What came to pass between two looks at the books; `gains` are base units of the token, the maker's first. */
export function since(before: Books, after: Books) {
  return {
    maker: after.maker.slice(before.maker.length),
    taker: after.taker.slice(before.taker.length),
    scripts: after.scripts.slice(before.scripts.length),
    gains: after.tokens.map((units, place) => units - (before.tokens[place] as bigint)),
  };
}

/** A line to a node on which broadcasts wait when a test says so. */
function holdingClient() {
  let holds = false;
  const waiting: (() => void)[] = [];
  const onHeld: (() => void)[] = [];
  const line = {
    to: undefined as DaemonClient | undefined,
    async batch(calls: Parameters<DaemonClient['batch']>[0]): ReturnType<DaemonClient['batch']> {
      if (line.to === undefined) throw new Error('the line leads nowhere yet');
      if (holds && calls.some(([method]) => method === 'sendrawtransaction')) {
        const over = new Promise<void>((resolve) => waiting.push(resolve));
        for (const tell of onHeld.splice(0)) tell();
        await over;
      }
      return line.to.batch(calls);
    },
    hold() {
      holds = true;
    },
    held: (): Promise<void> =>
      waiting.length > 0 ? Promise.resolve() : new Promise((resolve) => onHeld.push(resolve)),
    letGo() {
      holds = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
  return line;
}
