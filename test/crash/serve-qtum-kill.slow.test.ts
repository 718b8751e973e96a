import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DaemonClient } from '../../src/chains/utxo/daemon/client.ts';
import { qtumAccount } from '../../src/htlc/index.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/clock-system.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { describeWith } from '../support/optional-part.ts';
import { tokenOf } from '../support/qtum/adapter-chain.ts';
import { QTUM_BLOCK_TIME, QTUM_MATURITY, QtumTestChain } from '../support/qtum/chain.ts';
import { callsIn, scriptSwapsIn } from '../support/qtum/swap-books.ts';
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

// Processes of `swapfold serve` are killed with SIGKILL while they swap a QRC20 token over an Electrum server. Both chains go on meanwhile, and what they hold is judged by
// their blocks. With `SWAPFOLD_CRASH=all` at every event of a side and while a broadcast is under way, in swaps of both directions.

type Side = 'maker' | 'taker';
const SIDES = ['maker', 'taker'] as const;
const ALL = process.env['SWAPFOLD_CRASH'] === 'all';
const HAS = 9_000_000n;
const WALLET = { pubtype: 120, p2shtype: 110, txfee: 400_000, mm2: 1, mature_confirmations: QTUM_MATURITY };
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const CONFIG = {
  maker: { i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' },
  taker: { seednodes: ['127.0.0.1'] },
};
const now = () => Math.floor(Date.now() / 1000);

describeWith(ANVIL, 'swapfold serve that is killed while it swaps a QRC20 token', () => {
  const folder = servingFolder();
  const nodes = new Map<Side, Serving>();
  const accounts = new Map<Side, string>();
  const line = holdingClient();
  let qtum: QtumTestChain;
  let token: string;
  let server: ElectrumServer;
  let other: ServedChain;
  let coins: readonly JsonObject[];
  let netid = 0;
  let mining: NodeJS.Timeout;

  beforeAll(async () => {
    netid = await freeNetid();
    qtum = await QtumTestChain.start(now() - 60 * QTUM_BLOCK_TIME);
    ({ token } = await tokenOf(qtum, {}));
    for (const side of SIDES) {
      const wallet = await walletOfPassphrase(new Secret(passphraseOf(side)));
      const account = qtumAccount(wallet.coins.key);
      accounts.set(side, account);
      // So many coins that a second payment would find its own.
      await qtum.fund(wallet.coins.key, { count: 30, value: 200_000_000n });
      await qtum.machine.apart(() => qtum.machine.evm.mint(token, account, HAS));
    }
    await mine();
    mining = setInterval(() => void mine(), 1000);
    line.to = qtum.client;
    const client: DaemonClient = { batch: (calls) => line.batch(calls) };
    server = await openElectrumServer({ client, clock: systemClock(), logger: QUIET, software: 'a test', tcp: 0 });
    other = await servedChain(folder, { coin: 'MAK', passphrase: passphraseOf('maker'), mineEveryMs: 700 });
    const protocol_data = { platform: 'QTUM', contract_address: `0x${token}` };
    coins = [
      other.entry,
      { coin: 'QTUM', ...WALLET, dust: 72_800, required_confirmations: 1, protocol: { type: 'QTUM' } },
      { coin: 'QTOK', ...WALLET, required_confirmations: 2, protocol: { type: 'QRC20', protocol_data } },
    ];
  }, 120_000);
  afterAll(async () => {
    for (const node of nodes.values()) await node.kill();
    clearInterval(mining);
    await server?.close();
    await qtum?.close();
    await other?.close();
  });

  /** A block with the time of the host. */
  async function mine(): Promise<void> {
    qtum.now = now() - QTUM_BLOCK_TIME;
    await qtum.mine();
  }

  const nodeOf = (side: Side) => nodes.get(side) as Serving;
  const accountOf = (side: Side) => accounts.get(side) as string;

  /** What was activated by `electrum` and `enable` waits for its request again. */
  async function start(side: Side): Promise<void> {
    const node = await serving(folder, { name: side, coins, config: { netid, ...CONFIG[side] } });
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

  async function killAndStart(side: Side): Promise<void> {
    await nodeOf(side).kill();
    line.letGo();
    await start(side);
  }

  type Told = {
    readonly is_finished: boolean;
    readonly is_success: boolean;
    readonly events: readonly { readonly event: { readonly type: string } }[];
  };
  const swapOf = async (side: Side, uuid: string): Promise<Told | null> =>
    ((await nodeOf(side).call({ method: 'my_swap_status', params: { uuid } }))['result'] ?? null) as Told | null;

  const hasEvent = (side: Side, { uuid, type }: { readonly uuid: string; readonly type: string }) =>
    until(async () => {
      const swap = await swapOf(side, uuid);
      return swap?.events.some(({ event }) => event.type === type) === true ? true : null;
    });

  /** Kills a side as soon as it is told to have the event, perhaps some steps further on. */
  const atEvent = (side: Side, type: string) => async (uuid: string) => {
    await hasEvent(side, { uuid, type });
    await killAndStart(side);
  };

  /** Kills a side whenever it is told to have another event than before. */
  const atEveryEvent = (side: Side) => async (uuid: string) => {
    for (let had = 0, over = false; !over; ) {
      const swap = await until(async () => {
        const told = await swapOf(side, uuid);
        return told !== null && told.events.length > had ? told : null;
      });
      had = swap.events.length;
      over = swap.is_finished;
      await killAndStart(side);
    }
  };

  /**
   * Kills a side while the first thing that anybody sends from now on, or from an event on, is on its way to the chain, where it arrives. That must be a thing of
   * this side.
   */
  const inBroadcast = (side: Side, type?: string) => async (uuid: string) => {
    if (type !== undefined) await hasEvent(side, { uuid, type });
    line.hold();
    await line.held();
    await killAndStart(side);
  };

  type Kill = (uuid: string) => Promise<void>;
  const COURSES: readonly (readonly [name: string, gives: Side, kills: readonly Kill[]])[] = [
    [
      'the payment is on its way, and the maker was paid',
      'taker',
      [inBroadcast('taker', 'TakerFeeSent'), atEvent('maker', 'TakerPaymentReceived')],
    ],
    ['the fee is on its way', 'taker', [inBroadcast('taker')]],
    ['every event of the taker', 'taker', [atEveryEvent('taker')]],
    ['every event of the maker', 'taker', [atEveryEvent('maker')]],
    ['the payment is on its way', 'maker', [inBroadcast('maker')]],
    ['every event of the taker', 'maker', [atEveryEvent('taker')]],
    ['every event of the maker', 'maker', [atEveryEvent('maker')]],
  ];

  /** What each account does on the chain of the token, the swaps of scripts on the other chain, and base units of the token that each side gains. */
  const BOOKS = {
    // A fee is one part of 777.
    taker: {
      maker: ['claim'],
      taker: ['fee', 'pay'],
      scripts: ['pay', 'end'],
      gains: [1_000_000n, -1_000_000n - 1287n],
    },
    maker: { maker: ['pay'], taker: ['claim'], scripts: ['fee', 'pay', 'end'], gains: [-300_000n, 300_000n] },
  };

  const books = async () => ({
    maker: callsIn(qtum, accountOf('maker')),
    taker: callsIn(qtum, accountOf('taker')),
    scripts: scriptSwapsIn(other.blocks()),
    tokens: await Promise.all(SIDES.map((side) => qtum.machine.evm.tokensOf(token, accountOf(side)))),
  });

  it.each(ALL ? COURSES : COURSES.slice(0, 1))(
    '%s, the %s gives the token: one payment, one fee, and each gets what was agreed on',
    async (_, gives, kills) => {
      for (const side of SIDES) await start(side);
      const before = await books();
      // The taker has of the other coin what the first of them brought it.
      const [base, rel, volume] = gives === 'taker' ? ['MAK', 'QTOK', '0.8'] : ['QTOK', 'MAK', '0.3'];
      await nodeOf('maker').call({ method: 'setprice', base, rel, price: '1.25', volume: '1' });
      const { uuid } = await until(async () => {
        const { result } = await nodeOf('taker').call({ method: 'buy', base, rel, price: '1.5', volume });
        return (result ?? null) as { readonly uuid: string } | null;
      });
      for (const kill of kills) await kill(uuid);
      for (const side of SIDES) {
        const swap = await until(async () => {
          const told = await swapOf(side, uuid);
          return told?.is_finished === true ? told : null;
        });
        expect(swap.is_success, `${side}: ${JSON.stringify(swap.events.map(({ event }) => event.type))}`).toBe(true);
      }
      // Whatever was sent besides is in a block by now.
      const heights = () => [qtum.height, other.blocks().length];
      const ended = heights();
      await until(async () =>
        heights().every((height, place) => height >= (ended[place] as number) + 3) ? true : null,
      );
      const after = await books();
      expect({
        maker: after.maker.slice(before.maker.length),
        taker: after.taker.slice(before.taker.length),
        scripts: after.scripts.slice(before.scripts.length),
        gains: after.tokens.map((units, place) => units - (before.tokens[place] as bigint)),
      }).toEqual(BOOKS[gives]);
      expect(await qtum.machine.evm.tokensOf(token, qtum.swapContract)).toBe(0n);
      expect(await Promise.all(SIDES.map((side) => nodeOf(side).stop()))).toEqual([0, 0]);
      nodes.clear();
    },
    480_000,
  );
});

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
