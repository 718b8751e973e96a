import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../../src/log/memory/index.ts';
import { AccountBook } from '../../../../../src/node/evm/wallets/account-book.ts';
import { foldAccounts } from '../../../../../src/node/evm/wallets/account-events.ts';
import type { AccountOrder } from '../../../../../src/node/evm/wallets/account-order.ts';
import { hdAccounts } from '../../../../../src/node/evm/wallets/hd-accounts.ts';
import { addressAt, ReaderDouble, xpubAt } from '../../../../support/evm-wallets/wallet-double.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

const WALLET = 'c54c08c271cd1cfd4680bc38e034f10db57415ae';
const DECIMALS = { MATIC: 18, TOK: 6 };

const FIRST: AccountOrder = {
  ...{ base: "m/44'/966'", account: 0, chain: 'External', address: 0 },
  ...{ gapLimit: 3, scanPolicy: 'scan_if_new_wallet', fewest: 0 },
};

/** One log and chain, and processes over them. */
function bench() {
  const log = createMemoryLog();
  const clock = virtualClock();
  const reader = new ReaderDouble(Object.keys(DECIMALS));
  const tell = async (changes: Partial<AccountOrder> = {}, withBalances = true, wallet = WALLET) => {
    reader.asked.length = 0;
    const book = await AccountBook.open({ log, clock, wallet, coin: 'MATIC' });
    const asked = { ...FIRST, ...changes };
    const path = `${asked.base}/${asked.account}'`;
    if (book.get(asked.account) === undefined) await book.create({ account: asked.account, path, xpub: xpubAt(path) });
    return hdAccounts({
      ...{ order: asked, book, reader, decimals: DECIMALS, withBalances },
      check: () => undefined,
    });
  };
  const kept = async (wallet = WALLET) => foldAccounts(await log.read(`evm-accounts/${wallet}/MATIC`));
  const use = async (path: string, sent: number, holds = {}) => reader.set(await addressAt(path), sent, holds);
  return { log, reader, tell, kept, use };
}

const at = (index: number, account = 0, chain = 0) => `m/44'/966'/${account}'/${chain}/${index}`;
const paths = (accounts: Awaited<ReturnType<ReturnType<typeof bench>['tell']>>) =>
  accounts.map(({ addresses }) => addresses.map(({ derivationPath }) => derivationPath));

describe('the accounts of a wallet', () => {
  it('are the requested one if it is new, with the requested address', async () => {
    const { tell, kept } = bench();
    expect(await tell()).toEqual([
      {
        index: 0,
        derivationPath: "m/44'/966'/0'",
        total: { MATIC: { spendable: '0', unspendable: '0' }, TOK: { spendable: '0', unspendable: '0' } },
        addresses: [
          {
            address: await addressAt(at(0)),
            derivationPath: at(0),
            chain: 'External',
            balance: { MATIC: { spendable: '0', unspendable: '0' }, TOK: { spendable: '0', unspendable: '0' } },
          },
        ],
      },
    ]);
    expect(await kept()).toMatchObject([{ account: 0, external: 1, internal: 0 }]);
  });

  it('list what precedes a used address, without a balance, and sum over all', async () => {
    const { tell, use } = bench();
    await use(at(1), 0, { MATIC: 5n * 10n ** 17n });
    await use(at(4), 2, { MATIC: 5n * 10n ** 17n, TOK: 1n });
    const [account] = await tell();
    expect(account?.addresses.map(({ balance }) => balance['MATIC']?.spendable ?? null)).toEqual([
      null,
      '0.5',
      null,
      null,
      '0.5',
    ]);
    expect(account?.addresses[0]?.balance).toEqual({});
    expect(account?.total).toEqual({
      MATIC: { spendable: '1.0', unspendable: '0' },
      TOK: { spendable: '0.000001', unspendable: '0' },
    });
  });

  it('are not scanned beyond the gap, and not at all under do_not_scan', async () => {
    const { tell, use } = bench();
    await use(at(4), 1);
    expect(paths(await tell({ gapLimit: 3 }))).toEqual([[at(0)]]);
    const other = bench();
    await other.use(at(0), 1);
    await other.use(at(1), 1);
    expect(paths(await other.tell({ scanPolicy: 'do_not_scan' }))).toEqual([[at(0)]]);
    expect(other.reader.asked.every(({ sent }) => !sent)).toBe(true);
  });

  it('have at least the requested number of addresses in each account, and the address of the path', async () => {
    const { tell } = bench();
    expect(paths(await tell({ fewest: 3, scanPolicy: 'do_not_scan' }))).toEqual([[at(0), at(1), at(2)]]);
    expect(paths(await tell({ account: 2, address: 1 }))).toEqual([[at(0, 2), at(1, 2)]]);
    expect(paths(await tell({ account: 2, fewest: 4 }))).toEqual([
      [at(0), at(1), at(2), at(3)],
      [at(0, 2), at(1, 2), at(2, 2), at(3, 2)],
    ]);
  });

  it('have change addresses if one is requested', async () => {
    const { tell, use, kept } = bench();
    await use(at(1, 0, 1), 1, { MATIC: 7n });
    const [account] = await tell({ chain: 'Internal', address: 1 });
    expect(account?.addresses.map(({ derivationPath, chain }) => [derivationPath, chain])).toEqual([
      [at(0, 0, 1), 'Internal'],
      [at(1, 0, 1), 'Internal'],
    ]);
    expect(account?.total['MATIC']?.spendable).toBe('0.000000000000000007');
    expect(await kept()).toMatchObject([{ external: 0, internal: 2 }]);
  });
});

