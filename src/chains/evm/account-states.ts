import { bytesOf, countOf, quantityOf } from './json.ts';
import { type EvmNode, NodeRefusal } from './node.ts';
import { BackendSilent } from './reader.ts';

/** Of many accounts what they hold, and how many transactions they have sent. */
export type StatesAsked = {
  /** 0x and 40 hex digits. */
  readonly accounts: readonly string[];
  /** Contracts of tokens, 0x and 40 hex digits. */
  readonly tokens: readonly string[];
  /** Whether the transactions are to be counted. */
  readonly sent: boolean;
};

/** Amounts in wei and base units, tokens in the order in which they were asked for. */
export type AccountStates = { readonly sent: number | null; readonly coin: bigint; readonly tokens: readonly bigint[] };

type Call = { readonly method: string; readonly params: readonly unknown[]; readonly what: string };

const BALANCE_OF = '0x70a08231';
const WORD_BYTES = 32;
/** Where a node takes no batch, so many calls are under way at a time. */
const AT_ONCE = 16;

/**
 * Asks one node after the other, as of its last block, until one tells all of it. `batched` merges calls that are made together; a node that takes no
 * batch is asked by `single`, call by call.
 *
 * @throws BackendSilent where none does
 */
export async function accountStates(
  nodes: readonly { readonly batched: EvmNode; readonly single: EvmNode }[],
  asked: StatesAsked,
): Promise<readonly AccountStates[]> {
  const calls = asked.accounts.flatMap((account) => callsOf(account, asked));
  let last: unknown = new BackendSilent('no node is connected to');
  for (const { batched, single } of nodes) {
    try {
      const answers = await Promise.all(calls.map((call) => answerOf(batched, call))).catch((error: unknown) => {
        if (error instanceof BackendSilent) return oneByOne(single, calls);
        throw error;
      });
      return readAll(answers, asked);
    } catch (error) {
      if (!(error instanceof BackendSilent)) throw error;
      last = error;
    }
  }
  throw last;
}

function callsOf(account: string, { tokens, sent }: StatesAsked): readonly Call[] {
  const data = BALANCE_OF + account.slice(2).toLowerCase().padStart(64, '0');
  return [
    { method: 'eth_getBalance', params: [account, 'latest'], what: 'a balance' },
    ...tokens.map((to) => ({
      ...{ method: 'eth_call', what: `a balance of the token ${to}` },
      params: [{ from: account, to, data }, 'latest'],
    })),
    ...(sent ? [{ method: 'eth_getTransactionCount', params: [account, 'latest'], what: 'a count' }] : []),
  ];
}

async function answerOf(node: EvmNode, { method, params, what }: Call): Promise<unknown> {
  try {
    return await node.request(method, params);
  } catch (error) {
    if (error instanceof NodeRefusal) throw new BackendSilent(`${node.name} refuses ${what}: ${error.message}`);
    throw error;
  }
}

async function oneByOne(node: EvmNode, calls: readonly Call[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    const some = calls.slice(from, from + AT_ONCE);
    answers.push(...(await Promise.all(some.map((call) => answerOf(node, call)))));
  }
  return answers;
}

function readAll(answers: readonly unknown[], { accounts, tokens, sent }: StatesAsked): readonly AccountStates[] {
  const width = 1 + tokens.length + (sent ? 1 : 0);
  return accounts.map((_, place) => {
    const own = answers.slice(place * width, (place + 1) * width);
    return {
      coin: quantityOf(own[0], 'a balance'),
      tokens: tokens.map((token, at) => tokenAmount(own[1 + at], token)),
      sent: sent ? countOf(own[width - 1], 'a count of transactions') : null,
    };
  });
}

/** What is no contract answers with nothing. */
function tokenAmount(answer: unknown, token: string): bigint {
  const word = bytesOf(answer, { what: `a balance of the token ${token}`, bytes: WORD_BYTES });
  return BigInt(`0x${word}`);
}
