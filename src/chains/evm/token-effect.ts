import { takenByTokenCall } from '../../htlc/token-effect.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { tokenPayment } from './account.ts';
import { leftAfter } from './probe.ts';
import { CallReverted, type EvmLook } from './reader.ts';
import { swapCallOf } from './terms.ts';
import type { Made } from './transaction.ts';

export type Effect = {
  readonly made: Pick<Made, 'from' | 'to' | 'value' | 'data'>;
  /** 40 hex digits. */
  readonly token: string;
  /** Swap contracts: what they take is what their calls say, if these are in the form that swaps write. */
  readonly contracts: readonly string[];
  /** Base units that the account has by its last block. */
  readonly balance: bigint;
};

/**
 * Base units of a token that a transaction takes from its account, or lets others take: read from calls of the token itself and of the swap contracts, and
 * tried at the node if anything else is called. `unknown` if neither tells, as for functions of the token that no standard has. What a contract does at
 * another moment, or to whom an account has allowed something earlier, no trial shows.
 */
export async function takenOf(look: EvmLook, effect: Effect): Promise<bigint | 'unknown'> {
  const { made, token, contracts, balance } = effect;
  if (made.to === null) return 'unknown';
  if (made.to === token) return takenByTokenCall({ ...made, contracts });
  if (contracts.includes(made.to) && swapCallOf(made) !== undefined) {
    const payment = tokenPayment(made);
    return payment?.token === token ? payment.amount : 0n;
  }
  try {
    if ((await look.code(made.to)) === '') return 0n;
    const left = await leftAfter(look, { ...made, to: made.to, token });
    return left < balance ? balance - left : 0n;
  } catch (error) {
    if (error instanceof BackendSilent || error instanceof CallReverted) return 'unknown';
    throw error;
  }
}
