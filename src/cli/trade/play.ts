import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../primitives/json.ts';
import { countPayments, heightOf, startChains, startLitecoins } from './chains.ts';
import { Noticeboard } from './noticeboard.ts';
import { createParty, type Party } from './party.ts';
import { Cast } from './processes.ts';
import type { Scene } from './scene.ts';
import type { PlayChain, Staging } from './stage.ts';

export type PlayOptions = {
  /** Called with everything that happens, in its order. */
  readonly show: (scene: Scene) => void;
  /** Resolves when the play is to end at once. */
  readonly ended: Promise<void>;
  /** The program of Litecoin Core, to play on two chains of it. @defaultValue two chains of this package */
  readonly litecoin?: string;
};

/** What alice asks for one RED, and how many bob buys. */
const PRICE = '2.5';
const OFFERED = '4';
const BOUGHT = '1.2';
const FUNDS: Readonly<Record<string, readonly string[]>> = { RED: ['3.1', '2.9', '4.7'], BLU: ['5.3', '6.1', '0.9'] };
const BLOCK_MS: Readonly<Record<string, number>> = { RED: 1000, BLU: 1300 };
/** How long the taker's node is away. */
const AWAY_MS = 2000;
/** Blocks after which a claim is final. */
const DEPTH = 3;

type Stage = Staging & { readonly show: PlayOptions['show'] };
type Play = Stage & {
  readonly red: PlayChain;
  readonly blu: PlayChain;
  readonly alice: Party;
  readonly bob: Party;
  readonly board: Noticeboard;
  /** Port of the Electrum server over BLU. */
  readonly electrum: number;
};

/**
 * Two trading nodes swap over a network, on two chains; each is a process, and everything is asked of them over HTTP. In the middle of it the
 * taker's node is killed and started again.
 *
 * @returns whether all went as it should
 * @throws TradeError
 */
