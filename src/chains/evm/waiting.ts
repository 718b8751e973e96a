import { type JsonMembers, listOf, membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { AnswerTooLong } from '../accounts/silence.ts';
import { bytesOf, countOf, isAbsent } from './json.ts';
import type { EvmNode } from './node.ts';
import { bytesOfTold } from './node-transaction.ts';
import type { EvmBlock, Interest } from './reader.ts';
import { hex0 } from './transaction.ts';

/** More than one contract gets in a block. Decoding bytes costs time, and a node may make up as many as it likes. */
const MOST_WAITING = 256;

/** Some nodes have no pending block, and some show their last one as such. One above the size limit shows nothing, and what is in blocks is seen without it. */
export async function waitingOf(
  node: EvmNode,
  { interest, head }: { readonly interest: Interest; readonly head: EvmBlock },
): Promise<readonly string[]> {
  const told = await node.request('eth_getBlockByNumber', ['pending', true]).catch((error: unknown) => {
    if (error instanceof NodeRefusal || error instanceof AnswerTooLong) return null;
    throw error;
  });
  if (isAbsent(told)) return [];
  const { number, transactions } = membersOf(told, 'a block');
  if (!isAbsent(number) && countOf(number, 'the number of a block') <= head.number) return [];
  const isWanted = wantedBy(interest);
  const wanted = listOf(transactions, 'transactions').filter((one) => isWanted(membersOf(one, 'a transaction')));
  return wanted.slice(0, MOST_WAITING).flatMap((one) => {
    const members = membersOf(one, 'a transaction');
    return bytesOfTold(members, bytesOf(members['hash'], { what: 'the id of a transaction', bytes: 32 })) ?? [];
  });
}

/** By what the node says, at no cost: the bytes show whether it is so. */
function wantedBy({ contract, swapId, sender }: Interest): (told: JsonMembers) => boolean {
  const [to, from] = [hex0(contract), sender === undefined ? null : hex0(sender)];
  const isAbout = (data: unknown): boolean =>
    swapId === undefined ||
    (typeof data === 'string' && data.slice(ID_AT, ID_AT + swapId.length).toLowerCase() === swapId);
  const is = (told: unknown, wanted: string | null): boolean =>
    typeof told === 'string' && told.toLowerCase() === wanted;
  return (told) => is(told['from'], from) || (is(told['to'], to) && isAbout(told['input']));
}

/** Of the id, which is the first argument of every function of the swap contract, in call data with 0x. */
const ID_AT = 2 + 8;
