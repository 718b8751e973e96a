import type { SwapRequest } from '../../../src/events/journal.ts';
import { BASE_LOCK_DURATION } from '../../../src/htlc/lock-times.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { createRuntime, type Runtime, swapKind } from '../../../src/runtime/index.ts';
import { mortalChain, mortalClock, mortalPeers } from '../mortal.ts';
import { KEYS, requestOf, type Side } from '../swap-pair.ts';
import { virtualClock } from '../virtual-clock.ts';
import { tokenOf, tokenWallet } from './adapter-chain.ts';
import { accountOf, QTUM_BLOCK_TIME, QtumTestChain } from './chain.ts';
import type { Leg } from './legs.ts';

export const SIDES = ['maker', 'taker'] as const;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };
const UUID = '3447b727-fe93-4357-8e5a-8cf2699b7e86';

export type Party = {
  runtime: Runtime;
  die: () => void;
  readonly revive: () => void;
  readonly log: EventLog;
  readonly types: () => readonly string[];
};

export type Given = {
  readonly leg: (from: number) => Promise<Leg>;
  readonly request: Partial<SwapRequest>;
};

/** Two nodes between a chain whose blocks call contracts and another chain. */
export async function qtumWorld(given: Given) {
  const chain = await QtumTestChain.start();
  const begun: { leg?: Leg } = {};
  try {
    return await worldOn(chain, { ...given, begun });
  } catch (error) {
    // Nobody has anything by which to end it.
    await begun.leg?.close();
    await chain.close();
    throw error;
  }
}

async function worldOn(
  chain: QtumTestChain,
  { leg: legOf, request, begun }: Given & { readonly begun: { leg?: Leg } },
) {
  const coin = await tokenOf(chain, { maker: 5_000_000n, taker: 6_000_000n });
  for (const [place, side] of SIDES.entries())
    await chain.fund(side, { count: 12, value: 200_000_000n + BigInt(place) });
  await chain.mine(2);
  const leg = await legOf(chain.now);
  begun.leg = leg;
  const settle = async () => {
    for (let calm = 0; calm < 4; calm = chain.busy + leg.busy() === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock((chain.now + 30) * 1000, settle);
  const seconds = () => Math.floor(clock.now() / 1000);
  const network = createInProcessNetwork();
  const partyOf = (side: Side): Party => {
    const log = createMemoryLog();
    const start = () => {
      const life = { over: false };
      const own = mortalClock(clock, life);
      const runtime = createRuntime({
        ...{ log, clock: own, peers: mortalPeers(network.peer(KEYS[side]), life) },
        chains: [
          mortalChain(tokenWallet(chain, side, { coin, clock: own, poll: 30 }), life),
          mortalChain(leg.wallet(side, own), life),
        ],
        kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
        policy: { ...POLICY, paymentLocktime: request.lock_duration ?? BASE_LOCK_DURATION },
      });
      const die = () => {
        life.over = true;
      };
      return { runtime, die };
    };
    const party: Party = {
      ...start(),
      log,
      types: () => {
        const records = log.read(`${side}-swap/${UUID}`);
        if (records instanceof Promise) throw new TypeError('the log answers at once');
        return records.map(({ type }) => type);
      },
      revive: () => {
        Object.assign(party, start());
        void party.runtime.resumeAll();
      },
    };
    return party;
  };
  const parties = { maker: partyOf('maker'), taker: partyOf('taker') };
  const until = async (condition: () => boolean, most = 300): Promise<boolean> => {
    for (let minute = 0; minute < most; minute += 1) {
      await clock.advance(0);
      if (condition()) return true;
      await clock.advance(60_000);
      // Fewer, longer blocks than are due: each costs a look of everybody.
      chain.now = Math.max(chain.now, seconds() - QTUM_BLOCK_TIME);
      if (chain.now + QTUM_BLOCK_TIME <= seconds()) await chain.mine(1);
      await leg.mineUntil(seconds());
    }
    return condition();
  };
  const tokens = async () => Promise.all(SIDES.map((side) => chain.machine.evm.tokensOf(coin.token, accountOf(side))));
  // One after another: some nodes count for one at a time.
  const others = async (): Promise<readonly bigint[]> => [await leg.balance('maker'), await leg.balance('taker')];
  const [tokensBefore, othersBefore] = [await tokens(), await others()];
  for (const side of SIDES)
    await parties[side].runtime.startSwap(
      requestOf(side, { uuid: UUID, secret: side === 'maker' ? '5e'.repeat(32) : null, ...request }),
    );
  const has = (side: Side, type: string) => () => parties[side].types().includes(type);
  return {
    ...{ chain, leg, coin, parties, until, has },
    finished: () => SIDES.every((side) => has(side, 'Finished')()),
    /** Base units beyond what maker and taker had at first: of the token, and of the other coin. */
    gains: async () => ({
      tokens: (await tokens()).map((now, place) => now - (tokensBefore[place] as bigint)),
      others: (await others()).map((now, place) => now - (othersBefore[place] as bigint)),
    }),
    /** What the swap contract still holds. */
    locked: () => chain.machine.evm.tokensOf(coin.token, chain.swapContract),
    close: async () => {
      for (const side of SIDES) parties[side].die();
      await leg.close();
      await chain.close();
    },
  };
}
