import type { FaultKind } from '../../ports/chain.ts';
import { membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import type { TendermintRefusal } from './reader.ts';

/** Codes of the Cosmos SDK that are final for a transaction or concern its fee. */
const KINDS: Readonly<Record<number, FaultKind>> = {
  2: 'invalid',
  4: 'invalid',
  5: 'insufficientFunds',
  6: 'invalid',
  7: 'invalid',
  8: 'invalid',
  10: 'invalid',
  12: 'invalid',
  13: 'feeTooLow',
  14: 'invalid',
  15: 'invalid',
  21: 'invalid',
  // No later block includes it, so its sequence is free.
  30: 'nonceUsed',
};

const WRONG_SEQUENCE = 32;
const IN_CACHE = 19;

/** What a refusal means. An unknown text counts as no answer: it states no fact about the transaction. */
export function refusalKind({ code, codespace }: TendermintRefusal): FaultKind {
  return (codespace === 'sdk' && code !== null ? KINDS[code] : undefined) ?? 'unavailable';
}

const EXPECTED = /expected (\d{1,15}), got (\d{1,15})/;

/** The sequence that the account has to use next, what waits included, as a node says that refuses another one; null where it says nothing of it. */
export function expectedSequence({ code, codespace, message }: TendermintRefusal): number | null {
  const found = codespace === 'sdk' && code === WRONG_SEQUENCE ? EXPECTED.exec(message) : null;
  return found === null ? null : Number(found[1]);
}

/** Whether the node refuses a transaction because it holds it. */
export function isKnownAlready({ code, codespace, message }: TendermintRefusal): boolean {
  return (codespace === 'sdk' && code === IN_CACHE) || (code === null && /tx already exists in cache/i.test(message));
}

/** The member `error` of an answer in place of a result. */
export function nodeRefusal(error: unknown): NodeRefusal {
  if (typeof error !== 'object' || error === null) return new NodeRefusal(0, String(error));
  const { code, message, data } = membersOf(error, 'an error');
  return new NodeRefusal(typeof code === 'number' ? code : 0, `${String(message)}: ${String(data ?? '')}`);
}
