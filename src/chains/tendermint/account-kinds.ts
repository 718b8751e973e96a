import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { readProto } from '../../htlc/protobuf.ts';
import { BackendSilent } from '../../ports/silence.ts';
import type { AccountState } from './reader.ts';

/** How many messages wrap the base account, each as its first member; and whether some of its coins vest over time. */
type Wrapping = { readonly depth: 0 | 1 | 2; readonly isVesting: boolean };

const VESTING = '/cosmos.vesting.v1beta1';

const KINDS: ReadonlyMap<string, Wrapping> = new Map([
  ['/cosmos.auth.v1beta1.BaseAccount', { depth: 0, isVesting: false }],
  ['/cosmos.auth.v1beta1.ModuleAccount', { depth: 1, isVesting: false }],
  [`${VESTING}.BaseVestingAccount`, { depth: 1, isVesting: true }],
  ...['Continuous', 'Delayed', 'Periodic'].map((kind): [string, Wrapping] => [
    `${VESTING}.${kind}VestingAccount`,
    { depth: 2, isVesting: true },
  ]),
  [`${VESTING}.PermanentLockedAccount`, { depth: 2, isVesting: true }],
]);

/**
 * What an account of any kind of the Cosmos SDK says of itself. Of other kinds nobody knows here by what key and hash they are signed for, so that nothing
 * is taken for theirs.
 *
 * @throws BackendSilent for another kind, by its name, and for what is none
 */
export function accountState(kind: string, { bytes, address }: { bytes: Uint8Array; address: string }): AccountState {
  const wrapping = KINDS.get(kind);
  if (wrapping === undefined)
    throw new BackendSilent(`${address} is an account of kind ${kind.slice(0, 100)}, which is not supported here`);
  let inner: Uint8Array = bytes;
  for (let depth = 0; depth < wrapping.depth; depth += 1) inner = firstMember(inner);
  const { accountNumber, sequence, address: found } = BaseAccount.decode(inner);
  if (found !== address || sequence > BigInt(Number.MAX_SAFE_INTEGER)) throw new BackendSilent('another account');
  const state = { number: accountNumber, sequence: Number(sequence) };
  return wrapping.isVesting ? { ...state, isVesting: true } : state;
}

function firstMember(bytes: Uint8Array): Uint8Array {
  const member = readProto(bytes)?.get(1)?.at(-1);
  if (member instanceof Uint8Array) return member;
  throw new BackendSilent('a node sent an invalid answer: an account');
}
