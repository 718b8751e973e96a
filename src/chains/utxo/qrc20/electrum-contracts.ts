import { TRANSFER_TOPIC } from '../../../htlc/contract-events.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import { canonicalJson, type JsonValue } from '../../../primitives/json.ts';
import type { ElectrumCall } from '../electrum/connection.ts';
import { type ElectrumBackend, type Panel, panelOf, type Told } from '../electrum/panel.ts';
import { ContractAbsent, type ContractLook, type ContractReader, ContractsUnsteady } from './contracts.ts';
import { readCall, readPlaces, readReceipts, readTrial } from './read-answers.ts';

/** An answer of a server, as far as it can be read; or its refusal, in its own words. */
type Said<T> = { readonly value: T } | Refusal;

/** `isWord`: the server itself says so; it is neither silent nor unreadable. */
type Refusal = { readonly refusal: string; readonly isWord: boolean };

/**
 * Contracts as seen by Electrum servers of Qtum, of which a quorum must agree.
 *
 * @example
 * ```ts
 * import { createElectrumContracts, type ElectrumBackend } from 'swapfold/chains/utxo';
 * import { decodeNumberAnswer, TOKEN_DECIMALS, unixSecondsOf } from 'swapfold/htlc';
 *
 * const executionResult = { excepted: 'None', output: '8'.padStart(64, '0') };
 * const backend: ElectrumBackend = {
 *   batch: async (calls) => calls.map(() => ({ result: { executionResult } })),
 *   onNews: () => ({ close() {} }),
 * };
 * const tip = { hash: 'aa', height: 812_345, clock: unixSecondsOf(1_700_000_000) };
 * const look = createElectrumContracts(backend).look(tip);
 * const digits = await look.call('d362e096e873eb7907e205fadc6175c6fec7bc44', TOKEN_DECIMALS);
 * decodeNumberAnswer(digits ?? ''); // → 8n
 * ```
 */
export function createElectrumContracts(backend: ElectrumBackend): ContractReader {
  const panel = panelOf(backend);
  return { look: () => lookOver(panel) };
}

function lookOver(panel: Panel): ContractLook {
  let asked = false;
  let doubt: string | null = null;
  const known = new Map<string, Promise<Said<unknown>>>();
  const ask = async <T>(call: ElectrumCall, read: (answer: JsonValue) => T | undefined): Promise<Said<T>> => {
    asked = true;
    const name = canonicalJson([...call] as JsonValue);
    const doubted = (why: string): void => {
      doubt = why;
    };
    const found = known.get(name) ?? agreed(panel, { call, read, doubted });
    known.set(name, found);
    return (await found) as Said<T>;
  };
  const answered = <T>(said: Said<T>): T => {
    if ('value' in said) return said.value;
    throw new BackendSilent(`an Electrum server does not answer about contracts: ${said.refusal}`);
  };
  return {
    async call(contract, data) {
      return answered(there(contract, await ask(['blockchain.contract.call', contract, data, ''], readCall)));
    },
    async trial({ from, to, data }) {
      const said = there(to, await ask(['blockchain.contract.call', to, data, from], readTrial));
      if ('value' in said) return said.value;
      if (said.isWord) return null;
      return answered(said);
    },
    receipts: async (txid) => answered(await ask(['blochchain.transaction.get_receipt', txid], readReceipts)),
    async transfers({ account, token, from }) {
      const call = ['blockchain.contract.event.get_history', account, token, TRANSFER_TOPIC] as const;
      return answered(await ask(call, readPlaces)).filter(({ height }) => height >= from);
    },
    asked: () => asked,
    doubt: () => doubt,
  };
}

/** The error with which nodes report that an address has no contract. */
const NO_CONTRACT = /Address does not exist|contract address does not exist/i;

/** @throws ContractAbsent */
function there<T>(contract: string, said: Said<T>): Said<T> {
  if ('refusal' in said && NO_CONTRACT.test(said.refusal))
    throw new ContractAbsent(`there is no contract at ${contract}`);
  return said;
}

type Question<T> = {
  readonly call: ElectrumCall;
  readonly read: (answer: JsonValue) => T | undefined;
  readonly doubted: (why: string) => void;
};

/** What a quorum says. @throws BackendSilent, ContractsUnsteady */
async function agreed<T>(panel: Panel, { call, read, doubted }: Question<T>): Promise<Said<T>> {
  const first = await panel.survey([call], 'quorum');
  const one = mostSaid(first.map((told) => saidBy(told, read)));
  if (one.count === first.length && one.count > 0) {
    if (one.count < panel.quorum)
      doubted(`${one.count} of the ${panel.quorum} Electrum servers that must agree about a contract answered`);
    return one.said;
  }
  const all = mostSaid((await panel.survey([call], 'all')).map((told) => saidBy(told, read)));
  if (all.count >= panel.quorum) return all.said;
  throw new ContractsUnsteady('Electrum servers disagree about a contract');
}

function mostSaid<T>(said: readonly Said<T>[]): { readonly said: Said<T>; readonly count: number } {
  const groups = new Map<string, Said<T>[]>();
  for (const each of said) {
    const name =
      'value' in each
        ? `value ${canonicalJson((each.value ?? null) as JsonValue)}`
        : `refusal ${NO_CONTRACT.test(each.refusal)} ${each.isWord}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  const [largest] = [...groups.values()].sort((left, right) => right.length - left.length);
  const [first] = largest ?? [];
  if (first === undefined || largest === undefined)
    throw new BackendSilent('no Electrum server answers about contracts');
  return { said: first, count: largest.length };
}

function saidBy<T>({ answers: [answer], voice }: Told, read: (answer: JsonValue) => T | undefined): Said<T> {
  if (answer === undefined) return { refusal: `${voice.url} does not answer`, isWord: false };
  if ('error' in answer) return { refusal: answer.error.message, isWord: true };
  const value = read(answer.result);
  return value === undefined ? { refusal: `${voice.url} sent an answer of another form`, isWord: false } : { value };
}
