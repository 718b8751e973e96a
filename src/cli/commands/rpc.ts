import type { JsonValue } from '../../primitives/json.ts';
import { Secret } from '../../primitives/secret.ts';
import { millisOf } from '../../primitives/time.ts';
import { confPath, readConf } from '../../rpc/smart-chain/conf.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { createSmartChainClient, type SmartChainClient, SmartChainRpcError } from '../../smartchain/client/index.ts';
import { rpcParams } from '../chain/rpc-params.ts';
import { announcedUrl } from '../chain/running-url.ts';
import { type CliIo, EXIT, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { rpcErrorText, rpcResultText } from '../render/rpc.ts';
import { detail } from '../voice.ts';

export type RpcOptions = {
  readonly name: string;
  readonly datadir: string;
  readonly url?: string;
  readonly conf?: string;
  readonly rpcuser?: string;
  readonly rpcpassword?: string;
  /** Seconds. */
  readonly timeout: number;
  /** Seconds to wait for a node that starts. @defaultValue none */
  readonly wait?: number;
};

type RpcCall = RpcOptions & { readonly params: readonly string[]; readonly io: CliIo };

/**
 * `swapfold rpc`: one call of a smart-chain node, printed as the node's own client prints it. An error object of the node goes to
 * standard error, and its code without the sign is the exit code, as far as a system tells it (the lowest eight bits).
 */
export async function rpcCommand(method: string, { params, io, ...options }: RpcCall): Promise<number> {
  const given = rpcParams(method, params);
  const output = createOutput(io.stdout);
  try {
    const result = await called(() => callOnce(options, { method, given, io }), options.wait ?? 0);
    await output.write(rpcResultText(result, { terminal: io.stdout.isTTY === true }));
    await output.flush();
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof SmartChainRpcError) || error.rpcCode === undefined) throw error;
    io.stderr.write(rpcErrorText({ code: error.rpcCode, message: error.rpcMessage ?? '' }));
    return Math.abs(error.rpcCode) & 0xff || EXIT.findings;
  }
}

async function callOnce(
  options: RpcOptions,
  call: { method: string; given: readonly JsonValue[]; io: CliIo },
): Promise<JsonValue> {
  const client = await clientOf(options, call.io);
  return client.call(call.method, call.given);
}

const PAUSE_MS = 100;

/** Calls again, for the given number of seconds, until the node is up. */
async function called(call: () => Promise<JsonValue>, seconds: number): Promise<JsonValue> {
  const clock = systemClock();
  const until = clock.now() + seconds * 1000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isStarting(error) || clock.now() >= until) throw error;
    }
    await new Promise<void>((resolve) => void clock.wakeAt(millisOf(clock.now() + PAUSE_MS), resolve));
  }
}

function isStarting(error: unknown): boolean {
  if (error instanceof NoConfError) return true;
  return (
    error instanceof SmartChainRpcError && ['SMARTCHAIN_RPC_BUSY', 'SMARTCHAIN_RPC_UNREACHABLE'].includes(error.code)
  );
}

/** Nothing says how a node is reached; one that starts for the first time is about to. */
class NoConfError extends UsageError {}

async function clientOf(
  { url, name, datadir, conf, rpcuser, rpcpassword, timeout }: RpcOptions,
  io: CliIo,
): Promise<SmartChainClient> {
  const path = conf ?? confPath(datadir, name);
  const whole = url !== undefined && rpcuser !== undefined && rpcpassword !== undefined;
  const found = whole ? undefined : await readConf(path);
  if (!whole && found === undefined) {
    throw new NoConfError(
      `There is no conf file ${path}. Give --datadir and --name, --conf, or --url with --rpcuser and --rpcpassword.`,
    );
  }
  const running = conf === undefined ? await announcedUrl(datadir, name) : undefined;
  if (url === undefined && running === undefined && found?.port === 0) {
    throw new NoConfError(`The chain ${name} listens on any free port, and nothing in ${datadir} says that it runs.`);
  }
  const address = url ?? running ?? `http://${hostOf(found?.bind ?? '')}:${found?.port}/`;
  detail(io, found === undefined ? `calls ${address}` : `read ${path}, calls ${address}`);
  return createSmartChainClient({
    url: address,
    user: rpcuser ?? found?.user ?? '',
    password: rpcpassword === undefined ? (found?.password ?? new Secret('')) : new Secret(rpcpassword),
    timeout: timeout * 1000,
  });
}

/** An address that can be called, of one that is listened on. */
function hostOf(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  if (bind === '::') return '[::1]';
  return bind.includes(':') ? `[${bind}]` : bind;
}
