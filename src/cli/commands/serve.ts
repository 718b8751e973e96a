import type { Compatibility } from '../../node/node.ts';
import { pinoLogger } from '../../runtime/logger-pino.ts';
import { endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { clean } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { type OpenedNode, openTradingNode } from '../serve/trading-node.ts';

export type ServeOptions = {
  readonly conf: string;
  readonly rpcport?: number;
  readonly compatibility: Compatibility;
  readonly json?: boolean;
};

/** `swapfold serve`: a trading node with the framework's JSON-RPC, until a signal or the method `stop` ends it. */
export async function serveCommand({ io, json = false, ...options }: ServeOptions & { io: CliIo }): Promise<ExitCode> {
  const ending = endOfProcess();
  const logger = pinoLogger({ level: 'warn', destination: { write: (line) => void io.stderr.write(line) } });
  const output = createOutput(io.stdout);
  try {
    const opened = await openTradingNode({ ...options, logger, onStop: ending.end });
    try {
      await output.write(json ? jsonLine(rowOf(opened)) : startedText(opened));
      await output.flush();
      await ending.ended;
    } finally {
      await opened.close();
    }
  } finally {
    ending.release();
  }
  return EXIT.ok;
}

function rowOf({ url, publicKey, tickers, log, needed, before }: OpenedNode) {
  return { url, publicKey, coins: tickers.length, log, needed, before };
}

function startedText({ url, publicKey, tickers, log, needed, before, ignored }: OpenedNode): string {
  const coins = tickers.length === 1 ? '1 coin is' : `${tickers.length} coins are`;
  const lines = [
    `The node listens on ${url}`,
    `  key    ${publicKey}`,
    `  coins  ${coins} configured; none is active before it is enabled`,
    `  swaps  ${log}`,
    ...(needed.length === 0 ? [] : [`  swaps go on once these coins are active: ${needed.join(', ')}`]),
    ...(before.length === 0 ? [] : [`  before ${before.join(', ')}: active until the node was ended`]),
    ...(ignored.length === 0 ? [] : [`  conf   without effect: ${ignored.join(', ')}`]),
  ];
  return `${lines.map(clean).join('\n')}\n`;
}
