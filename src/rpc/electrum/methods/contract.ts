import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { hashArgument, hexArgument } from '../arguments.ts';
import { askDaemon } from '../ask-daemon.ts';
import type { ElectrumMethod } from '../method.ts';
import { bad } from '../rpc-error.ts';

// Of servers of Qtum alone. Whether the daemon has contracts is for the daemon to say.

const ACCOUNT = /^[0-9a-f]{40}$/;

function addressArgument(value: JsonValue | undefined, name: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (ACCOUNT.test(text)) return text;
  throw bad(`${name} should be an address of 40 hex digits`);
}

const call: ElectrumMethod = {
  name: 'blockchain.contract.call',
  params: ['address', 'data', 'sender'],
  least: 2,
  run([address, data, sender], { context }) {
    const named = sender === undefined || sender === '' ? [] : [addressArgument(sender, 'sender')];
    const what = [addressArgument(address, 'address'), hexArgument(data, 'data')];
    return askDaemon(context, ['callcontract', ...what, ...named]);
  },
};

/** The name is misspelt on both sides of the protocol. */
const receipt: ElectrumMethod = {
  name: 'blochchain.transaction.get_receipt',
  params: ['txid'],
  least: 1,
  run: ([txid], { context }) =>
    askDaemon(context, ['gettransactionreceipt', hashArgument(txid, 'a transaction hash of 64 hex digits')]),
};

/** Where events of a contract name an account in one of their topics, the oldest first. */
const history: ElectrumMethod = {
  name: 'blockchain.contract.event.get_history',
  params: ['hash160', 'contract_addr', 'topic'],
  least: 3,
  async run([account, address, topic], { context }) {
    const named = addressArgument(account, 'hash160').padStart(64, '0');
    const contract = addressArgument(address, 'contract_addr');
    const event = hashArgument(topic, 'a topic of 64 hex digits');
    const { height } = context.follower.tip();
    const asked = [{ addresses: [contract] }, { topics: [event] }];
    const receipts = await askDaemon(context, ['searchlogs', 0, height, ...asked]);
    const isTold = (log: JsonValue): boolean => {
      const { address: by, topics } = isJsonObject(log) ? log : {};
      return by === contract && Array.isArray(topics) && topics[0] === event && topics.slice(1).includes(named);
    };
    return (Array.isArray(receipts) ? receipts : []).flatMap((one) => {
      const { transactionHash, blockNumber, log } = isJsonObject(one) ? one : {};
      const logs: readonly JsonValue[] = Array.isArray(log) ? log : [];
      return logs.flatMap((each, place) =>
        isTold(each)
          ? [{ tx_hash: transactionHash ?? null, height: Number(numberText(blockNumber) ?? 0), log_index: place }]
          : [],
      );
    });
  },
};

export const CONTRACT_METHODS: readonly ElectrumMethod[] = [call, receipt, history];