export async function play({ show, ended, litecoin }: PlayOptions): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-trade-'));
  const cast = new Cast();
  const stage = { cast, folder, show };
  try {
    return await Promise.race([playOn(stage, litecoin), ended.then(() => false)]);
  } finally {
    await cast.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function playOn(stage: Stage, litecoin: string | undefined): Promise<boolean> {
  stage.show({ kind: 'act', title: 'Two chains and two trading nodes, each a process of its own' });
  const chains = litecoin === undefined ? await startChains(stage) : await startLitecoins(stage, litecoin);
  const staged = await setStage(stage, chains);
  const over = new AbortController();
  for (const chain of chains) void mineOn(chain, over.signal);
  try {
    return await perform(staged);
  } finally {
    over.abort();
  }
}

async function setStage(stage: Stage, chains: readonly [PlayChain, PlayChain]): Promise<Play> {
  const [red, blu] = chains;
  const { cast, folder, show } = stage;
  const server = await cast.start(['electrum', '--conf', blu.conf, '--port', '0', '--poll', '200']);
  const board = new Noticeboard(show);
  const party = (name: string, network: JsonObject) =>
    createParty({ cast, folder, name, chains, network, onTold: board.take });
  const netid = 9000 + Math.floor(Math.random() * 5000);
  const alice = await party('alice', { netid, i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' });
  const bob = await party('bob', { netid, seednodes: ['127.0.0.1'] });
  for (const { name, start } of [alice, bob]) {
    await start();
    show({ kind: 'line', who: name, text: 'node listens' });
  }
  return { ...stage, red, blu, alice, bob, board, electrum: Number(server.ready['tcp']) };
}

/** Blocks as time goes by, until the play is over. */
async function mineOn({ ticker, mine }: PlayChain, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await pause(BLOCK_MS[ticker], undefined, { signal });
      await mine();
    }
  } catch {
    // The play is over, or its end tells why not.
  }
}

async function perform(stage: Play): Promise<boolean> {
  const { red, blu, alice, bob, board, show } = stage;
  show({ kind: 'act', title: 'Both activate both coins: RED over its daemon, BLU over an Electrum server' });
  await fund(stage);
  const from = { RED: await heightOf(red), BLU: await heightOf(blu) };
  show({ kind: 'act', title: `Alice sets a price of ${PRICE} BLU for one RED; bob buys ${BOUGHT} RED` });
  await alice.call({ method: 'setprice', base: 'RED', rel: 'BLU', price: PRICE, volume: OFFERED });
  const bought = await bob.call({ method: 'buy', base: 'RED', rel: 'BLU', price: PRICE, volume: BOUGHT });
  const { uuid } = bought['result'] as { readonly uuid: string };
  if (!(await board.until('TakerPaymentSent', 'bob'))) return conclude(stage, { from, sound: false });
  await bob.kill();
  show({ kind: 'act', title: 'Killed: the node of bob, who has just paid (SIGKILL)' });
  await pause(AWAY_MS);
  await bob.start();
  show({ kind: 'act', title: 'The node of bob is started again, and goes on once its coins are active' });
  await activate(stage, bob);
  await board.until('Finished', 'alice', 'bob');
  show({ kind: 'act', title: 'Each asks its node what came of it' });
  const done = await Promise.all([alice, bob].map((party) => isSuccess(stage, { party, uuid })));
  const out = await takeOut(stage);
  return conclude(stage, { from, sound: out && done.every((one) => one) });
}

type Conclusion = { readonly from: Readonly<Record<'RED' | 'BLU', number>>; readonly sound: boolean };

/** Whatever the nodes say, each side has paid once. */
async function conclude({ red, blu, show }: Play, { from, sound: told }: Conclusion): Promise<boolean> {
  const payments = { RED: await countPayments(red, from.RED + 1), BLU: await countPayments(blu, from.BLU + 1) };
  const sound = told && payments.RED === 1 && payments.BLU === 1;
  show({ kind: 'end', sound, payments });
  return sound;
}

async function activate({ red, blu, electrum, show }: Play, party: Party): Promise<void> {
  const balances: Record<string, string> = {};
  const answers = [await party.activate(red, null), await party.activate(blu, electrum)];
  for (const { coin, balance } of answers) balances[String(coin)] = String(balance);
  show({ kind: 'balances', who: party.name, balances });
}

/** Alice has RED, and bob has BLU. */
async function fund(stage: Play): Promise<void> {
  const { red, blu, alice, bob } = stage;
  for (const party of [alice, bob]) await activate(stage, party);
  for (const [party, chain] of [[alice, red] as const, [bob, blu] as const]) {
    const { address } = await party.call({ method: 'my_balance', coin: chain.ticker });
    for (const amount of FUNDS[chain.ticker] ?? []) await chain.pay(String(address), amount);
    await chain.mine();
  }
  await showBalances(stage, [alice, bob]);
}

async function balancesOf(party: Party): Promise<Readonly<Record<string, string>>> {
  const balances: Record<string, string> = {};
  for (const coin of ['RED', 'BLU']) {
    const { balance } = await party.call({ method: 'my_balance', coin });
    balances[coin] = String(balance);
  }
  return balances;
}

async function showBalances({ show }: Play, parties: readonly Party[]): Promise<void> {
  for (const party of parties) show({ kind: 'balances', who: party.name, balances: await balancesOf(party) });
}

type Ended = { readonly party: Party; readonly uuid: string };

async function isSuccess({ show }: Play, { party, uuid }: Ended): Promise<boolean> {
  const { result } = await party.call({ method: 'my_swap_status', params: { uuid } });
  const { is_finished, is_success, type } = result as JsonObject;
  const text = `${String(type)} of swap ${uuid}: ${is_success === true ? 'success' : 'no success'}`;
  show({ kind: 'line', who: party.name, text });
  return is_finished === true && is_success === true;
}

/** Bob sends what he bought to the address of alice. */
async function takeOut(stage: Play): Promise<boolean> {
  const { alice, bob, show, red } = stage;
  await showBalances(stage, [alice, bob]);
  const { address } = await alice.call({ method: 'my_balance', coin: 'RED' });
  const signed = await bob.call({ method: 'withdraw', coin: 'RED', to: String(address), max: true });
  const { tx_hex, total_amount } = signed as { readonly tx_hex: string; readonly total_amount: string };
  const { tx_hash } = await bob.call({ method: 'send_raw_transaction', coin: 'RED', tx_hex });
  show({ kind: 'line', who: 'bob', text: `sends ${total_amount} RED away, in ${String(tx_hash).slice(0, 12)}` });
  const until = (await heightOf(red)) + DEPTH;
  while ((await heightOf(red)) < until) await pause(BLOCK_MS['RED']);
  const { balance } = await bob.call({ method: 'my_balance', coin: 'RED' });
  show({ kind: 'line', who: 'bob', text: `has ${String(balance)} RED left` });
  return balance === '0';
}
