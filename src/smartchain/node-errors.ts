import type { Refusal } from './chain/refusal.ts';
import { SmartChainError } from './error.ts';
import type { ChainParams } from './params.ts';

/** Times of blocks have 32 bits. */
export const LAST_BLOCK_TIME = 0xffff_ffff;

export function unminable({ name, bits }: ChainParams, refused?: Refusal): SmartChainError {
  const reason =
    refused === undefined
      ? 'no nonce met the target'
      : refused.kind === 'missing-inputs'
        ? 'missing inputs'
        : refused.reason;
  return new SmartChainError('SMARTCHAIN_BLOCK_REFUSED', 'No block could be mined.', {
    facts: { chain: name, bits: bits.toString(16), reason },
    next: 'With an easier target a nonce can be found; a refused block is a bug, please report it.',
  });
}

export function sendingUnknown(txid: string, cause: unknown): SmartChainError {
  return new SmartChainError(
    'SMARTCHAIN_SENDING_UNKNOWN',
    'It is unknown whether the transaction will be sent: it may be in the log. Look for it before you pay anything again.',
    {
      facts: { txid },
      next: 'Repair the log, open the chain again, and ask for the transaction by its id.',
      retry: 'operator',
      cause,
    },
  );
}

export function notNotarizable(hash: string): SmartChainError {
  return new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'This block cannot be notarized.', {
    facts: { block: hash },
    next: 'Open the chain with notarization, and name a block of its active chain.',
  });
}

export function noTime(seconds: number | undefined, cause?: unknown): SmartChainError {
  return new SmartChainError('SMARTCHAIN_CLOCK_INVALID', "No block can have the host's current time.", {
    facts: { seconds, least: 0, most: LAST_BLOCK_TIME },
    next: 'Set the clock of this host correctly; nothing was changed.',
    retry: 'operator',
    cause,
  });
}
