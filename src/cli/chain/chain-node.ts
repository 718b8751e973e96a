import { join } from 'node:path';
import { makeFolder } from '../../log/files/make-folder.ts';
import { openSqliteLog } from '../../log/sqlite/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Secret } from '../../primitives/secret.ts';
import type { RpcListener } from '../../rpc/http/serve.ts';
import { type ChainConf, confPath, openConf, setConfPort } from '../../rpc/smart-chain/conf.ts';
import type { NodeContext, SmartChainCompatibility } from '../../rpc/smart-chain/context.ts';
import { answerTo, methodTable, type WarmingUp } from '../../rpc/smart-chain/dispatch.ts';
import { listen } from '../../rpc/smart-chain/listen.ts';
import { METHODS } from '../../rpc/smart-chain/methods.ts';
import { systemRandom } from '../../runtime/host/random-system.ts';
import { openSmartChain, type SmartChain } from '../../smartchain/node.ts';
import { type ChainParams, DEFAULT_PARAMS } from '../../smartchain/params.ts';
import { snapshotFile } from '../../smartchain/snapshot/file-store.ts';
import { walletFile } from '../../smartchain/wallet/file-store.ts';
import { openWallet, type Wallet } from '../../smartchain/wallet/wallet.ts';
import { keptRules, type NewChainRules, rulesOf } from './chain-rules.ts';
import { mineEvery } from './mine-every.ts';
import { announceUrl } from './running-url.ts';

export type ChainNodeOptions = {
  readonly name: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of a chain that is new; one that is there keeps those that its conf file holds. */
  readonly rules: NewChainRules;
  readonly compatibility: SmartChainCompatibility;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: Secret<string> | undefined;
  readonly seed?: Secret<string> | undefined;
  /** Milliseconds between blocks; none for blocks on demand. */
  readonly mineEveryMs?: number | undefined;
  /** Longest OP_RETURN script that is relayed, in bytes. */
  readonly maxOpReturn?: number | undefined;
  /** Called when a caller tells the node to stop. */
  readonly onStop: () => void;
};

export type ChainNode = {
  readonly listener: RpcListener;
  /** Where the RPC is called. */
  readonly url: string;
  readonly chain: SmartChain;
  readonly wallet: Wallet;
  readonly files: Readonly<Record<'conf' | 'log' | 'wallet' | 'snapshot', string>>;
  /** Ends everything in order; what callers are being answered is finished first. */
  close(): Promise<void>;
};

/** What has to be closed, in the order in which it was opened. */
type Closing = (() => Promise<void>)[];

const STARTING: WarmingUp = { warmingUp: 'Loading block index...' };

/**
 * Opens all of a node in a folder: its conf file, which is made when there is none, the log with the chain, the wallet, and the
 * RPC, which tells callers that the node starts until it has. @throws SmartChainError, LogError, FileError
 */
export async function openChainNode(options: ChainNodeOptions): Promise<ChainNode> {
  const closing: Closing = [];
  try {
    return await opened(options, closing);
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function opened(options: ChainNodeOptions, closing: Closing): Promise<ChainNode> {
  const { name, folder, clock, logger, compatibility, mineEveryMs, onStop } = options;
  await makeFolder(folder, { mode: 0o700 });
  const at = (ending: string) => join(folder, `${name}.${ending}`);
  const files = { conf: confPath(folder, name), log: at('db'), wallet: at('wallet.json'), snapshot: at('snapshot') };
  const conf = await openConf(files.conf, {
    random: systemRandom,
    ...(options.port === undefined ? {} : { port: options.port }),
    settings: keptRules(options.rules),
  });
  let context: NodeContext | WarmingUp = STARTING;
  const methods = methodTable(METHODS);
  const listener = await listen({
    ...reachability(conf, options),
    clock,
    logger,
    answer: (body) => answerTo(body, { methods, context, logger }),
  });
  closing.push(() => listener.close());
  const url = `http://${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${listener.port}/`;
  const log = await openSqliteLog({ path: files.log });
  // The log goes last, so it is not among those that are closed in reverse.
  let chain: SmartChain | undefined;
  closing.unshift(async () => {
    await chain?.keep();
    await log.close();
  });
  // Not before the log is this process's own: what another one says of itself must stay.
  closing.push(await announceUrl(folder, name, url));
  if (options.port === 0) await setConfPort(files.conf, listener.port);
  const params: Partial<ChainParams> = { name, ...rulesOf(options.rules, conf) };
  const wallet = await openWallet({
    prefixes: DEFAULT_PARAMS.prefixes,
    random: systemRandom,
    store: walletFile(files.wallet),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const policy = options.maxOpReturn === undefined ? {} : { maxOpReturn: options.maxOpReturn };
  const snapshots = snapshotFile(files.snapshot, (error) => {
    logger.warn('a snapshot of the chain could not be used', {
      file: files.snapshot,
      reason: String((error as { readonly code?: unknown }).code),
    });
  });
  chain = await openSmartChain({ log, now: clock.now, params, policy, snapshots });
  context = { chain, wallet, compatibility, tokens: chain.params.cryptoConditions, stop: onStop };
  if (mineEveryMs !== undefined) closing.push(mineEvery(mineEveryMs, { chain, wallet, clock, logger }));
  return { listener, url, chain, wallet, files, close: () => closeAll(closing) };
}

function reachability(conf: ChainConf, { port, user, password }: ChainNodeOptions) {
  return {
    credentials: { user: user ?? conf.user, password: password ?? conf.password },
    port: port ?? conf.port,
    host: conf.bind,
    allow: conf.allow,
    ...(conf.workQueue === undefined ? {} : { workQueue: conf.workQueue }),
  };
}

/** Closes in reverse, each even when another one fails. @throws what failed first */
async function closeAll(closing: Closing): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closing.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
