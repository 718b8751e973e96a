import type { Compatibility } from '../../node/node.ts';
import { commandLogger } from '../command-logger.ts';
import { endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { startedText } from '../render/serve.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { type OpenedNode, openTradingNode } from '../serve/trading-node.ts';
import { said } from '../voice.ts';

export type ServeOptions = {
  readonly conf: string;
  readonly rpcport?: number;
  readonly compatibility: Compatibility;
  /** Seconds. */
  readonly poll?: number;
  readonly recordPeers?: string;
  readonly json?: boolean;
};

/** `swapfold serve`: a trading node with the framework's JSON-RPC, until a signal or the method `stop` ends it. */
export async function serveCommand({ io, json = false, ...options }: ServeOptions & { io: CliIo }): Promise<ExitCode> {
  const logger = await commandLogger(io);
  const ending = endOfProcess();
  const output = createOutput(io.stdout);
  try {
    const opened = await openTradingNode({ ...options, logger, onStop: ending.end });
    try {
      await output.write(json ? jsonLine(rowOf(opened)) : said(io, startedText(opened, styleOf(io))));
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

function rowOf({ url, publicKey, tickers, log, needed, before, again, lost, network, ...opened }: OpenedNode) {
  const { ignored, warnings } = opened;
  const coins = tickers.length;
  const wereActive = before.flatMap((each) => each.coins);
  return { url, publicKey, coins, log, needed, before: wereActive, again, lost, network, ignored, warnings };
}
