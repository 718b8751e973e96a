import { EvmAccount } from '../../../src/chains/evm/account.ts';
import { createEvmChain, type EvmChain } from '../../../src/chains/evm/adapter.ts';
import { checkEvmCoins } from '../../../src/chains/evm/check-coin.ts';
import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import { connectEvmNode, type EvmNode } from '../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../src/chains/evm/node-reader.ts';
import { createEvmQuorumReader } from '../../../src/chains/evm/quorum-reader.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import type { Seconds } from '../../../src/primitives/time.ts';
import type { EvmAccess } from './evm-node.ts';
import { fromPast } from './past.ts';
import type { BoundaryKind, SeatLine } from './seat.ts';

type Request = (ask: EvmNode['request']) => EvmNode['request'];

export type EvmSeat = {
  readonly access: EvmAccess;
  readonly url: string;
  readonly coin: { readonly coin: string; readonly blockTime: Seconds; readonly finality: number };
  /** The chain’s own coin, in which gas is paid. */
  readonly platform: string;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly poll: Seconds;
  /** What stands between the party and its node. */
  readonly request: Request;
};

/** Its patience is that of the machine: a slow one must not look like a silent node. */
const TIMEOUT: Seconds = 120;
const CEILING = 10n ** 14n;

/** One account for all coins that a wallet has on a chain. */
export type EvmAccounts = Map<number, EvmAccount>;

/** A coin of a chain with accounts, for one wallet. */
export function openEvmCoin(seat: EvmSeat, accounts: EvmAccounts): EvmChain {
  const { clock, poll } = seat;
  return createEvmChain({ coin: coinOf(seat), account: accountIn(accounts, seat), clock, birth: 0, poll });
}

/** Holds the coin against its chain. @throws EvmCoinError for one that cannot be used */
export async function checkCoin(seat: EvmSeat, accounts: EvmAccounts): Promise<void> {
  const { reader, address } = accountIn(accounts, seat);
  await checkEvmCoins({ coins: [coinOf(seat)], look: await reader.look(true), account: address });
}

function coinOf({ access: { contract, token, decimals, rewards = false }, coin, platform }: EvmSeat): EvmCoin {
  const placed = token === null ? {} : { token: { address: token, platform } };
  return { ...coin, decimals, contract, ...placed, ...(rewards ? { rewards } : {}) };
}

function accountIn(accounts: EvmAccounts, { access, url, signer, request, clock }: EvmSeat): EvmAccount {
  const { chainId, dynamic } = access;
  const known = accounts.get(chainId);
  if (known !== undefined) return known;
  const inner = connectEvmNode({ url, timeout: TIMEOUT });
  const node: EvmNode = { name: inner.name, request: request((method, params) => inner.request(method, params)) };
  const prices = { kind: dynamic ? 'eip1559' : 'legacy', tip: null, floor: 1n, ceiling: CEILING } as const;
  const account = new EvmAccount({
    reader: createEvmQuorumReader({ readers: [createEvmNodeReader(node, chainId)], clock }),
    signer,
    chainId,
    prices,
  });
  accounts.set(chainId, account);
  return account;
}

type Standing = {
  readonly between: <T>(kind: BoundaryKind, work: () => Promise<T>) => Promise<T>;
  readonly isOver: () => boolean;
};

/** Every call of a node goes by the line between it and a party. */
export function throughLine(line: SeatLine, { between, isOver }: Standing): Request {
  return (inner) => {
    const ask = fromPast(inner, line.pasts);
    return async (method, params) => {
      // Whoever is dead asks nothing and hears nothing.
      if (isOver()) return new Promise(() => {});
      const kind = method === 'eth_sendRawTransaction' ? 'broadcast' : 'question';
      try {
        const answer = await line.ask(() => between(kind, () => ask(method, params)));
        return isOver() ? new Promise(() => {}) : answer;
      } catch (error) {
        throw error instanceof BackendSilent ? new BackendSilent('the node is down') : error;
      }
    };
  };
}

export function blockTimeOf(entry: JsonObject | undefined): Seconds {
  return Number(entry?.['avg_blocktime'] ?? 60);
}
