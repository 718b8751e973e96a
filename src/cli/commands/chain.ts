import { readFile } from 'node:fs/promises';
import { bytesToHex } from '../../primitives/hex.ts';
import { Secret } from '../../primitives/secret.ts';
import type { SmartChainCompatibility } from '../../rpc/smart-chain/context.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { tipHeight } from '../../smartchain/chain/ledger.ts';
import { CHAIN_NAME } from '../../smartchain/chain-rules.ts';
import { type ChainNode, openChainNode } from '../chain/chain-node.ts';
import { commandLogger } from '../command-logger.ts';
import { type Ending, endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { fitted } from '../render/fitted.ts';
import { clean, styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

/** Milliseconds between two blocks. */
export type Mining = { readonly everyMs: number };

import { said } from '../voice.ts';

export type ChainOptions = {
  readonly name: string;
  readonly datadir: string;
  readonly rpcport?: number;
  readonly rpcuser?: string;
  readonly rpcpassword?: string;
  readonly seedFile?: string;
  /** None for blocks on demand. */
  readonly mine: Mining | undefined;
  readonly compatibility: SmartChainCompatibility;
  /** Satoshis. */
  readonly supply?: bigint;
  readonly reward?: bigint;
  readonly maturity?: number;
  /** Bytes. */
  readonly datacarriersize?: number;
  readonly json?: boolean;
};

/** `swapfold chain`: a smart chain with the node's RPC, until a signal or the method `stop` ends it. */
export async function chainCommand({ io, json = false, ...options }: ChainOptions & { io: CliIo }): Promise<ExitCode> {
  if (!CHAIN_NAME.test(options.name)) {
    throw new UsageError('A chain has a name of 1 to 64 letters, digits, dots, dashes or underscores.');
  }
  const seed = await seedOf(options.seedFile, io);
  const ending = endOfProcess();
  try {
    await runUntil(ending, { ...options, seed, json, io });
  } finally {
    ending.release();
  }
  return EXIT.ok;
}

type Started = ChainOptions & {
  readonly seed: Secret<string> | undefined;
  readonly json: boolean;
  readonly io: CliIo;
};

async function runUntil(ending: Ending, { seed, json, io, ...options }: Started): Promise<void> {
  const output = createOutput(io.stdout);
  const node = await openChainNode({
    name: options.name,
    folder: options.datadir,
    clock: systemClock(),
    logger: await commandLogger(io),
    rules: { supply: options.supply, reward: options.reward, maturity: options.maturity },
    compatibility: options.compatibility,
    port: options.rpcport,
    user: options.rpcuser,
    password: options.rpcpassword === undefined ? undefined : new Secret(options.rpcpassword),
    seed,
    mineEveryMs: options.mine?.everyMs,
    maxOpReturn: options.datacarriersize,
    onStop: ending.end,
  });
  try {
    const row = rowOf(node);
    await output.write(json ? jsonLine(row) : said(io, fitted(startedText(row), styleOf(io).columns)));
    await output.flush();
    await ending.ended;
  } finally {
    await node.close();
  }
}

async function seedOf(file: string | undefined, { env }: CliIo): Promise<Secret<string> | undefined> {
  const { SWAPFOLD_SEED: fromEnvironment } = env;
  const given = file === undefined ? fromEnvironment : await readSeed(file);
  const text = given?.trim();
  if (text !== undefined && text !== '') return new Secret(text);
  if (file !== undefined) throw new UsageError('The seed file is empty.');
  return undefined;
}

async function readSeed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    throw new UsageError(
      `The seed file ${clean(file)} cannot be read (${String(code)}). Give another --seed-file, or set SWAPFOLD_SEED.`,
    );
  }
}

type Row = ReturnType<typeof rowOf>;

function rowOf({ url, chain, wallet, files }: ChainNode) {
  const key = wallet.ownKey();
  return {
    chain: chain.params.name,
    height: tipHeight(chain.tree.ledger),
    url,
    files,
    address: key?.address ?? null,
    publicKey: key === undefined ? null : bytesToHex(key.publicKey),
  };
}

function startedText({ chain, height, url, files, address, publicKey }: Row): string {
  const key =
    address === null || publicKey === null
      ? 'none: token methods need one, see --seed-file'
      : `${address}, public key ${publicKey}`;
  const lines = [
    `Chain ${chain} at height ${height} listens on ${url}`,
    `  conf    ${files.conf}`,
    `  log     ${files.log}`,
    `  wallet  ${files.wallet}`,
    `  key     ${key}`,
  ];
  return `${lines.map(clean).join('\n')}\n`;
}
