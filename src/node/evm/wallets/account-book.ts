import type { Clock } from '../../../ports/clock.ts';
import type { EventLog, NewRecord } from '../../../ports/event-log.ts';
import { ACCOUNTS_MACHINE, accountCreated, addressesKnown, foldAccounts, type KeptAccount } from './account-events.ts';

export type AccountBookOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  /** By which the wallet is known: HASH160 of a key of it, 40 hex digits. */
  readonly wallet: string;
  /** Ticker. */
  readonly coin: string;
};

/**
 * The accounts that a wallet uses of a coin, in the log of the node. One activation of a coin is in progress at a time, so there is one writer.
 *
 * - J31: an account is reported once it is durable, and from then on every later process has it, with all of its known addresses.
 */
export class AccountBook {
  readonly #options: AccountBookOptions;
  readonly #stream: string;
  #length = 0;
  #accounts: readonly KeptAccount[] = [];

  private constructor(options: AccountBookOptions) {
    this.#options = options;
    this.#stream = `${ACCOUNTS_MACHINE}/${options.wallet}/${options.coin}`;
  }

  /** @throws LogError; ZodError, RangeError for a stream that no release wrote */
  static async open(options: AccountBookOptions): Promise<AccountBook> {
    const book = new AccountBook(options);
    const records = await options.log.read(book.#stream);
    book.#length = records.length;
    book.#accounts = foldAccounts(records);
    return book;
  }

  /** In the order of their numbers. */
  accounts(): readonly KeptAccount[] {
    return this.#accounts;
  }

  get(account: number): KeptAccount | undefined {
    return this.#accounts.find((kept) => kept.account === account);
  }

  /** @throws LogError; RangeError for one that is there */
  async create(made: Pick<KeptAccount, 'account' | 'path' | 'xpub'>): Promise<KeptAccount> {
    if (this.get(made.account) !== undefined) throw new RangeError(`account ${made.account} exists`);
    const account = { ...made, external: 0, internal: 0 };
    await this.#append(accountCreated(made, this.#options.clock.now()));
    this.#accounts = [...this.#accounts, account].sort((left, right) => left.account - right.account);
    return account;
  }

  /** More addresses are known; nothing is written where there are none. @throws LogError */
  async know(account: number, { external, internal }: Pick<KeptAccount, 'external' | 'internal'>): Promise<void> {
    const before = this.get(account);
    if (before === undefined) throw new RangeError(`account ${account} does not exist`);
    if (before.external === external && before.internal === internal) return;
    await this.#append(addressesKnown({ account, external, internal }, this.#options.clock.now()));
    const after = { ...before, external, internal };
    this.#accounts = this.#accounts.map((kept) => (kept.account === account ? after : kept));
  }

  async #append(record: NewRecord): Promise<void> {
    const labels = { state: 'kept', finished: true } as const;
    await this.#options.log.append({ stream: this.#stream, expected: this.#length, records: [record], labels });
    this.#length += 1;
  }
}