describe('J31: a wallet that was activated before', () => {
  it('is reported with all its accounts and known addresses', async () => {
    const { tell, use } = bench();
    await use(at(2), 1, { TOK: 3n });
    const [first] = await tell();
    const [third] = await tell({ account: 3, fewest: 2 });
    expect(await tell({ account: 3 })).toEqual([
      // What lies between was not used, and is known now: it is asked about.
      { ...first, addresses: first?.addresses.map((address) => ({ ...address, balance: expect.any(Object) })) },
      third,
    ]);
  });

  it('is scanned only on request, and then from the last known address on', async () => {
    const { tell, use, reader } = bench();
    await use(at(1), 1);
    expect(paths(await tell())).toEqual([[at(0), at(1)]]);
    await use(at(3), 1);
    expect(paths(await tell())).toEqual([[at(0), at(1)]]);
    expect(reader.asked.map(({ addresses, sent }) => [addresses.length, sent])).toEqual([[2, false]]);
    expect(paths(await tell({ scanPolicy: 'scan' }))).toEqual([[at(0), at(1), at(2), at(3)]]);
    expect(reader.asked[1]?.addresses[0]).toBe(await addressAt(at(2)));
  });

  it('keeps the accounts of each wallet and coin apart', async () => {
    const { tell, kept } = bench();
    await tell({ fewest: 5, scanPolicy: 'do_not_scan' });
    const other = '24'.repeat(20);
    expect(await kept(other)).toEqual([]);
    expect(paths(await tell({ account: 1 }, true, other))).toEqual([[at(0, 1)]]);
    expect(await kept()).toMatchObject([{ account: 0, external: 5 }]);
  });

  it('is reported without balances if nobody wants them, and nobody is asked', async () => {
    const { tell, reader } = bench();
    const [account] = await tell({ fewest: 2, scanPolicy: 'do_not_scan' }, false);
    expect(account?.addresses.map(({ balance }) => balance)).toEqual([{}, {}]);
    expect(reader.asked).toEqual([]);
  });

  it('is scanned once its chain has answered, even if another account is asked for', async () => {
    const { tell, use, reader } = bench();
    await use(at(2), 1);
    const states = reader.states.bind(reader);
    reader.states = () => Promise.reject(new Error('silent'));
    await expect(tell()).rejects.toThrow('silent');
    await expect(tell({ account: 1 })).rejects.toThrow('silent');
    reader.states = states;
    expect(paths(await tell({ account: 1 }))).toEqual([[at(0, 1)]]);
    expect(paths(await tell({ account: 1 }))).toEqual([[at(0), at(1), at(2)], [at(0, 1)]]);
    await use(at(4), 1);
    expect(paths(await tell())).toEqual([[at(0), at(1), at(2)], [at(0, 1)]]);
  });

  it('is not scanned after a failure either if nobody wants a scan', async () => {
    const { tell, use, reader } = bench();
    await use(at(2), 1);
    const states = reader.states.bind(reader);
    reader.states = () => Promise.reject(new Error('silent'));
    await expect(tell({ scanPolicy: 'do_not_scan' })).rejects.toThrow('silent');
    reader.states = states;
    expect(paths(await tell({ scanPolicy: 'do_not_scan' }))).toEqual([[at(0)]]);
  });

  it('writes nothing if nothing is new, and keeps an account whose chain did not answer', async () => {
    const { tell, log, reader, kept } = bench();
    const states = reader.states.bind(reader);
    reader.states = () => Promise.reject(new Error('silent'));
    await expect(tell()).rejects.toThrow('silent');
    expect(await kept()).toMatchObject([{ account: 0, external: 0 }]);
    reader.states = states;
    await tell();
    await tell();
    expect((await log.read(`evm-accounts/${WALLET}/MATIC`)).map(({ type }) => type)).toEqual([
      'AccountCreated',
      'AddressesKnown',
    ]);
  });
});

describe('the records of accounts', () => {
  const created = { type: 'AccountCreated', data: { account: 1, path: "m/44'/60'/1'", xpub: 'xpub' } };
  const known = (changes: object) => ({
    type: 'AddressesKnown',
    data: { account: 1, external: 2, internal: 0, ...changes },
  });

  it.each([
    ['an account twice', [created, created]],
    ['an account that is not there', [known({})]],
    ['fewer addresses than before', [created, known({}), known({ external: 1 })]],
    ['more addresses than there can be', [created, known({ external: 2 ** 31 + 1 })]],
    ['what they do not know', [created, { type: 'AccountGone', data: null }]],
  ])('refuse %s', (_, records) => {
    expect(() => foldAccounts(records)).toThrow();
  });
});
