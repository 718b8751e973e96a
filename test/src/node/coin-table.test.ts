import { describe, expect, it } from 'vitest';
import type { ActiveCoin } from '../../../src/node/active-coin.ts';
import { CoinTable } from '../../../src/node/coin-table.ts';

// The table asks nothing of a coin but its ticker, and to let go.
const coin = (ticker: string, close = (): void => {}) => ({ ticker, close }) as ActiveCoin;
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'active',
    (error: { readonly kind?: string; readonly message: string }) => error.kind ?? error.message,
  );

describe('J1: a coin is activated once', () => {
  it('of two that ask at the same time one wins, and the other learns this before it costs anything', async () => {
    const table = new CoinTable();
    let made = 0;
    const create = async () => {
      made += 1;
      return coin('KMD');
    };
    const both = await Promise.all([kindOf(table.activate('KMD', create)), kindOf(table.activate('KMD', create))]);
    expect(both).toEqual(['active', 'underWay']);
    expect(made).toBe(1);
    expect(await kindOf(table.activate('KMD', create))).toBe('alreadyActive');
  });

  it('which blocks no other coin', async () => {
    const table = new CoinTable();
    await Promise.all([table.activate('KMD', async () => coin('KMD')), table.activate('kmd', async () => coin('kmd'))]);
    expect(table.active().map(({ ticker }) => ticker)).toEqual(['KMD', 'kmd']);
  });

  it('and is not active while it is being activated', async () => {
    const table = new CoinTable();
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const activation = table.activate('KMD', () => gate.then(() => coin('KMD')));
    expect(table.get('KMD')).toBeUndefined();
    expect(table.remove('KMD')).toBeUndefined();
    release();
    await activation;
    expect(table.get('KMD')?.ticker).toBe('KMD');
  });
});

describe('J2: what fails leaves nothing', () => {
  it('so that the coin can be activated at once', async () => {
    const table = new CoinTable();
    expect(await kindOf(table.activate('KMD', () => Promise.reject(new Error('the daemon is down'))))).toBe(
      'the daemon is down',
    );
    expect(table.active()).toEqual([]);
    expect(await kindOf(table.activate('KMD', async () => coin('KMD')))).toBe('active');
  });

  it('nor does a coin that was removed', async () => {
    const table = new CoinTable();
    await table.activate('KMD', async () => coin('KMD'));
    expect(table.remove('KMD')?.ticker).toBe('KMD');
    expect(table.remove('KMD')).toBeUndefined();
    expect(await kindOf(table.activate('KMD', async () => coin('KMD')))).toBe('active');
  });
});

describe('J3: a closed table', () => {
  it('releases each coin once, and takes no other one', async () => {
    const closed: string[] = [];
    const table = new CoinTable();
    for (const ticker of ['KMD', 'LTC'])
      await table.activate(ticker, async () => coin(ticker, () => closed.push(ticker)));
    table.remove('KMD');
    table.close();
    expect(closed).toEqual(['KMD', 'LTC']);
    expect(table.active()).toEqual([]);
    expect(await kindOf(table.activate('DOC', async () => coin('DOC')))).toBe('nodeStopping');
  });

  it('releases what was being activated, and reports it to nobody', async () => {
    const told: string[] = [];
    const table = new CoinTable({ onActive: ({ ticker }) => told.push(ticker) });
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let closed = 0;
    const activation = kindOf(
      table.activate('KMD', async () => {
        await gate;
        return coin('KMD', () => (closed += 1));
      }),
    );
    table.close();
    release();
    expect(await activation).toBe('nodeStopping');
    expect([closed, told, table.active()]).toEqual([1, [], []]);
  });

  it('reports a coin as soon as it is active, and its deactivation while it is still connected', async () => {
    const told: string[] = [];
    const table: CoinTable = new CoinTable({
      onActive: ({ ticker }) => told.push(`active ${table.get(ticker)?.ticker}`),
      onGone: ({ ticker }) => told.push(`gone ${ticker}`),
    });
    await table.activate('KMD', async () => coin('KMD', () => told.push('closed')));
    table.remove('KMD');
    expect(told).toEqual(['active KMD', 'gone KMD', 'closed']);
  });
});
