import { EvmAccount } from '../../../src/chains/evm/account.ts';
import { createEvmChain, type EvmChain } from '../../../src/chains/evm/adapter.ts';
import { connectNode, type EvmNode } from '../../../src/chains/evm/node.ts';
import { createNodeReader } from '../../../src/chains/evm/node-reader.ts';
import { BackendSilent } from '../../../src/chains/evm/reader.ts';
import { BackendSilent as DaemonSilent } from '../../../src/chains/utxo/reader.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import type { Seconds } from '../../../src/primitives/time.ts';
import type { EvmAccess } from './evm-node.ts';
import type { BoundaryKind, SeatLine } from './seat.ts';

type Request = (ask: EvmNode['request']) => EvmNode['request'];

export type EvmSeat = {
  readonly access: EvmAccess;
  readonly url: string;
  readonly coin: { readonly coin: string; readonly blockTime: Seconds; readonly finality: number };
  readonly signer: Signer;
  readonly clock: Clock;
  readonly poll: Seconds;
  /** What stands between the party and its node. */
  readonly request: Request;
};

/** Its patience is that of the machine: a slow one must not look like a silent node. */
const TIMEOUT: Seconds = 120;
const CEILING = 10n ** 14n;

/** A coin of a chain with accounts, for one wallet. */
export function openEvmCoin({ access, url, coin, signer, clock, poll, request }: EvmSeat): EvmChain {
  const { chainId, contract, token, decimals, dynamic } = access;
  const inner = connectNode({ url, timeout: TIMEOUT });
  const node: EvmNode = { name: inner.name, request: request((method, params) => inner.request(method, params)) };
  const reader = createNodeReader(node, chainId);
  const prices = { kind: dynamic ? 'eip1559' : 'legacy', tip: null, floor: 1n, ceiling: CEILING } as const;
  const account = new EvmAccount({ reader, signer, chainId, prices });
  return createEvmChain({
    coin: { ...coin, decimals, contract, ...(token === null ? {} : { token: { address: token, platform: 'FUEL' } }) },
    ...{ account, clock, birth: 0, poll },
  });
}

type Standing = {
  readonly between: <T>(kind: BoundaryKind, work: () => Promise<T>) => Promise<T>;
  readonly isOver: () => boolean;
};

/** Every call of a node goes by the line between it and a party. */
export function throughLine(line: SeatLine, { between, isOver }: Standing): Request {
  return (ask) => async (method, params) => {
    // Whoever is dead asks nothing and hears nothing.
    if (isOver()) return new Promise(() => {});
    const kind = method === 'eth_sendRawTransaction' ? 'broadcast' : 'question';
    try {
      const answer = await line.ask(() => between(kind, () => ask(method, params)));
      return isOver() ? new Promise(() => {}) : answer;
    } catch (error) {
      throw error instanceof DaemonSilent ? new BackendSilent('the node is down') : error;
    }
  };
}

export function blockTimeOf(entry: JsonObject | undefined): Seconds {
  return Number(entry?.['avg_blocktime'] ?? 60);
}
