import type { EvmBalance, EvmBalances, EvmHdAccount, EvmHdAddress } from '../../../ports/evm-activator.ts';
import { decimalOf, fromBaseUnits } from '../../../primitives/decimal.ts';
import { AccountAddresses, type AddressChain } from './account-addresses.ts';
import type { AccountBook } from './account-book.ts';
import type { KeptAccount } from './account-events.ts';
import { type AccountOrder, MOST_TOLD } from './account-order.ts';
import { decimalSum } from './decimal-sum.ts';
import type { AccountState, AccountsReader } from './reader.ts';
import { type Scanned, scanAddresses } from './scan.ts';

/** More addresses than are reported. */
export class TooManyAddresses extends Error {}

export type HdAccountsOptions = {
  readonly order: AccountOrder;
  readonly book: AccountBook;
  readonly reader: AccountsReader;
  /** Digits after the point by ticker: of the coin itself and of its tokens. */
  readonly decimals: Readonly<Record<string, number>>;
  /** Whether balances are wanted. A scan asks for them anyway. */
  readonly withBalances: boolean;
  /** Told when balances are about to be asked for. */
  readonly onBalances?: () => Promise<void>;
  /** @throws once nobody waits for the outcome */
  readonly check: () => void;
};

/**
 * The accounts of a wallet with their addresses and what they hold (`scan_policy`, `min_addresses_number`, specification §4.6): the account that is asked for where it is new, else all that
 * are known. What is known afterwards is durable. An account is new until it was told once: one whose nodes did not answer is scanned the next time.
 *
 * @throws LogError; BackendSilent; TooManyAddresses; what `check` throws
 */
export async function hdAccounts(options: HdAccountsOptions): Promise<readonly EvmHdAccount[]> {
  const { order, book, onBalances } = options;
  await onBalances?.();
  const asked = book.get(order.account);
  const isAlone = asked !== undefined && isNew(asked);
  const wanted = book.accounts().filter(({ account }) => !isAlone || account === order.account);
  const told: EvmHdAccount[] = [];
  for (const account of wanted) told.push(await accountOf(account, options));
  return told;
}

function isNew({ external, internal }: KeptAccount): boolean {
  return external === 0 && internal === 0;
}

type Telling = HdAccountsOptions & { readonly scans: boolean };

async function accountOf(kept: KeptAccount, options: HdAccountsOptions): Promise<EvmHdAccount> {
  const { order, book } = options;
  const scans = isNew(kept) ? order.scanPolicy !== 'do_not_scan' : order.scanPolicy === 'scan';
  const keys = new AccountAddresses(kept.xpub);
  const isAsked = kept.account === order.account;
  const fewestOf = (chain: AddressChain): number => (isAsked && order.chain === chain ? order.address + 1 : 0);
  const external = await chainOf(kept, {
    ...options,
    keys,
    scans,
    chain: 'External',
    fewest: Math.max(order.fewest, fewestOf('External')),
  });
  const internal = await chainOf(kept, {
    ...options,
    keys,
    chain: 'Internal',
    fewest: fewestOf('Internal'),
    scans: false,
  });
  await book.know(kept.account, { external: external.length, internal: internal.length });
  const addresses = [...external, ...internal];
  return { index: kept.account, derivationPath: kept.path, total: totalOf(addresses, options.decimals), addresses };
}

type OfChain = Telling & { readonly keys: AccountAddresses; readonly chain: AddressChain; readonly fewest: number };

/** The addresses that are known, then those that a scan finds, then as many more as there must be. */
async function chainOf(kept: KeptAccount, options: OfChain): Promise<readonly EvmHdAddress[]> {
  const { keys, chain, fewest, order, reader, scans, check } = options;
  const known = chain === 'External' ? kept.external : kept.internal;
  const addresses = (from: number, count: number) => keys.range({ chain, from, count });
  const first = await statesOf({ from: 0, count: known }, options);
  const found = scans ? await scanAddresses({ from: known, gapLimit: order.gapLimit, addresses, reader, check }) : [];
  const count = known + found.length;
  const more = await statesOf({ from: count, count: Math.max(0, fewest - count) }, options);
  const all = [...first, ...found, ...more];
  if (all.length > MOST_TOLD)
    throw new TooManyAddresses(`account ${kept.account} has more than ${MOST_TOLD} addresses`);
  return all.map((one) => shownOf(one, { path: kept.path, chain, decimals: options.decimals }));
}

const AT_ONCE = 500;

/** Addresses of a chain with what they hold; without it where nobody wants to know. */
async function statesOf(
  { from, count }: { readonly from: number; readonly count: number },
  { keys, chain, reader, withBalances, check }: OfChain,
): Promise<readonly Scanned[]> {
  const told: Scanned[] = [];
  for (let start = from; start < from + count; start += AT_ONCE) {
    check();
    const addresses = await keys.range({ chain, from: start, count: Math.min(AT_ONCE, from + count - start) });
    const states = withBalances ? await reader.states({ addresses, sent: false }) : [];
    told.push(...addresses.map((address, place) => ({ index: start + place, address, state: states[place] ?? null })));
  }
  return told;
}

type Showing = Pick<HdAccountsOptions, 'decimals'> & { readonly path: string; readonly chain: AddressChain };

const NUMBER_OF: Readonly<Record<AddressChain, number>> = { External: 0, Internal: 1 };

function shownOf({ index, address, state }: Scanned, { path, chain, decimals }: Showing): EvmHdAddress {
  const balance = state === null ? {} : balancesOf(state, decimals);
  return { address, derivationPath: `${path}/${NUMBER_OF[chain]}/${index}`, chain, balance };
}

function balancesOf({ holds }: AccountState, decimals: Readonly<Record<string, number>>): EvmBalances {
  const amounts = Object.entries(decimals).map(([ticker, digits]): [string, EvmBalance] => {
    const amount = holds[ticker];
    if (amount === undefined) throw new RangeError(`a reader must answer for every ticker, also for ${ticker}`);
    return [ticker, { spendable: fromBaseUnits(amount, digits), unspendable: NOTHING }];
  });
  return Object.fromEntries(amounts);
}

const NOTHING = decimalOf('0');

/** The sum over the reported addresses. */
function totalOf(addresses: readonly EvmHdAddress[], decimals: Readonly<Record<string, number>>): EvmBalances {
  const total: Record<string, EvmBalance> = Object.fromEntries(
    Object.keys(decimals).map((ticker) => [ticker, { spendable: NOTHING, unspendable: NOTHING }]),
  );
  for (const { balance } of addresses) {
    for (const [ticker, { spendable, unspendable }] of Object.entries(balance)) {
      const before = total[ticker] ?? { spendable: NOTHING, unspendable: NOTHING };
      total[ticker] = {
        spendable: decimalSum(before.spendable, spendable),
        unspendable: decimalSum(before.unspendable, unspendable),
      };
    }
  }
  return total;
}
