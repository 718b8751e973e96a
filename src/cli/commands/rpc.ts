import { Secret } from '../../primitives/secret.ts';
import { confPath, readConf } from '../../rpc/smart-chain/conf.ts';
import { createSmartChainClient, type SmartChainClient, SmartChainRpcError } from '../../smartchain/client/index.ts';
import { rpcParams } from '../chain/rpc-params.ts';
import { type CliIo, EXIT, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { rpcErrorText, rpcResultText } from '../render/rpc.ts';

export type RpcOptions = {
  readonly name: string;
  readonly datadir: string;
  readonly url?: string;
  readonly conf?: string;
  readonly rpcuser?: string;
  readonly rpcpassword?: string;
  /** Seconds. */
  readonly timeout: number;
};

type RpcCall = RpcOptions & { readonly params: readonly string[]; readonly io: CliIo };

/**
 * `swapfold rpc`: one call of a smart-chain node, printed as the node's own client prints it. An error object of the node goes to
 * standard error, and its code without the sign is the exit code, as far as a system tells it (the lowest eight bits).
 */
export async function rpcCommand(method: string, { params, io, ...options }: RpcCall): Promise<number> {
  const given = rpcParams(method, params);
  const client = await clientOf(options);
  const output = createOutput(io.stdout);
  try {
    const result = await client.call(method, given);
    await output.write(rpcResultText(result, { terminal: io.stdout.isTTY === true }));
    await output.flush();
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof SmartChainRpcError) || error.rpcCode === undefined) throw error;
    io.stderr.write(rpcErrorText({ code: error.rpcCode, message: error.rpcMessage ?? '' }));
    return Math.abs(error.rpcCode) & 0xff || EXIT.findings;
  }
}

async function clientOf({
  url,
  name,
  datadir,
  conf,
  rpcuser,
  rpcpassword,
  timeout,
}: RpcOptions): Promise<SmartChainClient> {
  const path = conf ?? confPath(datadir, name);
  const whole = url !== undefined && rpcuser !== undefined && rpcpassword !== undefined;
  const found = whole ? undefined : await readConf(path);
  if (!whole && found === undefined) {
    throw new UsageError(
      `There is no conf file ${path}. Give --datadir and --name, --conf, or --url with --rpcuser and --rpcpassword.`,
    );
  }
  return createSmartChainClient({
    url: url ?? `http://${hostOf(found?.bind ?? '')}:${found?.port}/`,
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
