import { BackendSilent } from '../../../ports/silence.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { WritableIndex } from '../chain-index.ts';
import { type DaemonAnswer, type DaemonCall, type DaemonClient, resultsOf } from './client.ts';
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
 * @throws BackendSilent where it can do none of it, or has pruned the blocks of a coin.
 */
export async function loadOwnCoins({ client, own, index, below }: OwnCoins): Promise<void> {
  const found = await unspentOf(client, own);
  const older = new Map(found.filter(({ height }) => height < below).map(({ txid, height }) => [txid, height]));
  const txids = [...older.keys()];
  for (let from = 0; from < txids.length; from += AT_ONCE) {
    const some = txids.slice(from, from + AT_ONCE);
    const raws = await bytesAt(
      client,
      some.map((txid) => ({ txid, height: older.get(txid) ?? 0 })),
    );
    for (const { txid, height, hex } of raws) index.put(txid, { hex, height });
  }
}

/** A daemon without an index of transactions finds one in the block that it is told. */
async function bytesAt(
  client: DaemonClient,
  coins: readonly Unspent[],
): Promise<readonly (Unspent & { readonly hex: string })[]> {
  const answers = await client.batch(coins.map(({ txid }): DaemonCall => ['getrawtransaction', txid]));
  const missing = coins.filter((_, place) => !isResult(answers[place]));
  const hashes = await resultsOf(
    client,
    missing.map(({ height }) => ['getblockhash', height]),
  );
  const raws = await resultsOf(
    client,
    missing.map(({ txid }, place) => ['getrawtransaction', txid, 0, hashes[place]]),
  );
  const found = new Map(missing.map(({ txid }, place) => [txid, raws[place]]));
  return coins.map(({ txid, height }, place) => {
    const answer = answers[place];
    return { txid, height, hex: bytesIn(isResult(answer) ? answer.result : found.get(txid), txid) };
  });
}

function isResult(answer: DaemonAnswer | undefined): answer is { readonly result: JsonValue } {
  return answer !== undefined && 'result' in answer;
}

/** How many transactions to request at a time: each may be as long as a block. */
const AT_ONCE = 50;

/** How long a daemon may go through all that is unspent, in milliseconds: a minute and more on a large chain. HTTP clients wait for 300 s at most. */
const SCAN_MS = 290_000;

/** Null for an answer that is none. */
type Way = readonly [DaemonCall, (answer: JsonValue) => readonly JsonValue[] | null];

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
      (answer) => (isJsonObject(answer) && answer['success'] !== false ? listIn(answer['unspents']) : null),
    ],
  ];
  let refused = '';
  let isEmpty = false;
  for (const [call, read] of ways) {
    const [answer] = await client.batch([call], call[0] === 'scantxoutset' ? { timeoutMs: SCAN_MS } : {});
    const listed = isResult(answer) ? read(answer.result) : null;
    if (listed === null) {
      refused = `${call[0]}: ${answer !== undefined && 'error' in answer ? answer.error.message : 'no answer'}`;
      continue;
    }
    const found = listed.map((entry) => unspentIn(entry, tip));
    // A wallet without the address lists nothing either.
    if (found.length > 0 || call[0] !== 'listunspent') return found;
    isEmpty = true;
  }
  if (isEmpty) return [];
  throw new BackendSilent(`the daemon does not list the coins of an address (${refused})`);
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] | null {
  return Array.isArray(value) ? value : null;
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
