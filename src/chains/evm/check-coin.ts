import {
  ERC20_PAYMENT_REWARD,
  ETH_PAYMENT_REWARD,
  RECEIVER_SPEND_REWARD,
  SENDER_REFUND_REWARD,
} from '../../htlc/evm-reward-calls.ts';
import { addressText } from './address.ts';
import type { EvmCoin } from './coin.ts';
import { erc20Balance, storedUnder, tokenDecimals } from './contract-calls.ts';
import { type EvmCoinCode, EvmCoinError } from './error.ts';
import { movedOf } from './probe.ts';
import { CallReverted, ContractAbsent, type EvmLook } from './reader.ts';
import { keepsRewards } from './reward-trial.ts';

export type CoinsToCheck = {
  readonly coins: readonly EvmCoin[];
  /** Questions go out together, as far as no answer depends on another, and none twice. */
  readonly look: EvmLook;
  /** The account that will use them, 40 hex digits. */
  readonly account: string;
};

const NO_ID = '0'.repeat(64);

/**
 * Checks coins of one chain against it before swaps use them: the swap contracts exist, each token is as {@link checkEvmTokens} requires, and it
 * moves the requested amount, as far as the account has some of it and the node can tell by a call that changes nothing.
 *
 * @throws EvmCoinError for the first unusable coin; BackendSilent if nobody answers
 *
 * @example
 * ```ts
 * import { checkEvmCoins, createEvmNodeReader } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_call: '0x', // Nothing is at the address.
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const coin = { coin: 'BNB', decimals: 18, contract: 'c0'.repeat(20), finality: 9, blockTime: 3 };
 * const asked = { coins: [coin], look: await reader.look(), account: '11'.repeat(20) };
 * checkEvmCoins(asked); // throws EVM_CONTRACT_ABSENT
 * ```
 */
export async function checkEvmCoins({ coins, look, account }: CoinsToCheck): Promise<void> {
  const contracts = new Set(
    coins.flatMap(({ contract, fallbackContract }) => [contract, fallbackContract ?? contract]),
  );
  const [areThere, tokens] = await Promise.all([
    Promise.all([...contracts].map((contract) => isThere(storedUnder(look, { contract, id: NO_ID })))),
    Promise.all(coins.map((coin) => toldOf(look, { coin, account }))),
  ]);
  for (const [place, contract] of [...contracts].entries())
    if (areThere[place] !== true)
      throw refused('EVM_CONTRACT_ABSENT', 'There is no swap contract at this address.', {
        contract: addressText(contract),
      });
  for (const token of tokens) tokenIsAsSaid(token);
  const moved = await Promise.all(tokens.map((token) => movedBy(look, { token, account })));
  for (const [place, token] of tokens.entries()) movesWhatIsAsked(token, moved[place] ?? null);
}

/**
 * Checks tokens against the chain before anything uses them: each exists, with the stated digits. A coin that is not a token passes.
 *
 * @throws EvmCoinError for the first unusable one; BackendSilent if nobody answers
 *
 * @example
 * ```ts
 * import { checkEvmTokens, createEvmNodeReader } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_call: `0x${'6'.padStart(64, '0')}`, // Its digits, and what the account has of it.
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const asked = { look: await createEvmNodeReader(node, 1).look(), account: '11'.repeat(20) };
 * const token = { address: '44'.repeat(20), platform: 'ETH' };
 * const usdc = { coin: 'USDC', token, contract: 'c0'.repeat(20), finality: 9, blockTime: 12 };
 * await checkEvmTokens({ coins: [{ ...usdc, decimals: 6 }], ...asked }); // → undefined
 * checkEvmTokens({ coins: [{ ...usdc, decimals: 18 }], ...asked }); // throws EVM_TOKEN_DECIMALS
 * ```
 */
export async function checkEvmTokens({ coins, look, account }: CoinsToCheck): Promise<void> {
  const tokens = await Promise.all(coins.map((coin) => toldOf(look, { coin, account })));
  for (const token of tokens) tokenIsAsSaid(token);
}

