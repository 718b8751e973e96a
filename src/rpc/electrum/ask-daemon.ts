import type { DaemonAnswer, DaemonCall } from '../../chains/utxo/daemon/client.ts';
import { BackendSilent } from '../../ports/silence.ts';
import type { JsonValue } from '../../primitives/json.ts';
import type { ElectrumContext } from './method.ts';
import { daemonRefusal } from './rpc-error.ts';

/** What the daemon answers, or why it refuses. @throws BackendSilent */
export async function answerOfDaemon(
  { client }: Pick<ElectrumContext, 'client'>,
  call: DaemonCall,
): Promise<DaemonAnswer> {
  const [answer] = await client.batch([call]);
  if (answer === undefined) throw new BackendSilent('the daemon does not answer');
  return answer;
}

/** What the daemon answers. @throws BackendSilent; ElectrumRpcError where it refuses */
export async function askDaemon(context: Pick<ElectrumContext, 'client'>, call: DaemonCall): Promise<JsonValue> {
  const answer = await answerOfDaemon(context, call);
  if ('error' in answer) throw daemonRefusal(answer.error);
  return answer.result;
}
