import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { AppendBatch } from '../../../src/ports/event-log.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import {
  type Coin,
  createDealing,
  type Dealing,
  type DealingOptions,
  gained,
  type Order,
  paymentsOf,
  units,
  uuidOf,
} from '../../support/double-dealing.ts';
import { oneIn } from '../../support/draws.ts';

const SECRET = '5e'.repeat(32);
const EVER = { from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds };

/** The dealer starts an order with the one secret that it uses, and pays for the first alone. */
async function begin(dealing: Dealing, order: Order): Promise<void> {
  const dealer = dealing.dealerOf(order);
  const coin = order.maker_coin ?? 'DOC';
  if (order.order > 1) {
    dealer.wallets[coin].setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['payment'], ...EVER }]);
  }
  await Promise.all([
    dealer.runtime.startSwap(dealing.request('maker', order, SECRET)),
    dealing.node.runtime.startSwap(dealing.request('taker', order, null)),
  ]);
}

async function deal(orders: readonly Order[], options: Partial<DealingOptions> = {}): Promise<Dealing> {
  const dealing = createDealing({ honest: 'taker', ...options });
  for (const order of orders) await begin(dealing, order);
  return dealing;
}

const isOver = (dealing: Dealing, orders: readonly Order[]) => () =>
  orders.every(({ order }) => dealing.types(order).includes('Finished'));

const has = (type: string, { types }: Dealing, orders: readonly Order[]): readonly number[] =>
  orders.filter(({ order }) => types(order).includes(type)).map(({ order }) => order);

/** Where the taker got one payment it gave one, and one swap tells of it. */
function paysOnce(dealing: Dealing, orders: readonly Order[]): void {
  expect(gained(dealing, 'honest', 'DOC')).toBe(units('DOC', '1.5'));
  expect(has('MakerPaymentSpent', dealing, orders)).toHaveLength(1);
  expect(paid(dealing, orders)).toHaveLength(1);
}

function paid(dealing: Dealing, orders: readonly Order[]) {
  const coins = new Set<Coin>(orders.map(({ taker_coin = 'MARTY' }) => taker_coin));
  return [...coins].flatMap((coin) => paymentsOf(dealing, 'honest', coin));
}

const errorOf = async ({ node }: Dealing, order: number, type: string): Promise<string | undefined> => {
  const records = await node.log.read(`taker-swap/${uuidOf(order)}`);
  return (records.find((record) => record.type === type)?.data as { readonly error?: string } | undefined)?.error;
};

const TWO: readonly Order[] = [{ order: 1 }, { order: 2 }];
const VARIANTS: readonly (readonly [string, readonly Order[], readonly Coin[]])[] = [
  ['two equal orders', TWO, []],
  ['two keys of one counterparty', [{ order: 1 }, { order: 2, otherKey: true }], []],
  ['other taker amounts', [{ order: 1 }, { order: 2, taker_amount: '4.25' }], []],
  ['another taker coin', [{ order: 1 }, { order: 2, taker_coin: 'RICK', otherKey: true }], []],
  ['accounts on the maker coin', TWO, ['DOC']],
  ['accounts on the taker coin', [{ order: 1 }, { order: 2, taker_amount: '2.5' }], ['MARTY']],
  ['three orders', [{ order: 1 }, { order: 2 }, { order: 3, otherKey: true, taker_amount: '7' }], []],
];

describe('U1: one maker payment for several swaps of a taker', () => {
  it.each(VARIANTS)('is paid for once: %s', async (_, orders, accounts) => {
    const dealing = await deal(orders, { accounts });
    expect(await dealing.until(isOver(dealing, orders))).toBe(true);
    paysOnce(dealing, orders);
    const [holder] = has('MakerPaymentSpent', dealing, orders);
    for (const { order } of orders) {
      if (order === holder) continue;
      expect(await errorOf(dealing, order, 'NegotiateFailed')).toBe(
        `!maker_data.secret_hash: the secret hash belongs to swap ${uuidOf(holder ?? 0)} of this node, and a secret serves one swap`,
      );
    }
  });

  it('is paid for once if each swap has keys of its own', async () => {
    const dealing = await deal(TWO, { keyPerSwap: true });
    expect(await dealing.until(isOver(dealing, TWO))).toBe(true);
    paysOnce(dealing, TWO);
  });

  it('is paid for once wherever the taker’s process dies', async () => {
    const whole = await deal(TWO);
    await whole.until(isOver(whole, TWO));
    const total = whole.types(1).length + whole.types(2).length;
    expect(total).toBeGreaterThan(25);
    for (const step of oneIn(6, [...Array(total).keys()].slice(1))) {
      const log = createMemoryLog();
      let written = 0;
      const dying = { after: step, die: () => {} };
      const append = (batch: AppendBatch) => {
        const answer = log.append(batch);
        written += 1;
        if (written === dying.after) dying.die();
        return answer;
      };
      const dealing = createDealing({ honest: 'taker', log: { ...log, append } });
      let dead = false;
      dying.die = () => {
        dead = true;
        dealing.node.die();
      };
      for (const order of TWO) await begin(dealing, order);
      await dealing.until(() => dead, 60);
      await dealing.restart();
      expect(await dealing.until(isOver(dealing, TWO))).toBe(true);
      expect(has('MakerPaymentSpent', dealing, TWO).length).toBeLessThanOrEqual(1);
      expect(paid(dealing, TWO).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('U1: a secret hash that another swap of the taker had', () => {
  const [first, second] = TWO as readonly [Order, Order];

  it.each([false, true])('is refused when that one is over; after a restart: %s', async (restart) => {
    const dealing = await deal([first]);
    expect(await dealing.until(isOver(dealing, [first]))).toBe(true);
    await dealing.until(() => dealing.node.runtime.sizes().runners === 0, 1500);
    // Long enough that nobody looks after it any more.
    await dealing.clock.advance(60 * 86_400_000);
    if (restart) await dealing.restart();
    expect(dealing.node.runtime.sizes().runners).toBe(0);
    await begin(dealing, second);
    expect(await dealing.until(isOver(dealing, TWO))).toBe(true);
    expect(await errorOf(dealing, 2, 'NegotiateFailed')).toContain(uuidOf(1));
    expect(dealing.types(2)).not.toContain('TakerFeeSent');
  });

  it('is refused to the second swap of the same moment, whichever that is', async () => {
    const dealing = await deal([second, first]);
    expect(await dealing.until(isOver(dealing, TWO))).toBe(true);
    expect(has('Negotiated', dealing, TWO)).toHaveLength(1);
    expect(has('NegotiateFailed', dealing, TWO)).toHaveLength(1);
  });
});
