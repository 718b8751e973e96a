import { nearestMember } from '../../node/config.ts';
import type { Compatibility } from '../../node/node.ts';
import { commandLogger } from '../command-logger.ts';
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
  /** Seconds. */
  readonly poll?: number;
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

function rowOf({ url, publicKey, tickers, log, needed, before, network, ...opened }: OpenedNode) {
  const { ignored, warnings } = opened;
  return { url, publicKey, coins: tickers.length, log, needed, before, network, ignored, warnings };
}

function startedText(opened: OpenedNode): string {
  const { url, publicKey, tickers, log, needed, before, ignored, warnings } = opened;
  const coins = tickers.length === 1 ? '1 coin is' : `${tickers.length} coins are`;
  const lines = [
    `The node listens on ${url}`,
    `  key    ${publicKey}`,
    `  coins  ${coins} configured; none is active before it is enabled`,
    `  swaps  ${log}`,
    `  net    ${networkText(opened)}`,
    ...(needed.length === 0 ? [] : [`  swaps go on once these coins are active: ${needed.join(', ')}`]),
    ...(before.length === 0 ? [] : [`  before ${before.join(', ')}: active until the node was ended`]),
    ...(ignored.length === 0 ? [] : [`  conf   without effect: ${ignored.map(withMeant).join(', ')}`]),
    ...warnings.map((text) => `  look   ${text}`),
  ];
  return `${lines.map(clean).join('\n')}\n`;
}

function networkText({ network, offline }: OpenedNode): string {
  if (offline) return 'off (disable_p2p): no other node is reached';
  if (network === null) {
    return 'alone: no other node is reached, since no seed node is configured (seednodes) and this is none (i_am_seed)';
  }
  const { netid, seeds, addresses } = network;
  const own = addresses.length === 0 ? [] : [`seed node on ${addresses.join(', ')}`];
  const others = seeds.length === 0 ? [] : [`over ${seeds.join(', ')}`];
  return [`network ${netid}`, ...own, ...others].join(', ');
}

function withMeant(name: string): string {
  const near = nearestMember(name);
  return near === undefined ? name : `${name} (did you mean ${near}?)`;
}
