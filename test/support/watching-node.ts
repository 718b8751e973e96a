import type { ScriptScheme } from '../../src/htlc/script.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { FeeCheck } from '../../src/ports/chain.ts';
import type { SwapMessage, WatcherMessage } from '../../src/ports/peers.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import {
  createRuntime,
  type RuntimeOptions,
  swapKind,
  type WatcherKindOptions,
  watcherKind,
} from '../../src/runtime/index.ts';
import { createUtxoChain } from '../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { REQUESTED, sample, watchedSwap } from '../machines/watcher/support.ts';
import { virtualClock } from './virtual-clock.ts';

export const { watch } = sample;

/** What takers of two other swaps ask for. */
export const other = watchedSwap({ seed: 'another swap' }).watch;
export const third = watchedSwap({ seed: 'a third swap' }).watch;

/** The same message with signed bytes that only an adapter could read, so that they bind none of its members. */
export function opaque<W extends WatcherMessage>(message: W): W {
  return { ...message, maker_payment_spend_preimage: 'c0ffee', taker_payment_refund_preimage: 'c0ffee' };
}

/** A watcher's wallet on a chain with real bytes, whose payments are of this scheme, and where every fee was paid. */
export function realWallet(coin: string, scheme: ScriptScheme) {
  const now = () => Math.floor(REQUESTED / 1000) as UnixSeconds;
  const wallet = createUtxoChain({ coin, now, rng: xorshift32(2), fidelity: 'real', scheme }).wallet({
    party: 'watcher',
  });
  return { ...wallet, checkFee: () => ({ ok: true, value: null }) as const };
}

export type WatchingOptions = Partial<RuntimeOptions> & {
  /** Whether the chain shows that this key has paid this fee. @defaultValue everybody has paid */
  readonly paid?: (payer: string, hash: string) => boolean;
};

/** A node that watches, and a network on which anybody can speak to it. */
export async function watching(options: WatcherKindOptions = {}, { paid = () => true, ...more }: WatchingOptions = {}) {
  const clock = virtualClock(REQUESTED);
  const now = () => Math.floor(clock.now() / 1000) as UnixSeconds;
  const asked: string[] = [];
  const walletOf = (coin: string) => ({
    ...createUtxoChain({ coin, now, rng: xorshift32(1) }).wallet({ party: 'watcher', funds: '10' as never }),
    checkFee({ payer, hash }: FeeCheck) {
      asked.push(payer);
      return { ok: true, value: paid(payer, hash) ? null : 'there is no such fee' } as const;
    },
  });
  const wallets = [walletOf(watch.maker_coin), walletOf(watch.taker_coin)];
  const network = createInProcessNetwork();
  const log = { ...createMemoryLog(), close: () => {} };
  const runtime = createRuntime({
    log,
    clock,
    chains: wallets,
    peers: network.peer('e5'.repeat(32)),
    kinds: [swapKind('taker', { keyRule: () => null }), watcherKind(options)],
    ...more,
  });
  await runtime.resumeAll();
  const say = async (message: WatcherMessage, { signer = message.taker_pub, coin = message.taker_coin } = {}) => {
    const peer = network.peer('b2'.repeat(32));
    await peer.send(`swpwtchr/${coin}`, { kind: 'watcher', watch: message }, signer === null ? {} : { signer });
    await clock.advance(0);
  };
  const send = async (message: SwapMessage, coin = watch.taker_coin) => {
    await network.peer('b2'.repeat(32)).send(`swpwtchr/${coin}`, message);
    await clock.advance(0);
  };
  return { clock, log, network, runtime, say, send, wallets, asked, streams: () => log.find({ machine: 'watcher' }) };
}

/** What a node says of the messages that it leaves, in order. */
export function listening() {
  const said: unknown[] = [];
  const note = (message: string, fields?: object) => void said.push({ message, ...fields });
  return { said, logger: { info: note, warn: note, error: note } };
}
