import type { FaultKind } from '../../ports/chain.ts';
import type { EvmRefusal } from './reader.ts';

/** Refusals of the call or its caller, which say nothing about the transaction. */
const OF_THE_CALL =
  /\bmethod\b|rate.?limit|too many requests|quota|api.?key|unauthori[sz]ed|forbidden|upgrade your plan/i;
const NO_SUCH_METHOD = -32_601;

/** The words with which nodes refuse a transaction, the same in all versions of the common ones. */
const WORDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/nonce too low|nonce has already been used|old nonce|oldnonce/i, 'nonceUsed'],
  [/nonce too high|nonce gap|noncegap/i, 'nonceGap'],
  [/insufficient funds|insufficient balance|balance too low|upfront cost|insufficientfunds/i, 'insufficientFunds'],
  [/underpriced|could not replace|replacementnotallowed|feetoolow|fee too low|gas price too low/i, 'feeTooLow'],
  [
    /less than block base fee|max fee per gas less|below (?:the )?(?:minimum|base fee)|pool is full|txpool full/i,
    'feeTooLow',
  ],
  [/max priority fee per gas higher than max fee|tip above fee cap/i, 'invalid'],
  [/intrinsic gas|exceeds (?:block|max).*gas|gas limit (?:reached|exceeded|too high)/i, 'invalid'],
  [
    /invalid sender|invalid signature|invalid chain|chain ?id|invalid transaction|\brlp\b|oversized|type not supported/i,
    'invalid',
  ],
];

/**
 * What a refusal means. Unknown words are no answer: a busy node, or a gateway to several, refuses for its own reasons, and none of them is a fact
 * about the transaction.
 */
export function refusalKind({ code, message }: EvmRefusal): FaultKind {
  if (code === NO_SUCH_METHOD || OF_THE_CALL.test(message)) return 'unavailable';
  return WORDS.find(([words]) => words.test(message))?.[1] ?? 'unavailable';
}

/** Whether the node refuses a transaction because it already holds it. */
export function isKnownAlready({ message }: EvmRefusal): boolean {
  return /already known|known transaction|already imported|alreadyknown|already exists|already in (?:the )?(?:mem)?pool/i.test(
    message,
  );
}
