import { completeFeed } from '../../src/sim/chains/complete-feed.ts';
import { countingChain } from '../support/counting-chain.ts';
import { createPair, type Pair, requestOf } from '../support/swap-pair.ts';
import { assertSame, type Row, type SuiteOptions } from './measure.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Two safety looks and more, and less than the taker's lock leaves. */
const MINUTES = 30;

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

type Setting = {
  readonly complete: boolean;
  readonly swaps: number /** A block comes so often, in minutes. */;
  readonly every: number;
};

/** Takers that wait for a maker who is gone. */
async function waiting(pair: Pair, swaps: number): Promise<void> {
  const { maker, taker } = pair.nodes;
  for (let index = 0; index < swaps; index++) {
    for (const { side, runtime } of [maker, taker]) await runtime.startSwap(requestOf(side, { uuid: uuidOf(index) }));
  }
  const mine = () => {
    for (const coin of ['DOC', 'MARTY'] as const) pair.chains[coin].mine();
  };
  const waits = async () => {
    for (let index = 0; index < swaps; index++) {
      const status = await taker.runtime.status(uuidOf(index));
      if (status?.state !== 'waitingForSpend') return false;
    }
    return true;
  };
  for (let second = 0; !(await waits()); second++) {
    assertSame(second < 300, true, 'every taker comes to its wait');
    if (second % 30 === 29) mine();
    await pair.clock.advance(SECOND);
  }
  maker.die();
  // What waits for a block is pushed on, and that asks as well.
  for (let block = 0; block < 4; block++) {
    mine();
    await pair.clock.advance(MINUTE);
  }
}

/** Questions to both chains per waiting swap and minute. */
async function questions({ complete, swaps, every }: Setting): Promise<number> {
  let asked = 0;
  const pair = createPair({
    coins: 4 * swaps,
    options: (side, { chains, clock }) => ({
      chains: chains.map((chain, index) => {
        const told = complete ? completeFeed(chain, { clock, heartbeat: index === 0 ? 45 : 70 }) : chain;
        return countingChain(told, () => {
          if (side === 'taker') asked += 1;
        });
      }),
    }),
  });
  await waiting(pair, swaps);
  await pair.clock.advance(5 * SECOND);
  const before = asked;
  for (let minute = 1; minute <= MINUTES; minute++) {
    await pair.clock.advance(MINUTE);
    if (minute % every !== 0) continue;
    for (const coin of ['DOC', 'MARTY'] as const) pair.chains[coin].mine();
  }
  const last = await pair.nodes.taker.runtime.status(uuidOf(swaps - 1));
  assertSame(last?.state, 'waitingForSpend', 'the last taker still waits');
  return (asked - before) / swaps / MINUTES;
}

/** What swaps ask that wait for the other side's spend, on chains with a complete feed and on such that are polled. */
export async function* feedsSuite({ swaps = 20 }: SuiteOptions): AsyncGenerator<Row> {
  for (const [every, name] of [
    [MINUTES + 1, 'nothing new'],
    [10, 'blocks of ten minutes'],
  ] as const) {
    const ours = await questions({ complete: true, swaps, every });
    const reference = await questions({ complete: false, swaps, every });
    yield {
      name: `feeds: a waiting swap, ${name}, vs polls`,
      unit: 'asks/min',
      ours,
      reference,
      ratio: ours / reference,
    };
  }
}
