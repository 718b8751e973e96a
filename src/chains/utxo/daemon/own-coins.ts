import { BackendSilent } from '../../../ports/silence.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { WritableIndex } from '../chain-index.ts';
import { type DaemonCall, type DaemonClient, resultsOf } from './client.ts';
import { bytesIn } from './told-transaction.ts';

/** The wallet's own address, and the scripts of all outputs that count as its own, in hex. */
export type OwnAddress = {
  readonly address: string;
  /** The same in an older form, for daemons that know no other. @defaultValue none */
  readonly older?: string;
  readonly scripts: readonly string[];
};

export type OwnCoins = {
  readonly client: DaemonClient;
  readonly own: OwnAddress;
  readonly index: WritableIndex;
  /** Blocks from this height on are read in full; this asks only for older coins. */
  readonly below: number;
};

/**
 * Puts the wallet's unspent outputs that lie below a height into the index. A daemon knows them by its index of addresses, by its
 * wallet if the address was imported into it, or by going through all that is unspent; it is asked in this order.
 *
 * @throws BackendSilent where it can do none of it, or has no index of transactions.
 */
export async function loadOwnCoins({ client, own, index, below }: OwnCoins): Promise<void> {
  const found = await unspentOf(client, own);
  const older = new Map(found.filter(({ height }) => height < below).map(({ txid, height }) => [txid, height]));
  const txids = [...older.keys()];
  for (let from = 0; from < txids.length; from += AT_ONCE) {
    const some = txids.slice(from, from + AT_ONCE);
    const raws = await resultsOf(
      client,
      some.map((txid) => ['getrawtransaction', txid]),
    );
    for (const [place, txid] of some.entries()) {
      index.put(txid, { hex: bytesIn(raws[place], txid), height: older.get(txid) ?? 0 });
    }
  }
}

/** How many transactions to request at a time: each may be as long as a block. */
const AT_ONCE = 50;

type Way = readonly [DaemonCall, (answer: JsonValue) => readonly JsonValue[]];

type Unspent = { readonly txid: string; readonly height: number };

async function unspentOf(client: DaemonClient, own: OwnAddress): Promise<readonly Unspent[]> {
  const { address, older, scripts } = own;
  const forms = older === undefined ? [address] : [address, older];
  const tip = Number(numberText((await resultsOf(client, [['getblockcount']]))[0]) ?? Number.NaN);
  const ways: readonly Way[] = [
    ...forms.map((form): Way => [['getaddressutxos', { addresses: [form] }], listIn]),
    ...forms.map((form): Way => [['listunspent', 1, 9_999_999, [form]], listIn]),
    [
      ['scantxoutset', 'start', scripts.map((script) => `raw(${script})`)],
      (answer) => listIn(isJsonObject(answer) ? answer['unspents'] : null),
    ],
  ];
  let refused = '';
  let isEmpty = false;
  for (const [call, read] of ways) {
    const [answer] = await client.batch([call]);
    if (answer === undefined || 'error' in answer) {
      refused = `${call[0]}: ${answer?.error.message ?? 'no answer'}`;
      continue;
    }
    const found = read(answer.result).map((entry) => unspentIn(entry, tip));
    // A wallet without the address lists nothing either.
    if (found.length > 0 || call[0] !== 'listunspent') return found;
    isEmpty = true;
  }
  if (isEmpty) return [];
  throw new BackendSilent(`the daemon does not list the coins of an address (${refused})`);
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The answer has the height, or it follows from the confirmations. */
function unspentIn(entry: JsonValue, tip: number): Unspent {
  const members: JsonObject = isJsonObject(entry) ? entry : {};
  const { txid } = members;
  const confirmations = numberText(members['rawconfirmations'] ?? members['confirmations']);
  const told = numberText(members['height']);
  const height = told !== undefined ? Number(told) : tip - Number(confirmations ?? Number.NaN) + 1;
  if (typeof txid !== 'string' || !Number.isSafeInteger(height)) {
    throw new BackendSilent('the daemon lists a coin without its transaction or height');
  }
  return { txid, height };
}
