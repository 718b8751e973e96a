import { allowanceCall, balanceCall, decodeNumberAnswer } from '../../../htlc/token-calls.ts';
import type { Made } from '../made.ts';
import { ContractAbsent } from './contracts.ts';
import type { Look, TokenParts } from './parts.ts';

/** The confirmed token balance of the account, and the part of it that no signed transaction spends. In base units. */
export type TokenFunds = { readonly all: bigint; readonly free: bigint };

/** `beside`: a variant about to be replaced, which does not count. @throws BackendSilent, ContractsUnsteady, ContractAbsent */
export async function tokenFunds(
  { coin, account, taken }: TokenParts,
  { contracts }: Pick<Look, 'contracts'>,
  beside: Pick<Made, 'tx'> | null = null,
): Promise<TokenFunds> {
  const all = numberOf(await contracts.call(coin.token, balanceCall(account)), coin.token);
  const signed = taken.signed(beside);
  return { all, free: all > signed ? all - signed : 0n };
}

/** The swap contract's allowance of own tokens. @throws BackendSilent, ContractsUnsteady, ContractAbsent */
export async function allowanceOf(
  { coin, account: owner }: TokenParts,
  { contracts }: Pick<Look, 'contracts'>,
  spender: string,
): Promise<bigint> {
  return numberOf(await contracts.call(coin.token, allowanceCall({ owner, spender })), coin.token);
}

function numberOf(answer: string | null, token: string): bigint {
  const number = answer === null ? undefined : decodeNumberAnswer(answer);
  if (number === undefined) throw new ContractAbsent(`there is no token at 0x${token}`);
  return number;
}
