import { BackendSilent } from '../../ports/silence.ts';
import { CallReverted, type EvmLook, type Intent } from './reader.ts';

/** More than any bare transfer takes, even if it includes the cost on an underlying chain. */
export const MOST_OF_TRANSFER = 5_000_000n;

/**
 * Gas for a transfer of the chain's own coin: the stated minimum, or half as much again as the node thinks if that is more, as on rollups;
 * never more than a bound, because a lying node would make each transfer cost everything.
 */
export async function transferGas(
  look: EvmLook,
  { intent, least }: { readonly intent: Intent; readonly least: bigint },
): Promise<bigint> {
  const told = await look.gas(intent).catch((error: unknown) => {
    if (error instanceof BackendSilent || error instanceof CallReverted) return 0n;
    throw error;
  });
  const roomy = roomFor(told, least);
  return roomy < MOST_OF_TRANSFER ? roomy : MOST_OF_TRANSFER;
}

/**
 * The same for a transfer to any account, which may be a contract: null if that takes more than the bound. @throws CallReverted if the receiver
 * refuses it
 */
export async function gasToReceiver(
  look: EvmLook,
  { intent, least }: { readonly intent: Intent; readonly least: bigint },
): Promise<bigint | null> {
  const told = await look.gas(intent).catch((error: unknown) => {
    if (error instanceof BackendSilent) return 0n;
    throw error;
  });
  const roomy = roomFor(told, least);
  return roomy > MOST_OF_TRANSFER ? null : roomy;
}

function roomFor(told: bigint, least: bigint): bigint {
  return told <= least ? least : (told * 3n + 1n) / 2n;
}