type Held = { readonly coin: EvmCoin; readonly account: string };

/** What a token reports: the account's balance, null if there is no token, and its digits, null if it reports none. */
type Told = { readonly coin: EvmCoin; readonly balance: bigint | null; readonly decimals: bigint | null };

async function toldOf(look: EvmLook, { coin, account }: Held): Promise<Told> {
  const token = coin.token?.address;
  if (token === undefined) return { coin, balance: null, decimals: null };
  const [balance, decimals] = await Promise.all([
    erc20Balance(look, { token, owner: account }).catch(absent),
    tokenDecimals(look, token).catch(absent),
  ]);
  return { coin, balance, decimals };
}

function tokenIsAsSaid({ coin, balance, decimals }: Told): void {
  const token = coin.token?.address;
  if (token === undefined) return;
  const facts = { coin: coin.coin, contract: token };
  if (balance === null) throw refused('EVM_TOKEN_ABSENT', 'There is no token at this address.', facts);
  // A token need not report its digits.
  if (decimals !== null && decimals !== BigInt(coin.decimals)) {
    const digits = { 'token decimals': String(decimals), 'coin decimals': String(coin.decimals) };
    throw refused('EVM_TOKEN_DECIMALS', 'The token and the coin have different decimals.', { ...facts, ...digits });
  }
}

/**
 * Whether all of these swap contracts, 40 hex digits each, pay watchers: they have the functions for it by the code that is there, and these do as
 * {@link keepsRewards} says. The code of a proxy does not show this.
 *
 * @throws BackendSilent if nobody answers
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, paysWatchers } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_getCode: '0x6080604052', // Without the functions that promise rewards.
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * await paysWatchers(await reader.look(), ['c0'.repeat(20)]); // → false
 * ```
 */
export async function paysWatchers(look: EvmLook, contracts: readonly string[]): Promise<boolean> {
  const codes = await Promise.all(contracts.map((contract) => look.code(contract)));
  if (!codes.every((code) => REWARD_FUNCTIONS.every((selector) => code.includes(PUSH_SELECTOR + selector))))
    return false;
  const kept = await Promise.all(contracts.map((contract) => keepsRewards(look, contract)));
  return kept.every((keeps) => keeps);
}

/** The instruction by which a contract determines which of its functions is called. */
const PUSH_SELECTOR = '63';
const REWARD_FUNCTIONS = [ETH_PAYMENT_REWARD, ERC20_PAYMENT_REWARD, RECEIVER_SPEND_REWARD, SENDER_REFUND_REWARD];

type Moving = { readonly token: Told; readonly account: string };

async function movedBy(look: EvmLook, { token: { coin, balance }, account }: Moving): Promise<bigint | null> {
  const token = coin.token?.address;
  if (token === undefined || balance === null || balance === 0n) return null;
  return movedOf(look, { token, from: account, to: coin.contract, amount: balance });
}

function movesWhatIsAsked({ coin, balance }: Told, moved: bigint | null): void {
  const token = coin.token?.address;
  if (token === undefined || moved === null || moved === balance) return;
  const amounts = { 'base units sent': String(balance), 'base units received': String(moved) };
  throw refused('EVM_TOKEN_NOT_STANDARD', 'The token moves a different amount than requested.', {
    ...{ coin: coin.coin, contract: token },
    ...amounts,
  });
}

async function isThere(question: Promise<unknown>): Promise<boolean> {
  return (await question.catch(absent)) !== null;
}

/** A missing answer says nothing. */
function absent(error: unknown): null {
  if (error instanceof CallReverted || error instanceof ContractAbsent) return null;
  throw error;
}

const NEXT = 'Correct the addresses and decimals of the coin, or leave it out: nothing was paid or approved.';

function refused(code: EvmCoinCode, message: string, facts: Readonly<Record<string, string>>): EvmCoinError {
  return new EvmCoinError(code, message, { facts, next: NEXT, retry: 'operator' });
}
