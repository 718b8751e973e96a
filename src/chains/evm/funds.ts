import { BackendSilent } from '../../ports/silence.ts';
import { weiTaken } from './account.ts';
import { approvalAfter } from './approvals.ts';
import { allowanceOf, erc20Balance } from './contract-calls.ts';
import type { Parts } from './parts.ts';
import { CallReverted, type EvmLook } from './reader.ts';
import { type Effect, takenOf } from './token-effect.ts';
import { delegates, type Made } from './transaction.ts';

/** What an account has by its blocks, and what of that is not committed to waiting or signed transactions. */
export type Funds = { readonly all: bigint; readonly free: bigint };

/** In wei, and in base units of the token if the coin is one. */
export type AllFunds = { readonly wei: Funds; readonly tokens: Funds | null };

type Owned = {
  readonly coin: {
    readonly token?: { readonly address: string };
    /** Swap contracts: their calls show what they take. @defaultValue none */
    readonly contract?: string;
    readonly fallbackContract?: string | null;
  };
  readonly account: Parts['account'];
};

/** `beside`: nonces whose transactions do not count, because another one will replace them. @throws BackendSilent */
export async function fundsOf(
  { coin, account }: Owned,
  { look, beside = [] }: { readonly look: EvmLook; readonly beside?: readonly number[] },
): Promise<AllFunds> {
  const { address } = account;
  const token = coin.token?.address;
  const [used, ether, tokens] = await Promise.all([
    look.used(address),
    look.balance(address),
    token === undefined ? 0n : answered(erc20Balance(look, { token, owner: address }), token),
  ]);
  const waiting = account.waiting(used).filter(({ nonce }) => !beside.includes(nonce));
  // A transaction that lets code act for the account may take everything.
  const wei = left(
    ether,
    waiting.map((made) => (delegates(made) ? ether : weiTaken(made))),
  );
  if (token === undefined) return { wei, tokens: null };
  const contracts = [coin.contract, coin.fallbackContract].filter((one) => typeof one === 'string');
  const taken = await Promise.all(
    waiting.map((made) => takenBy(made, { account, look, token, contracts, balance: tokens })),
  );
  return { wei, tokens: left(tokens, taken) };
}

type Taking = Omit<Effect, 'made'> & { readonly account: Parts['account']; readonly look: EvmLook };

/**
 * Base units of a token that waiting transactions take. Bytes that went out beside swaps were not checked against a token of which nothing was held then:
 * they are tried each time, and if nobody can tell they may take everything.
 */
async function takenBy(made: Made, { account, look, ...effect }: Taking): Promise<bigint> {
  const told = account.tokensTaken(made, effect.token);
  if (!account.isBesideSwaps(made)) return told;
  const tried = delegates(made) ? 'unknown' : await takenOf(look, { made, ...effect });
  if (tried === 'unknown') return effect.balance;
  return tried > told ? tried : told;
}

function left(all: bigint, taken: readonly bigint[]): Funds {
  const free = taken.reduce((rest, one) => rest - one, all);
  return { all, free: free > 0n ? free : 0n };
}

type Paying = {
  readonly look: EvmLook;
  readonly token: string;
  readonly spender: string;
  readonly amount: bigint;
};

/**
 * What must be approved before tokens can be paid, in order: nothing if enough is approved; exactly the amount; and zero before it if
 * something else is still approved, or may be by what waits: some tokens refuse to change it otherwise, and the approved party could take both.
 */
export async function approvalsFor(
  { account }: Pick<Parts, 'account'>,
  { look, token, spender, amount }: Paying,
): Promise<readonly bigint[]> {
  const { address } = account;
  const [now, used] = await Promise.all([
    answered(allowanceOf(look, { token, owner: address, spender }), token),
    look.used(address),
  ]);
  const allowance = approvalAfter(now, { waiting: account.waiting(used), token, spender });
  if (allowance !== null && allowance >= amount) return [];
  return allowance === 0n ? [amount] : [0n, amount];
}

/** Nobody can vouch for a token that does not answer. */
function answered<T>(answer: Promise<T>, token: string): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof CallReverted ? new BackendSilent(`the token ${token} refuses: ${error.message}`) : error;
  });
}
