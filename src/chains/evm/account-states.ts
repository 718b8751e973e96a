import { BackendSilent } from '../../ports/silence.ts';
import { erc20Balance } from './contract-calls.ts';
import { CallReverted, type EvmLook } from './reader.ts';

/** What many accounts hold, and how many transactions they have sent. Accounts and contracts of tokens are 40 lower-case hex digits. */
export type StatesAsked = {
  readonly accounts: readonly string[];
  readonly tokens: readonly string[];
  /** Whether to count the transactions. */
  readonly sent: boolean;
};

/** Amounts in wei and base units, tokens in the order of the request. */
export type AccountStates = { readonly sent: number | null; readonly coin: bigint; readonly tokens: readonly bigint[] };

/**
 * What one look shows of accounts, all at one block. The questions go out together, so that nodes with batches get few requests.
 *
 * @throws BackendSilent, also for a token that does not answer
 *
 * @example
 * ```ts
 * import { accountStates, createEvmNodeReader } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   ...{ eth_getBalance: '0x14d1120d7b160000', eth_getTransactionCount: '0x5' },
 *   eth_call: `0x${(2_400_000).toString(16).padStart(64, '0')}`,
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const look = await createEvmNodeReader(node, 1).look();
 * const asked = { accounts: ['11'.repeat(20)], tokens: ['44'.repeat(20)], sent: true };
 * const states = await accountStates(look, asked);
 * states; // → [{ sent: 5, coin: 15n * 10n ** 17n, tokens: [2_400_000n] }]
 * ```
 */
export function accountStates(
  look: EvmLook,
  { accounts, tokens, sent }: StatesAsked,
): Promise<readonly AccountStates[]> {
  const stateOf = async (owner: string): Promise<AccountStates> => {
    const [coin, used, ...held] = await Promise.all([
      look.balance(owner),
      sent ? look.used(owner) : null,
      ...tokens.map((token) => erc20Balance(look, { token, owner }).catch(refusing(token))),
    ]);
    return { sent: used, coin, tokens: held };
  };
  return Promise.all(accounts.map(stateOf));
}

function refusing(token: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CallReverted) throw new BackendSilent(`the token ${token} reports no balance`);
    throw error;
  };
}
