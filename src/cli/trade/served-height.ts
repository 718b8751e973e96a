import { connectElectrum } from '../../chains/utxo/electrum/connection.ts';
import { isJsonObject, numberText } from '../../primitives/json.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { callFailed } from './error.ts';

const METHOD = 'blockchain.headers.subscribe';
const TIMEOUT_MS = 20_000;

/** The height up to which an Electrum server of this host tells blocks. @throws TradeError TRADE_CALL_FAILED; ConnectionLost */
export async function servedHeight(port: number): Promise<number> {
  const url = `127.0.0.1:${port}`;
  const server = { url, protocol: 'TCP', disableCertVerification: false, timeoutMs: TIMEOUT_MS } as const;
  const connection = await connectElectrum({ server, clock: systemClock(), onNotification() {} });
  try {
    const [answer] = await connection.batch([[METHOD]]);
    if (answer !== undefined && 'result' in answer && isJsonObject(answer.result)) {
      return Number(numberText(answer.result['height']));
    }
    throw callFailed(METHOD, 'the Electrum server tells no height');
  } finally {
    connection.close('it was asked');
  }
}
