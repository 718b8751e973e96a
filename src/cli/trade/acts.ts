import { setTimeout as pause } from 'node:timers/promises';
import { BigNumber } from 'bignumber.js';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { JsonObject } from '../../primitives/json.ts';
import type { Party } from './party.ts';
import type { Play } from './setting.ts';
import { BOUGHT, FUNDS, OFFERED, type PlayChain, PRICE, TICKERS } from './stage.ts';

/** What plays have in common. */
export type Agreed = {
  readonly uuid: string;
  /** Heights of the chains before. */
  readonly from: Readonly<Record<'RED' | 'BLU', number>>;
};

/** Alice gets RED and bob BLU; both activate both coins, and agree on a swap by their orders. */
export async function agree(stage: Play): Promise<Agreed> {
  const { red, blu, alice, bob, show } = stage;
  const ways = [red, blu].map(({ ticker, way }) => `${ticker} ${way}`);
  show({ kind: 'act', title: `Both activate both coins: ${ways.join(', ')}` });
  await fund(stage);
  const from = { RED: await red.height(), BLU: await blu.height() };
  show({ kind: 'act', title: `Alice sets a price of ${PRICE} BLU for one RED; bob buys ${BOUGHT} RED` });
  await alice.call({ method: 'setprice', base: 'RED', rel: 'BLU', price: PRICE, volume: OFFERED });
  const bought = await bob.call({ method: 'buy', base: 'RED', rel: 'BLU', price: PRICE, volume: BOUGHT });
  const { uuid } = bought['result'] as { readonly uuid: string };
  return { uuid, from };
}

/** Activates both coins of a node. */
export async function activate({ red, blu, show }: Play, party: Party): Promise<void> {
  for (const chain of [red, blu]) await chain.activate(party.call);
  show({ kind: 'balances', who: party.name, balances: await balancesOf(party) });
}

const SOON_MS = 100;

async function fund(stage: Play): Promise<void> {
  const { red, blu, alice, bob } = stage;
  for (const party of [alice, bob]) await activate(stage, party);
  for (const [party, chain] of [[alice, red] as const, [bob, blu] as const]) {
    const due = FUNDS[chain.ticker] ?? [];
    await pay(party, chain, due);
    const other = chain === red ? blu : red;
    if (other.gas !== null) await pay(party, other, [other.gas]);
  }
  // A balance counts what waits for a block, and nobody can give that to a swap.
  for (const chain of [red, blu]) {
    const height = await chain.height();
    while ((await chain.told()) < height) await pause(SOON_MS);
  }
  await showBalances(stage, [alice, bob]);
}

async function pay(party: Party, chain: PlayChain, due: readonly string[]): Promise<void> {
  const { address } = await party.call({ method: 'my_balance', coin: chain.ticker });
  for (const amount of due) await chain.pay(String(address), amount);
  await chain.mine();
  while (await hasLost(party, { coin: chain.ticker, due, most: '0' })) await pause(SOON_MS);
}

type Balances = Readonly<Record<string, string>>;

export async function balancesOf(party: Party): Promise<Balances> {
  const balances: Record<string, string> = {};
  for (const coin of TICKERS) {
    const { balance } = await party.call({ method: 'my_balance', coin });
    balances[coin] = String(balance);
  }
  return balances;
}

export async function showBalances({ show }: Pick<Play, 'show'>, parties: readonly Party[]): Promise<void> {
  for (const party of parties) show({ kind: 'balances', who: party.name, balances: await balancesOf(party) });
}

export type Loss = {
  readonly coin: string;
  /** What it should have: the sum of these. */
  readonly due: readonly string[];
  readonly most: string;
};

/** Whether a party has less of a coin than it should, by more than `most`. */
export async function hasLost(party: Party, { coin, due, most }: Loss): Promise<boolean> {
  const { [coin]: left = '0' } = await balancesOf(party);
  return sum(due)
    .minus(sum([left]))
    .gt(sum([most]));
}

function sum(amounts: readonly string[]): BigNumber {
  return BigNumber.sum(0, ...amounts.map((amount) => toBigNumber(amount as DecimalText)));
}

/** What a node is to say of the swap: whether it went well, and an event of it. */
export type Ending = { readonly success: boolean; readonly has?: string };

/** Asks both nodes how the swap ended. @returns whether it did as it should */
export async function eachSays(
  { alice, bob, show }: Play,
  { uuid }: Pick<Agreed, 'uuid'>,
  ends: Readonly<Record<'alice' | 'bob', Ending>>,
): Promise<boolean> {
  show({ kind: 'act', title: 'Each asks its node what came of it' });
  let sound = true;
  for (const [party, { success, has }] of [[alice, ends.alice] as const, [bob, ends.bob] as const]) {
    const { result } = await party.call({ method: 'my_swap_status', params: { uuid } });
    const { is_finished, is_success, type, events } = result as JsonObject;
    const names = (events as readonly { readonly event: { readonly type: string } }[]).map(({ event }) => event.type);
    const text = `${String(type)} of swap ${uuid}: ${is_success === true ? 'success' : 'no success'}`;
    show({ kind: 'line', who: party.name, text: has === undefined ? text : `${text}, ${has}` });
    sound &&= is_finished === true && is_success === success && (has === undefined || names.includes(has));
  }
  return sound;
}

type Conclusion = Agreed & { readonly sound: boolean };

/** Whatever the nodes say, each side has paid once. */
export async function conclude({ red, blu, show }: Play, { from, sound: told }: Conclusion): Promise<boolean> {
  const payments = { RED: await red.payments(from.RED + 1), BLU: await blu.payments(from.BLU + 1) };
  const sound = told && payments.RED === 1 && payments.BLU === 1;
  show({ kind: 'end', sound, payments });
  return sound;
}
