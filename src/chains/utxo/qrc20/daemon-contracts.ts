import { TRANSFER_TOPIC, topicOfAccount } from '../../../htlc/contract-events.ts';
import { BackendSilent } from '../../../ports/silence.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import type { DaemonCall, DaemonClient } from '../daemon/client.ts';
import type { Tip } from '../reader.ts';
import { ContractAbsent, type ContractLook, type ContractReader, type Place } from './contracts.ts';
import { readCall, readFound, readReceipts, readTrial } from './read-answers.ts';

/** Blocks that the node searches per call. */
const AT_ONCE = 100;

/** Code of a node for an address that it does not know. */
const NO_ADDRESS = -5;

/**
 * Contracts as seen by the own node of Qtum. The node reports their events only if it runs with `-logevents`.
 *
 * @example
 * ```ts
 * import { createDaemonContracts, type DaemonClient } from 'swapfold/chains/utxo';
 * import { decodeNumberAnswer, TOKEN_DECIMALS, unixSecondsOf } from 'swapfold/htlc';
 *
 * const executionResult = { excepted: 'None', output: '8'.padStart(64, '0') };
 * const answer = { result: { executionResult } };
 * const client: DaemonClient = { batch: async (calls) => calls.map(() => answer) };
 * const tip = { hash: 'aa', height: 812_345, clock: unixSecondsOf(1_700_000_000) };
 * const look = createDaemonContracts(client).look(tip);
 * const digits = await look.call('d362e096e873eb7907e205fadc6175c6fec7bc44', TOKEN_DECIMALS);
 * decodeNumberAnswer(digits ?? ''); // → 8n
 * ```
 */
export function createDaemonContracts(client: DaemonClient): ContractReader {
  return { look: (tip) => lookAt(client, tip) };
}

function lookAt(client: DaemonClient, tip: Tip): ContractLook {
  let asked = false;
  const known = new Map<string, Promise<JsonValue>>();
  const ask = (call: DaemonCall): Promise<JsonValue> => {
    asked = true;
    const name = JSON.stringify(call);
    const answer = known.get(name) ?? answerOf(client, call);
    known.set(name, answer);
    return answer;
  };
  return {
    async call(contract, data) {
      const output = readCall(await ask(['callcontract', contract, data]));
      if (output === undefined) throw new BackendSilent('the daemon does not report what a contract returns');
      return output;
    },
    async trial({ from, to, data }) {
      const tried = readTrial(await ask(['callcontract', to, data, from]));
      if (tried === undefined) throw new BackendSilent('the daemon does not report what a call would do');
      return tried;
    },
    async receipts(txid) {
      const receipts = readReceipts(await ask(['gettransactionreceipt', txid]));
      if (receipts === undefined) throw new BackendSilent('the daemon does not report the outcome of a call');
      return receipts;
    },
    async transfers({ account, token, from }) {
      const topic = topicOfAccount(account);
      // Nodes compare each topic with the one at its place, and want one of them to be the same: the account is the second or the third.
      const topics = [null, topic, topic];
      const found: Place[] = [];
      for (let low = from; low <= tip.height; low += AT_ONCE) {
        const high = Math.min(low + AT_ONCE - 1, tip.height);
        const answer = await ask(['searchlogs', low, high, { addresses: [token] }, { topics }]);
        const places = readFound(answer, ({ logs }) =>
          logs.some((log) => log.contract === token && log.topics[0] === TRANSFER_TOPIC && log.topics.includes(topic)),
        );
        if (places === undefined) throw new BackendSilent('the daemon does not report the events of contracts');
        found.push(...places);
      }
      return found;
    },
    asked: () => asked,
    doubt: () => null,
  };
}

/** @throws BackendSilent, ContractAbsent */
async function answerOf(client: DaemonClient, call: DaemonCall): Promise<JsonValue> {
  const [answer] = await client.batch([call]);
  if (answer === undefined) throw new BackendSilent('the daemon does not answer');
  if ('result' in answer) return answer.result;
  const { code, message } = answer.error;
  if (code === NO_ADDRESS) throw new ContractAbsent(`there is no contract at ${String(call[1])}`);
  throw new BackendSilent(`the daemon refuses ${call[0]}: ${message}`);
}
