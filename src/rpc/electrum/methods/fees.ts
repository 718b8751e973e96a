import type { DaemonAnswer, DaemonClient } from '../../../chains/utxo/daemon/client.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { countArgument } from '../arguments.ts';
import type { ElectrumContext, ElectrumMethod } from '../method.ts';
import { daemonRefusal } from '../rpc-error.ts';
import { feeHistogram } from '../waiting-fees.ts';

const estimate: ElectrumMethod = {
  name: 'blockchain.estimatefee',
  params: ['number'],
  least: 1,
  run([given], { context }) {
    return estimateWithin(context, Math.max(1, countArgument(given, { name: 'number' })));
  },
};

type Estimates = { readonly tip: string; readonly byBlocks: Map<number, Promise<JsonValue>> };

/** What the daemon has said since the last block, from which it reckons: whoever asks again and again costs it nothing. */
const lastEstimates = new WeakMap<DaemonClient, Estimates>();

/** A daemon reckons within 1,008 blocks at most; who asks for many numbers of them is not to fill the memory. */
const MOST_KEPT = 64;

function estimateWithin({ client, follower }: ElectrumContext, blocks: number): Promise<JsonValue> {
  const tip = follower.tip().hash;
  const last = lastEstimates.get(client);
  const { byBlocks } = last?.tip === tip ? last : { byBlocks: new Map<number, Promise<JsonValue>>() };
  if (last?.tip !== tip) lastEstimates.set(client, { tip, byBlocks });
  const known = byBlocks.get(blocks);
  if (known !== undefined) return known;
  const asked = askEstimate(client, blocks);
  if (byBlocks.size >= MOST_KEPT) return asked;
  byBlocks.set(blocks, asked);
  return asked;
}

/** Where the daemon has not answered the next one asks again. */
async function askEstimate(client: DaemonClient, blocks: number): Promise<JsonValue> {
  const forget = (): void => void lastEstimates.get(client)?.byBlocks.delete(blocks);
  try {
    const answers = await client.batch([
      ['estimatesmartfee', blocks],
      ['estimatefee', blocks],
    ]);
    if (answers.every((answer) => 'error' in answer)) forget();
    return memberOf(answers, 'feerate') ?? -1;
  } catch (error) {
    forget();
    throw error;
  }
}

const relay: ElectrumMethod = {
  name: 'blockchain.relayfee',
  params: [],
  least: 0,
  async run(_, { context }) {
    const answers = await context.client.batch([['getnetworkinfo'], ['getinfo']]);
    const fee = memberOf(answers, 'relayfee');
    if (fee !== undefined) return fee;
    const [refused] = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
    throw daemonRefusal(refused ?? { code: 0, message: 'it does not report a relay fee' });
  },
};

/** The first number that is not below 0 among answers, told bare or as a member, as the daemon wrote it. */
function memberOf(answers: readonly DaemonAnswer[], name: string): JsonValue | undefined {
  for (const answer of answers) {
    const told = 'result' in answer ? answer.result : null;
    const value = isJsonObject(told) ? told[name] : told;
    if (Number(numberText(value) ?? -1) >= 0) return value;
  }
  return undefined;
}

const histogram: ElectrumMethod = {
  name: 'mempool.get_fee_histogram',
  params: [],
  least: 0,
  run: (_, { context }) => feeHistogram(context.reader),
};

/** In coin units for 1,000 bytes, but for the histogram. */
export const FEE_METHODS: readonly ElectrumMethod[] = [estimate, relay, histogram];
