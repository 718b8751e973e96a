import type { TradingNode } from '../../node/node.ts';
import type { Logger } from '../../ports/logger.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../primitives/json.ts';
import type { Secret } from '../../primitives/secret.ts';
import { type Access, type Caller, createAccess } from './access.ts';
import type { FrameworkContext } from './context.ts';
import { dispatchFramework, type FrameworkAnswer, type FrameworkRequest } from './dispatch.ts';
import { frameworkHttp, type HttpCall } from './http.ts';
import { frameworkMethods } from './method.ts';
import { FRAMEWORK_METHODS } from './methods.ts';
import { METRICS_PATH, type MetricsView, metricsPage } from './metrics-view.ts';
import type { Pages } from './pages.ts';
import { streamClients } from './stream/clients.ts';
import type { StreamLimits } from './stream/event-stream.ts';
import { EVENT_STREAM_PATH, type EventPage, eventPage } from './stream/page.ts';

export type NodeRpcOptions = {
  /** What `userpass` must be for callers over HTTP (specification §5). */
  readonly password: Secret<string>;
  /** Whether only callers from this host may use more than the public methods. @defaultValue true */
  readonly localOnly?: boolean;
  /** Origin whose pages may read answers. @defaultValue http://localhost:3000 */
  readonly cors?: string;
  /** Called when a method fails in an unforeseen way. @defaultValue nobody */
  readonly logger?: Logger;
  /** Name and version as `version` tells them. @defaultValue swapfold */
  readonly version?: string;
  /** The date of this release, as `version` reports it. @defaultValue the beginning of time */
  readonly datetime?: string;
  /** What the method `stop` does, once its answer has left. @defaultValue nothing */
  readonly stop?: () => void;
  /** What the method `metrics` and the page `/metrics` tell. @defaultValue nothing is counted */
  readonly metrics?: MetricsView;
  /** Timings and bounds of `/event-stream`. */
  readonly streams?: Partial<StreamLimits>;
};

/** A node behind the JSON-RPC of the trading framework, for whatever carries it. */
export type NodeRpc = {
  /**
   * Answers a request, or a batch of them, of the program that has the node: no password is asked for, and one that is given is not looked at.
   * What the answer says of success and failure is what HTTP would carry.
   */
  readonly rpc: (request: JsonObject | readonly JsonObject[]) => Promise<JsonValue>;
  /**
   * Answers a request of a web framework: the JSON-RPC at every path, `/event-stream` and `/metrics` at theirs. Who calls is for the framework to say; without it a
   * caller counts as one from elsewhere, who may use the public methods alone unless `localOnly` is false.
   */
  readonly fetch: (request: Request, caller?: Caller) => Promise<Response>;
  /** For a carrier of requests that knows more about them than a `Request` says. */
  readonly handle: (call: HttpCall) => Promise<Response>;
  /** Ends all event streams. Close the node separately. */
  readonly closeStreams: () => void;
};

const METHODS = frameworkMethods(FRAMEWORK_METHODS);
const SUMMARIES: ReadonlyMap<string, string> = new Map(FRAMEWORK_METHODS.map(({ name, summary }) => [name, summary]));
const QUIET: Logger = { info() {}, warn() {}, error() {} };
const NOBODY_KNOWS: Caller = { address: '', local: false };
const OWNER: Caller = { address: 'the program that has the node', local: true };
const ADMITS_ALL: Access = { admit() {}, check() {} };

/**
 * The JSON-RPC of a node, with everything else that clients may follow.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { coinsOf, createNode, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { nodeRpc } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that nobody else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const node = createNode({ coins, signer, log: createMemoryLog(), peers, clock });
 * const { fetch } = nodeRpc(node, { password: new Secret('only I know') });
 * const body = JSON.stringify({ mmrpc: '2.0', method: 'get_enabled_coins', userpass: 'only I know' });
 * const asked = new Request('http://node/', { method: 'POST', body });
 * const response = await fetch(asked, { address: '127.0.0.1', local: true });
 * await response.json(); // → { mmrpc: '2.0', result: { coins: [] }, id: null }
 * await node.close();
 * ```
 */
export function nodeRpc(node: TradingNode, options: NodeRpcOptions): NodeRpc {
  const { password, localOnly = true, cors, logger = QUIET } = options;
  const access = createAccess({ password, localOnly, onBanned: tellBanned(logger) });
  const { log, clock, compatibility } = node;
  const clients = streamClients();
  const events = eventPage({ log, clock, access, compatibility, clients, limits: options.streams ?? {} });
  const context: FrameworkContext = {
    node,
    version: options.version ?? 'swapfold',
    datetime: options.datetime ?? new Date(0).toISOString(),
    stop: options.stop ?? (() => {}),
    summaries: SUMMARIES,
    streams: clients,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
  };
  const terms = { methods: METHODS, node: context, logger, compatibility };
  const answer = (request: FrameworkRequest): Promise<FrameworkAnswer> =>
    dispatchFramework(request, { ...terms, access });
  const handle = frameworkHttp({
    answer,
    pages: pagesOf({ events, access, metrics: options.metrics }),
    ...(cors === undefined ? {} : { cors }),
  });
  return {
    async rpc(request) {
      const asked = { body: stringifyJson(request), httpMethod: 'POST', caller: OWNER };
      return parseJson((await dispatchFramework(asked, { ...terms, access: ADMITS_ALL })).body);
    },
    fetch: ({ method, url, headers, body }, caller = NOBODY_KNOWS) =>
      handle({ httpMethod: method, path: pathOf(url), headers, body: body as HttpCall['body'], caller }),
    handle,
    closeStreams: events.close,
  };
}

/** The owner of the node may have banned itself, even from `stop`. */
function tellBanned(logger: Logger): (from: string) => void {
  return (from) =>
    logger.warn(
      'an address is banned after ten wrong passwords; to lift the ban, stop the process with a signal and start ' +
        'it again',
      { from },
    );
}

type PageParts = {
  readonly events: EventPage;
  readonly access: Access;
  readonly metrics: MetricsView | undefined;
};

function pagesOf({ events, access, metrics }: PageParts): Pages {
  const pages = new Map([[EVENT_STREAM_PATH, events.page]]);
  if (metrics !== undefined) pages.set(METRICS_PATH, metricsPage(metrics, access));
  return pages;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/**
 * The node with its JSON-RPC as members: `node.rpc(request)`, `node.fetch(request)`. Closing it ends its event streams.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { coinsOf, createNode, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { withRpc } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that nobody else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const options = { coins, signer, log: createMemoryLog(), peers, clock };
 * const node = withRpc(createNode(options), { password: new Secret('only others need it') });
 * const call = { mmrpc: '2.0', method: 'get_enabled_coins' };
 * await node.rpc(call); // → { mmrpc: '2.0', result: { coins: [] }, id: null }
 * await node.close();
 * ```
 */
export function withRpc<Node extends TradingNode>(node: Node, options: NodeRpcOptions): Node & NodeRpc {
  const rpc = nodeRpc(node, options);
  return {
    ...node,
    ...rpc,
    close() {
      rpc.closeStreams();
      return node.close();
    },
  };
}
