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

/** @throws ContractAbsent where there is no such contract */
export async function storedUnder(
  look: EvmLook,
  { contract, id }: { contract: string; id: string },
): Promise<StoredPayment> {
  const stored = decodeStoredPayment(await look.call({ to: contract, data: storedPaymentCall(id) }));
  if (stored === undefined) throw new ContractAbsent(`there is no swap contract at ${contract}`);
  return stored;
}

/** What an account has of a token, in base units. Both are 40 hex digits. @throws ContractAbsent where there is no such token; CallReverted */
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

/** @throws ContractAbsent where there is no such token; CallReverted */
export async function allowanceOf(look: EvmLook, { token, owner, spender }: Allowance): Promise<bigint> {
  return numberOf(await look.call({ to: token, data: allowanceCall({ owner, spender }) }), token);
}

/** What a token says of its digits; null where it says nothing. @throws BackendSilent */
export async function tokenDecimals(look: EvmLook, token: string): Promise<bigint | null> {
  return decodeNumberAnswer(await look.call({ to: token, data: TOKEN_DECIMALS })) ?? null;
}

function numberOf(answer: string, token: string): bigint {
  const number = decodeNumberAnswer(answer);
  if (number === undefined) throw new ContractAbsent(`there is no token at ${token}`);
  return number;
}
