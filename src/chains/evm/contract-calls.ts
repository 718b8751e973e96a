import { ContractAbsent, type Look } from './reader.ts';

/** What the swap contract stores under an id. */
export type Stored = {
  readonly paymentHash: string;
  readonly lock: bigint;
  /** 0 none, 1 paid, 2 claimed, 3 refunded. */
  readonly state: number;
};

export const STATE = { none: 0, paid: 1, claimed: 2, refunded: 3 } as const;

const PAYMENTS = '0716326d';
const BALANCE_OF = '70a08231';
const ALLOWANCE = 'dd62ed3e';
const APPROVE = '095ea7b3';
const TRANSFER = 'a9059cbb';
const DECIMALS = '313ce567';

const WORD = 64;

/** @throws ContractAbsent where there is no such contract */
export async function storedUnder(look: Look, { contract, id }: { contract: string; id: string }): Promise<Stored> {
  const answer = await look.call({ to: contract, data: PAYMENTS + id });
  if (answer.length !== 3 * WORD) throw new ContractAbsent(`there is no swap contract at ${contract}`);
  return {
    paymentHash: answer.slice(0, 40),
    lock: BigInt(`0x${answer.slice(WORD, 2 * WORD)}`),
    state: Number(`0x${answer.slice(2 * WORD)}`),
  };
}

/** @throws ContractAbsent where there is no such token; CallReverted */
export async function tokenBalance(look: Look, { token, owner }: { token: string; owner: string }): Promise<bigint> {
  return numberOf(await look.call({ to: token, data: BALANCE_OF + word(owner) }), token);
}

export type Allowance = { readonly token: string; readonly owner: string; readonly spender: string };

/** @throws ContractAbsent where there is no such token; CallReverted */
export async function allowanceOf(look: Look, { token, owner, spender }: Allowance): Promise<bigint> {
  return numberOf(await look.call({ to: token, data: ALLOWANCE + word(owner) + word(spender) }), token);
}

/** What a token says of its digits; null where it says nothing. @throws BackendSilent */
export async function tokenDecimals(look: Look, token: string): Promise<bigint | null> {
  const answer = await look.call({ to: token, data: DECIMALS });
  return answer.length === WORD ? BigInt(`0x${answer}`) : null;
}

export function approval(spender: string, amount: bigint): string {
  return APPROVE + word(spender) + word(amount.toString(16));
}

export function tokenTransfer(to: string, amount: bigint): string {
  return TRANSFER + word(to) + word(amount.toString(16));
}

/** The amount of an approval for this spender; null for any other call. */
export function approvedBy(data: string, spender: string): bigint | null {
  const head = APPROVE + word(spender);
  return data.length === head.length + WORD && data.startsWith(head) ? BigInt(`0x${data.slice(head.length)}`) : null;
}

function numberOf(answer: string, token: string): bigint {
  if (answer.length !== WORD) throw new ContractAbsent(`there is no token at ${token}`);
  return BigInt(`0x${answer}`);
}

export function word(hex: string): string {
  return hex.padStart(WORD, '0');
}
