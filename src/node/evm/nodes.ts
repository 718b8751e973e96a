import { listedBehind } from '../../chains/accounts/silences.ts';
import type { ConnectedEvmNode, EvmNode } from '../../chains/evm/index.ts';
import type { Random } from '../../ports/clock.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { EvmAdapter } from './adapter-module.ts';
import { EvmFailure } from './failure.ts';

/** A node that a request names. Who is silent may answer later, and has to tell then that it is of the right chain. */
export type NamedNode = {
  /** What identifies it: its address in the normal form of a URL, which may hold credentials. */
  readonly name: string;
  readonly node: EvmNode;
  /** The same node, which gets what is asked together in few requests; for what is asked of many coins at once. */
  readonly merged: EvmNode;
  readonly close: () => void;
};

export type Reaching = {
  /** http, https, ws or wss. They may hold credentials. */
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly adapter: EvmAdapter;
  /** By which the order is drawn in which they are asked. */
  readonly random: Random;
  /** For an answer, and so for all of them: they are asked at the same time. @defaultValue 20 */
  readonly timeout?: Seconds;
  /** Ends it. @defaultValue nothing does */
  readonly signal?: AbortSignal | undefined;
};

const TIMEOUT: Seconds = 20;

/**
 * Connects to the nodes of a request, all at once, in an order that is drawn. One that tells what it is is enough, and those that do not are kept: how
 * many have to say the same follows from how many are named, not from how many happen to answer. All that answer have to be of the chain: with one that
 * is not, someone wrote down something wrong, and nobody knows what.
 *
 * @throws EvmFailure unreachable, wrongChain, redirects, ended. Nothing is connected then.
 */
export async function reachNodes(reaching: Reaching): Promise<readonly NamedNode[]> {
  const { urls, chainId, adapter, random, timeout = TIMEOUT, signal } = reaching;
  const byName = new Map(urls.map((url) => [nameOf(url), url]));
  const open = new Map<string, ConnectedEvmNode>();
  const end = (): void => {
    for (const node of open.values()) node.close();
  };
  const isEnded = (): boolean => signal?.aborted === true;
  signal?.addEventListener('abort', end, { once: true });
  try {
    const named = shuffled([...byName], random).map(([name, url]) => {
      const node = adapter.connectEvmNode({ url, timeout });
      open.set(name, node);
      return { name, url, node };
    });
    if (isEnded()) throw ended();
    const answered = await Promise.all(named.map(({ node }) => silenceOf(node, { adapter, chainId })));
    if (isEnded()) throw ended();
    if (!answered.includes(null)) {
      const reasons = answered.filter((reason) => reason !== null);
      throw new EvmFailure('unreachable', NOBODY, listedBehind(reasons));
    }
    return named.map(({ name, url, node }) => ({ name, ...waysTo(node, { url, chainId, adapter, timeout }) }));
  } catch (error) {
    end();
    throw isEnded() ? ended() : error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** In one request: more than some nodes take, which are asked call by call then. */
const MOST_CALLS = 1000;

type Way = Pick<Reaching, 'chainId' | 'adapter'> & { readonly url: string; readonly timeout: Seconds };

function waysTo(single: ConnectedEvmNode, { url, chainId, adapter, timeout }: Way): Omit<NamedNode, 'name'> {
  const node = adapter.heldToEvmChain(single, chainId);
  // A web socket carries calls one after the other as it is.
  if (!/^https?:/i.test(url)) return { node, merged: node, close: () => single.close() };
  const ending = new AbortController();
  const batched = adapter.connectBatches({ url, timeout, most: MOST_CALLS, signal: ending.signal });
  return {
    node,
    merged: adapter.heldToEvmChain(adapter.mergedNode({ batched, single }), chainId),
    close() {
      ending.abort();
      single.close();
    },
  };
}

/** The same for all spellings of an address. No part behind `#` reaches a node. */
function nameOf(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

export const NOBODY = 'Failed to get client version for all nodes';

function ended(): EvmFailure {
  return new EvmFailure('ended', 'the activation was ended');
}

const QUANTITY = /^0x[0-9a-f]+$/i;

type Probing = Pick<Reaching, 'adapter' | 'chainId'>;

/** Why it does not say what it is; null where it does. @throws EvmFailure wrongChain, redirects */
async function silenceOf(node: ConnectedEvmNode, { adapter, chainId }: Probing): Promise<string | null> {
  try {
    const [, told] = await Promise.all([node.request('web3_clientVersion', []), node.request('eth_chainId', [])]);
    const found = typeof told === 'string' && QUANTITY.test(told) ? Number(told) : Number.NaN;
    if (found === chainId) return null;
    // A proxy answers for a node that is away, and says nothing about its chain.
    if (!Number.isSafeInteger(found)) return `${node.name} does not report its chain id`;
    throw new EvmFailure(
      'wrongChain',
      `${node.name} is on the chain with id ${found}, but the coins file says ${chainId}`,
    );
  } catch (error) {
    if (error instanceof adapter.NodeRedirects) throw new EvmFailure('redirects', error.message);
    if (error instanceof adapter.BackendSilent) return error.message;
    if (error instanceof adapter.NodeRefusal) return `${node.name} refuses to report its chain id: ${error.message}`;
    throw error;
  }
}

/** In an unpredictable order: otherwise the operator of the first node in many lists would see most wallets. */
function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const drawn = [...list];
  for (let place = drawn.length - 1; place > 0; place -= 1) {
    const other = random.bytes(4).reduce((sum, byte) => (sum * 256 + byte) % (place + 1), 0);
    [drawn[place], drawn[other]] = [drawn[other] as T, drawn[place] as T];
  }
  return drawn;
}
