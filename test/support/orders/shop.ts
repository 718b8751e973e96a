import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { KDF_NETWORK } from '../../../src/htlc/network-profile.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { Purse } from '../../../src/node/orders/funds.ts';
import { createNodeOrders, type NodeOrders } from '../../../src/node/orders/orders.ts';
import type { OrderCoin } from '../../../src/node/orders/parts.ts';
import type { Quote } from '../../../src/ports/chain.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Orders } from '../../../src/ports/orders.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { decimalOf } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import type { VirtualClock } from '../../../src/sim/virtual-clock.ts';
import { COINS } from './desk.ts';

export type Shop = {
  readonly orders: NodeOrders;
  readonly log: EventLog;
  /** Swaps that were started, in their order. */
  readonly swaps: SwapRequest[];
  readonly identity: Signer;
  /** Lets go what {@link ShopOptions.holdsFunds} keeps waiting. */
  readonly release: () => void;
};

export type ShopOptions = {
  readonly clock: VirtualClock;
  readonly network: (key: string) => Orders;
  readonly log?: EventLog;
  readonly swaps?: SwapRequest[];
  /** Whether questions for funds wait until they are let go. @defaultValue false */
  readonly holdsFunds?: boolean;
  /** @defaultValue those of every desk */
  readonly coins?: Readonly<Record<string, OrderCoin>>;
};

/** A key of a node, by a number. */
export function signerOf(name: number): Signer {
  const secret = new Uint8Array(32).fill(name);
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return { key: secp256k1.getPublicKey(secret, true), sign: (hash) => secp256k1.sign(hash, secret, options) };
}

/** The orders and offers of one node that signs and is rich, and whose swaps are written down and not run. */
export function openShop(
  name: number,
  { clock, network, holdsFunds = false, coins = COINS, ...given }: ShopOptions,
): Shop {
  const identity = signerOf(name);
  const log = given.log ?? createMemoryLog();
  const swaps = given.swaps ?? [];
  let drawn = 0;
  let release = (): void => {};
  const released = holdsFunds ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve();
  const orders = createNodeOrders({
    ...{ log, clock, identity, profile: KDF_NETWORK },
    random: { bytes: (count) => new Uint8Array(count).fill(name * 16 + drawn++) },
    logger: { info() {}, warn() {}, error() {} },
    network: network(bytesToHex(identity.key.subarray(1))),
    coin: (ticker) => coins[ticker],
    purse: (ticker) => purseOf(ticker, released),
    async startSwap(request) {
      if (!swaps.some(({ uuid, role }) => uuid === request.uuid && role === request.role)) swaps.push(request);
    },
    hasSwap: async ({ role, uuid }) => swaps.some((swap) => swap.uuid === uuid && swap.role === role),
    unpaidSwaps: async () => swaps.filter(({ role }) => role === 'maker').length,
  });
  return { orders, log, swaps, identity, release: () => release() };
}

function purseOf(ticker: string, released: Promise<void>): Purse | undefined {
  const coin = COINS[ticker];
  if (coin === undefined) return undefined;
  const value: Quote = {
    height: 9,
    clock: unixSecondsOf(1_800_000_000),
    spendable: decimalOf('1000'),
    paymentFee: decimalOf('0.0003'),
    spendFee: decimalOf('0.0002'),
    spendFeeFrom: 'claim',
    dexFeeFee: decimalOf('0.0001'),
  };
  const quote: Purse['chain']['quote'] = async () => {
    await released;
    return { ok: true, value };
  };
  return { chain: { traits: { coin: ticker, decimals: coin.decimals, minTxAmount: 1000n }, quote }, locked: new Map() };
}
