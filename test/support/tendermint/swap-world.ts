import type { TendermintCoin } from '../../../src/chains/tendermint/coin.ts';
import { createTendermintQuorumReader } from '../../../src/chains/tendermint/quorum-reader.ts';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { BASE_LOCK_DURATION } from '../../../src/htlc/lock-times.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { createRuntime, type Runtime, swapKind } from '../../../src/runtime/index.ts';
import { createUtxoChain } from '../../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../../src/sim/xorshift.ts';
import type { NodeConduct } from '../../../src/testing/cometbft/node.ts';
import { mortalChain, mortalClock, mortalPeers } from '../mortal.ts';
import { KEYS, requestOf, type Side } from '../swap-pair.ts';
import { virtualClock } from '../virtual-clock.ts';
import { BLOCK_TIME, type ChainKind, TendermintTestChain, UNIT } from './adapter-chain.ts';

export const FUNDS = 50n * UNIT;
export const SIDES = ['maker', 'taker'] as const;
/** Seconds that blocks make up for. */
const MOST_BEHIND = 300;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };

export type Given = {
  readonly kind: ChainKind;
  readonly request: Partial<SwapRequest>;
  /** @defaultValue the chain's own coin */
  readonly coin?: Partial<TendermintCoin>;
  /** What is otherwise for one side. @defaultValue nothing */
  readonly of?: Partial<Record<Side, Partial<TendermintCoin>>>;
  /** How long a block of the Tendermint chain takes, as a part of the nominal time. @defaultValue 1 */
  readonly pace?: number;
  /** How the nodes behave that each party asks, two of which must say the same. @defaultValue one that is as it should be */
  readonly nodes?: readonly NodeConduct[];
};

export type Party = {
  runtime: Runtime;
  die: () => void;
  readonly revive: () => void;
  readonly types: () => readonly string[];
};

/** Two nodes between a simulated chain of outputs and a Tendermint chain in this process. */
export async function worldOf({ kind, request, coin = {}, of = {}, pace = 1, nodes }: Given) {
  const chain = new TendermintTestChain(kind);
  const settle = async () => {
    for (let calm = 0; calm < 3; calm = chain.busy === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock((chain.now + 30) * 1000, settle);
  const seconds = () => Math.floor(clock.now() / 1000);
  const outputs = createUtxoChain({
    ...{ coin: 'DOC', decimals: 8, finality: 3, startHeight: 2000, blockTime: 60, minTxAmount: 900n },
    now: () => seconds() as UnixSeconds,
    rng: xorshift32(7),
  });
  const network = createInProcessNetwork();
  const denom = coin.denom ?? kind.denom;
  const uuid = '3447b727-fe93-4357-8e5a-8cf2699b7e86';
  const partyOf = async (side: Side): Promise<Party> => {
    chain.give(side, FUNDS);
    if (denom !== kind.denom) chain.give(side, FUNDS, denom);
    const log = createMemoryLog();
    const wallet = outputs.wallet({ party: side, funds: '100' as DecimalText, coins: 9 });
    const start = () => {
      const life = { over: false };
      const own = mortalClock(clock, life);
      const reader =
        nodes === undefined
          ? chain.reader()
          : createTendermintQuorumReader({ readers: nodes.map((conduct) => chain.reader(conduct)), clock: own });
      const tendermint = chain.wallet(side, own, { coin: { ...coin, ...of[side] }, reader });
      const runtime = createRuntime({
        ...{ log, clock: own, peers: mortalPeers(network.peer(KEYS[side]), life) },
        chains: [mortalChain(wallet, life), mortalChain(tendermint, life)],
        kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
        policy: { ...POLICY, paymentLocktime: request.lock_duration ?? BASE_LOCK_DURATION },
      });
      const die = () => {
        life.over = true;
      };
      return { runtime, die };
    };
    const types = () => {
      const records = log.read(`${side}-swap/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    };
    const party: Party = {
      ...start(),
      types,
      revive: () => {
        wallet.restart();
        Object.assign(party, start());
        void party.runtime.resumeAll();
      },
    };
    return party;
  };
  /** Whether the Tendermint chain makes no blocks. */
  const stands = { still: false };
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker') };
  const until = async (condition: () => boolean, most = 400): Promise<boolean> => {
    for (let minute = 0; minute < most; minute += 1) {
      await clock.advance(0);
      if (condition()) return true;
      await clock.advance(60_000);
      outputs.mine();
      if (stands.still) continue;
      // A chain that stood still makes up for no block: the next one tells the time.
      if (chain.now + MOST_BEHIND < seconds()) chain.chain.mine(1, seconds() - chain.now);
      while (chain.now + BLOCK_TIME * pace <= seconds()) chain.chain.mine(1, BLOCK_TIME * pace);
    }
    return condition();
  };
  const has = (side: Side, type: string) => () => parties[side].types().includes(type);
  for (const side of SIDES)
    await parties[side].runtime.startSwap(
      requestOf(side, { uuid, secret: side === 'maker' ? '5e'.repeat(32) : null, ...request }),
    );
  return {
    ...{ chain, outputs, clock, parties, until, has, stands },
    finished: () => SIDES.every((side) => has(side, 'Finished')()),
    /** Base units of the coin that is traded beyond what a party had at first. */
    gain: (side: Side) => chain.balance(side, denom) - FUNDS,
    /** What a party has of the coin of the chain of outputs, its fees aside. */
    outputsOf: (side: Side) => outputs.ledger.balance(side).confirmed + outputs.ledger.feesPaid(side),
    /** What is under locks. */
    locked: () => [...chain.chain.tip().state.payments.values()].filter(({ state }) => state === 'open').length,
  };
}
