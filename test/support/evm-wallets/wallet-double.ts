import { HDKey } from '@scure/bip32';
import { AccountAddresses } from '../../../src/node/evm/wallets/account-addresses.ts';
import type { AccountState, AccountsReader, StatesAsked } from '../../../src/node/evm/wallets/reader.ts';

const root = HDKey.fromMasterSeed(Uint8Array.from({ length: 64 }, (_, place) => place * 3 + 1));

export function xpubAt(path: string): string {
  return root.derive(path).publicExtendedKey;
}

/** The address of a path such as `m/44'/60'/0'/0/3`, of the wallet of this file. */
export async function addressAt(path: string): Promise<string> {
  const [, account = '', chain, index] = /^(.*')\/(\d+)\/(\d+)$/.exec(path) ?? [];
  const keys = new AccountAddresses(xpubAt(account));
  const [address] = await keys.range({ chain: chain === '1' ? 'Internal' : 'External', from: Number(index), count: 1 });
  if (address === undefined) throw new Error(`${path} has no address`);
  return address;
}

/** What a chain would say: every account is unused but for those that are set. */
export class ReaderDouble implements AccountsReader {
  readonly asked: StatesAsked[] = [];
  readonly #states = new Map<string, AccountState>();
  readonly #tickers: readonly string[];

  constructor(tickers: readonly string[]) {
    this.#tickers = tickers;
  }

  set(address: string, sent: number, holds: Readonly<Record<string, bigint>> = {}): void {
    this.#states.set(address, { sent, holds: { ...this.#nothing(), ...holds } });
  }

  async states({ addresses, sent }: StatesAsked): Promise<readonly AccountState[]> {
    this.asked.push({ addresses, sent });
    return addresses.map((address) => {
      const state = this.#states.get(address) ?? { sent: 0, holds: this.#nothing() };
      return sent ? state : { ...state, sent: null };
    });
  }

  #nothing(): Record<string, bigint> {
    return Object.fromEntries(this.#tickers.map((ticker) => [ticker, 0n]));
  }
}
