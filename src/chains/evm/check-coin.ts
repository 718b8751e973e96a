import type { EvmCoin } from './coin.ts';
import { storedUnder, tokenBalance, tokenDecimals } from './contract-calls.ts';
import { type EvmCoinCode, EvmCoinError } from './error.ts';
import { movedOf } from './probe.ts';
import { CallReverted, ContractAbsent, type Look, type Reader } from './reader.ts';

export type CoinToCheck = {
  readonly coin: EvmCoin;
  readonly reader: Reader;
  /** The account that is to use it, 40 hex digits. */
  readonly account: string;
};

const NO_ID = '0'.repeat(64);

/**
 * Holds a coin against the chain before it is used for swaps: the swap contract is there, the token is as {@link checkEvmToken} says, and it moves
 * what it is asked to move, as far as the account has some of it and the node can tell by a call that changes nothing.
 *
 * @throws EvmCoinError for a coin that cannot be used; BackendSilent where nobody answers
 */
export async function checkEvmCoin({ coin, reader, account }: CoinToCheck): Promise<void> {
  const look = await reader.look(true);
  for (const contract of [coin.contract, coin.fallbackContract ?? coin.contract])
    if (!(await isThere(storedUnder(look, { contract, id: NO_ID }))))
      throw refused('EVM_CONTRACT_ABSENT', 'There is no swap contract at this address.', { contract });
  await tokenIsAsSaid(look, { coin, account });
  await movesWhatIsAsked(look, { coin, account });
}

/**
 * Holds a token against the chain before it is used for anything: it is there, with the digits that are said. A coin that is no token passes.
 *
 * @throws EvmCoinError for a token that cannot be used; BackendSilent where nobody answers
 */
export async function checkEvmToken({ coin, reader, account }: CoinToCheck): Promise<void> {
  if (coin.token !== undefined) await tokenIsAsSaid(await reader.look(true), { coin, account });
}

type Held = Pick<CoinToCheck, 'coin' | 'account'>;

async function tokenIsAsSaid(look: Look, { coin, account }: Held): Promise<void> {
  const token = coin.token?.address;
  if (token === undefined) return;
  const facts = { coin: coin.coin, token };
  if (!(await isThere(tokenBalance(look, { token, owner: account }))))
    throw refused('EVM_TOKEN_ABSENT', 'There is no token at this address.', facts);
  const decimals = await tokenDecimals(look, token).catch((error: unknown) => {
    if (error instanceof CallReverted) return null;
    throw error;
  });
  // A token need not tell its digits.
  if (decimals !== null && decimals !== BigInt(coin.decimals)) {
    const digits = { 'decimals of the token': String(decimals), 'decimals of the coin': String(coin.decimals) };
    throw refused('EVM_TOKEN_DECIMALS', 'The token has other digits than the coin.', { ...facts, ...digits });
  }
}

async function movesWhatIsAsked(look: Look, { coin, account }: Held): Promise<void> {
  const token = coin.token?.address;
  if (token === undefined) return;
  const balance = await tokenBalance(look, { token, owner: account });
  const moved =
    balance === 0n ? null : await movedOf(look, { token, from: account, to: coin.contract, amount: balance });
  if (moved !== null && moved !== balance) {
    const amounts = { 'base units sent': String(balance), 'base units received': String(moved) };
    throw refused('EVM_TOKEN_NOT_STANDARD', 'The token moves another amount than it is asked to.', {
      ...{ coin: coin.coin, token },
      ...amounts,
    });
  }
}

/** Who does not answer says nothing. */
async function isThere(question: Promise<unknown>): Promise<boolean> {
  try {
    await question;
    return true;
  } catch (error) {
    if (error instanceof CallReverted || error instanceof ContractAbsent) return false;
    throw error;
  }
}

const NEXT = 'Correct the addresses and digits of the coin, or do without it: nothing was paid or approved.';

function refused(code: EvmCoinCode, message: string, facts: Readonly<Record<string, string>>): EvmCoinError {
  return new EvmCoinError(code, message, { facts, next: NEXT, retry: 'operator' });
}
