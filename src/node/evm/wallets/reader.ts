/** What a chain says of one account. Amounts in base units, by ticker: the coin's own and its tokens'. */
export type AccountState = {
  /** Transactions that it has sent; null where nobody asked. */
  readonly sent: number | null;
  readonly holds: Readonly<Record<string, bigint>>;
};

export type StatesAsked = {
  /** 0x and 40 hex digits. */
  readonly addresses: readonly string[];
  /** Whether it is to be told how many transactions each has sent. */
  readonly sent: boolean;
};

/** Tells of many accounts at once, so that a wallet with thousands of them is read in few requests. */
export interface AccountsReader {
  /** In the order of the addresses. @throws BackendSilent where nobody answers, or not with all that was asked */
  states(asked: StatesAsked): Promise<readonly AccountState[]>;
}

/** Whether someone has ever used the account, as the real node has it. */
export function isUsed({ sent, holds }: AccountState): boolean {
  return (sent ?? 0) > 0 || Object.values(holds).some((amount) => amount !== 0n);
}
