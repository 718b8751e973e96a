import {
  allowanceCall,
  balanceCall,
  decodeNumberAnswer,
  decodeStoredPayment,
  type StoredPayment,
  storedPaymentCall,
  TOKEN_DECIMALS,
} from '../../htlc/token-calls.ts';
import { ContractAbsent, type EvmLook } from './reader.ts';

/** @throws ContractAbsent if there is no such contract */
export async function storedUnder(
  look: EvmLook,
  { contract, id }: { contract: string; id: string },
): Promise<StoredPayment> {
  const stored = decodeStoredPayment(await look.call({ to: contract, data: storedPaymentCall(id) }));
  if (stored === undefined) throw new ContractAbsent(`there is no swap contract at ${contract}`);
  return stored;
}

/**
 * An account's balance of a token, in base units. Both are 40 hex digits. @throws ContractAbsent if there is no such token; CallReverted
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, erc20Balance } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_call: `0x${(2_400_000).toString(16).padStart(64, '0')}`,
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const asked = { token: '44'.repeat(20), owner: '11'.repeat(20) };
 * await erc20Balance(await reader.look(), asked); // → 2_400_000n
 * ```
 */
export async function erc20Balance(look: EvmLook, { token, owner, block }: BalanceAt): Promise<bigint> {
  const at = block === undefined ? {} : { block };
  return numberOf(await look.call({ to: token, data: balanceCall(owner), ...at }), token);
}

type BalanceAt = {
  readonly token: string;
  readonly owner: string;
  /** At or below the head. @defaultValue the head */
  readonly block?: number;
};

export type Allowance = { readonly token: string; readonly owner: string; readonly spender: string };

/** @throws ContractAbsent if there is no such token; CallReverted */
export async function allowanceOf(look: EvmLook, { token, owner, spender }: Allowance): Promise<bigint> {
  return numberOf(await look.call({ to: token, data: allowanceCall({ owner, spender }) }), token);
}

/**
 * What a token says about its digits; null if it says nothing. @throws BackendSilent
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, tokenDecimals } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_call: `0x${'6'.padStart(64, '0')}`,
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * await tokenDecimals(await reader.look(), '44'.repeat(20)); // → 6n
 * ```
 */
export async function tokenDecimals(look: EvmLook, token: string): Promise<bigint | null> {
  return decodeNumberAnswer(await look.call({ to: token, data: TOKEN_DECIMALS })) ?? null;
}

function numberOf(answer: string, token: string): bigint {
  const number = decodeNumberAnswer(answer);
  if (number === undefined) throw new ContractAbsent(`there is no token at ${token}`);
  return number;
}
