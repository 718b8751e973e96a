import { abiWord } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { CallReverted, type EvmLook } from './reader.ts';

// Code that an account without code runs in a simulated call: it moves tokens to an account and returns by how much that balance has grown. Its
// arguments are the token, the account and the amount, a word each.

const store = (selector: string, slot = '6000') => `63${selector}60e01b${slot}52`;
const RECEIVER_AT_4 = '602035600452';
/** The receiver's balance, to be read at this place. */
const balanceTo = (place: string) => `${store('70a08231')}${RECEIVER_AT_4}602060${place}602460006000355afa50`;
const TRANSFER = `${store('a9059cbb')}${RECEIVER_AT_4}604035602452602060a0604460006000600035${'5af1'}`;
const BEFORE = `${balanceTo('80')}608051`;
const AFTER = `${balanceTo('c0')}60c051`;
const RETURN_DIFFERENCE = '9003600052602060' + '00f3';
const REVERT = '5b60006000fd';

function probeCode(): string {
  // Below the top: before, whether it was moved, after.
  const head = `${BEFORE}${TRANSFER}${AFTER}919015`;
  const target = (head.length + 3 * 2 + RETURN_DIFFERENCE.length) / 2;
  return `${head}60${target.toString(16).padStart(2, '0')}57${RETURN_DIFFERENCE}${REVERT}`;
}

const CODE = probeCode();

export type Moving = { readonly token: string; readonly from: string; readonly to: string; readonly amount: bigint };

/**
 * By how much the balance of `to` would grow if `from` moved the amount to it, in base units. Null if the node cannot tell, or the token moves
 * nothing at all.
 */
export async function movedOf(look: EvmLook, { token, from, to, amount }: Moving): Promise<bigint | null> {
  try {
    const data = abiWord(token) + abiWord(to) + abiWord(amount.toString(16));
    const answer = await look.call({ to: from, data, code: CODE });
    return answer.length === 64 ? BigInt(`0x${answer}`) : null;
  } catch (error) {
    if (error instanceof CallReverted || error instanceof BackendSilent) return null;
    throw error;
  }
}

/** Code by which an account calls a contract with a value and data, and returns its balance of a token then. Arguments: token, contract, value, data. */
const CALL_ALL = `6060360380606060003760006000826000604035602035${'5af1'}`;
const OWN_BALANCE = `${store('70a08231')}306004526020600060246000600035${'5afa'}`;
const RETURN_WORD = '60206000f3';

function trialCode(): string {
  const jump = (target: number): string => `1560${target.toString(16).padStart(2, '0')}57`;
  const length = (CALL_ALL.length + OWN_BALANCE.length + RETURN_WORD.length) / 2 + 2 * 4;
  return `${CALL_ALL}${jump(length)}${OWN_BALANCE}${jump(length)}${RETURN_WORD}${REVERT}`;
}

const TRIAL = trialCode();

export type Trying = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly token: string;
};

/**
 * The token balance of `from` after it has called `to` so, in base units; simulated. @throws CallReverted if the call has no effect; BackendSilent if
 * the node does not simulate it
 */
export async function leftAfter(look: EvmLook, { from, to, value, data, token }: Trying): Promise<bigint> {
  const all = abiWord(token) + abiWord(to) + abiWord(value.toString(16)) + data;
  const answer = await look.call({ to: from, data: all, code: TRIAL });
  if (answer.length !== 64) throw new BackendSilent('the node does not simulate calls of accounts');
  return BigInt(`0x${answer}`);
}
