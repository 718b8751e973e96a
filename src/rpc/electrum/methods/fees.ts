import type { DaemonAnswer } from '../../../chains/utxo/daemon/client.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { countArgument } from '../arguments.ts';
import type { ElectrumMethod } from '../method.ts';
import { daemonRefusal } from '../rpc-error.ts';
import { feeHistogram } from '../waiting-fees.ts';

const estimate: ElectrumMethod = {
  name: 'blockchain.estimatefee',
  params: ['number'],
  least: 1,
  async run([given], { context }) {
    const blocks = Math.max(1, countArgument(given, { name: 'number' }));
    const answers = await context.client.batch([
      ['estimatesmartfee', blocks],
      ['estimatefee', blocks],
    ]);
    return memberOf(answers, 'feerate') ?? -1;
  },
};

const relay: ElectrumMethod = {
  name: 'blockchain.relayfee',
  params: [],
  least: 0,
  async run(_, { context }) {
    const answers = await context.client.batch([['getnetworkinfo'], ['getinfo']]);
    const fee = memberOf(answers, 'relayfee');
    if (fee !== undefined) return fee;
    const [refused] = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
    throw daemonRefusal(refused ?? { code: 0, message: 'it tells no relay fee' });
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
