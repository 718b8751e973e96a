import type { Answer, PreparedTransaction } from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { type Millis, toMillis, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import { createSimChain } from '../../sim/chains/create.ts';
import type { SimChain, SimWallet } from '../../sim/chains/types.ts';
import { EPOCH } from '../../sim/world/scenario.ts';
import { xorshift32 } from '../../sim/xorshift.ts';
import { claimTrouble, networkFaults } from './claim-trouble.ts';
import type { DemoScenario } from './scenarios.ts';
import type { SentName } from './sent-names.ts';
import type { WorldFile } from './world-file.ts';

type Side = 'maker' | 'taker';

export const COINS = { maker: 'DOC', taker: 'MARTY' } as const;

/** Both chains of a demonstration. They are made anew from the file after a crash, block for block. */
export type DemoChains = {
  readonly chains: Readonly<Record<Side, SimChain>>;
  readonly wallets: Readonly<Record<Side, Readonly<Record<Side, SimWallet>>>>;
  /** When the next block comes. */
  readonly next: () => Millis;
  /** Mines every block that is due. */
  readonly mineUntil: (at: Millis) => void;
  /** A wallet that writes down what it hands to the network before the network has it. */
  readonly recorded: (party: Side, chain: Side, touch: Touch) => RuntimeChain;
};

/**
 * Called before and after everything that crosses the border of a process; told what a broadcast was for when the network
 * has it.
 */
export type Touch = (sent?: SentName) => void;

const SENT: Readonly<Record<string, readonly SentName[]>> = {
  'taker taker': ['taker-fee', 'taker-payment'],
  'maker maker': ['maker-payment'],
  'maker taker': ['maker-claim'],
  'taker maker': ['taker-claim'],
};

type DemoChainsOptions = {
  readonly scenario: DemoScenario;
  readonly seed: number;
  readonly file: WorldFile;
  readonly now: () => Millis;
};

export function createDemoChains({ scenario, seed, file, now }: DemoChainsOptions): DemoChains {
  // Rebuilding the past needs the past's time.
  let replayed: Millis | null = toMillis(EPOCH);
  const time = () => toUnixSeconds(replayed ?? now());
  const chains = {
    maker: chainOf('maker', { scenario, seed, time }),
    taker: chainOf('taker', { scenario, seed, time }),
  };
  const wallets = {
    maker: { maker: walletOf(chains.maker, 'maker'), taker: walletOf(chains.taker, 'maker') },
    taker: { maker: walletOf(chains.maker, 'taker'), taker: walletOf(chains.taker, 'taker') },
  };
  const schedules = { maker: xorshift32(seed * 2 + 11), taker: xorshift32(seed * 2 + 12) };
  const due: Record<Side, number> = { maker: EPOCH, taker: EPOCH };
  const reschedule = (side: Side) => {
    due[side] += Math.max(1, Math.floor((scenario.blockTime * (400 + schedules[side].below(1200))) / 1000));
  };
  reschedule('maker');
  reschedule('taker');
  const troubles = (['maker', 'taker'] as const).map((side) => claimTrouble(chains[side], { side, scenario }));
  const mineUntil = (at: Millis): void => {
    for (;;) {
      const side: Side = due.maker <= due.taker ? 'maker' : 'taker';
      if (due[side] * 1000 > at) return;
      if (replayed !== null) replayed = toMillis(due[side] as UnixSeconds);
      troubles[side === 'maker' ? 0 : 1]?.nextBlock();
      reschedule(side);
    }
  };

  for (const entry of file.entries) {
    if (entry.kind !== 'submit') continue;
    mineUntil(entry.at);
    replayed = entry.at;
    chains[entry.chain].submit(entry.hex);
  }
  if (replayed !== null) mineUntil(now());
  replayed = null;

  return {
    chains,
    wallets,
    next: () => toMillis(Math.min(due.maker, due.taker) as UnixSeconds),
    mineUntil,
    recorded: (party, chain, touch) => record(wallets[party][chain], { party, chain, file, now, touch }),
  };
}

function chainOf(
  side: Side,
  {
    scenario,
    seed,
    time,
  }: { readonly scenario: DemoScenario; readonly seed: number; readonly time: () => UnixSeconds },
): SimChain {
  const chain = createSimChain(scenario.kinds[side], {
    coin: COINS[side],
    blockTime: scenario.blockTime,
    finality: 3,
    fidelity: 'real',
    now: time,
    rng: xorshift32(seed * 2 + (side === 'maker' ? 1 : 2)),
    // What a chain with accounts counts in: 18 decimals, of which a unit of gas costs a thousand million.
    ...(scenario.kinds[side] === 'utxo' ? {} : { decimals: 18, feeRate: 1e9 }),
  });
  chain.setFaults(networkFaults(scenario, side));
  return chain;
}

function walletOf(chain: SimChain, party: Side): SimWallet {
  const funds = chain.coin === COINS[party] ? '10' : '0.5';
  return chain.wallet({ party, funds: funds as DecimalText });
}

type Recording = {
  readonly party: Side;
  readonly chain: Side;
  readonly file: WorldFile;
  readonly now: () => Millis;
  readonly touch: Touch;
};

function record(wallet: SimWallet, { party, chain, file, now, touch }: Recording): RuntimeChain {
  let broadcasts = 0;
  const touched = <A extends unknown[], T>(call: (...given: A) => T) => {
    return (...given: A): T => {
      touch();
      const answer = call(...given);
      touch();
      return answer;
    };
  };
  const broadcast = (transaction: PreparedTransaction): Answer<'sent' | 'known' | 'confirmed'> => {
    touch();
    file.write({ kind: 'submit', at: now(), chain, hex: transaction.tx_hex });
    const answer = wallet.broadcast(transaction);
    const name = SENT[`${party} ${chain}`]?.[broadcasts];
    broadcasts += 1;
    touch(name);
    return answer;
  };
  return {
    traits: wallet.traits,
    htlcKey: (swap) => wallet.htlcKey(swap),
    quote: touched(() => wallet.quote()),
    payment: touched((query) => wallet.payment(query)),
    transaction: touched((hash) => wallet.transaction(hash)),
    checkFee: touched((check) => wallet.checkFee(check)),
    prepare: touched((request, given) => wallet.prepare(request, given)),
    broadcast,
    subscribe: (onChange) => wallet.subscribe(onChange),
    reserve: (transactions) => wallet.reserve(transactions),
    release: (transactions) => wallet.release(transactions),
    hold: (hold) => wallet.hold(hold),
    resumed: () => wallet.resumed(),
  };
}
