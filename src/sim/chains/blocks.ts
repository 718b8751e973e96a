import type { Seconds, UnixSeconds } from '../../primitives/time.ts';

/** Blocks whose times give the median time past (BIP 113). */
export const MEDIAN_SPAN = 11;

/** How far ahead of the world a block's time may be, in seconds. */
export const MAX_AHEAD: Seconds = 7200;

export type Block<Entry> = {
  readonly height: number;
  /** As the miner wrote it. */
  readonly time: UnixSeconds;
  /** Median of the times of this block and the ten before it. */
  readonly median: UnixSeconds;
  /** When the network received it, in world time. */
  readonly arrived: UnixSeconds;
  readonly entries: readonly Entry[];
};

/** What a node sees of a chain: blocks up to a height, and what arrived in the mempool until a moment. */
export type ChainView = {
  readonly height: number;
  readonly time: UnixSeconds;
  readonly median: UnixSeconds;
  /** Infinite for a node that does not lag. */
  readonly arrived: number;
};

export type BlockList<Entry> = {
  /** What a node without faults sees. */
  truth: ChainView;
  readonly blocks: Block<Entry>[];
  readonly push: (block: Pick<Block<Entry>, 'time' | 'arrived' | 'entries'>) => Block<Entry>;
  /** Removes the tip; undefined if only the start is left. */
  readonly pop: () => Block<Entry> | undefined;
  /** Restores the blocks of a moment: the value of `blocks` then. */
  readonly restore: (blocks: readonly Block<Entry>[]) => void;
  /** The view of a node that lags by so many blocks and seconds. */
  readonly lagging: (blocks: number, until: number) => ChainView;
};

/** A list that starts with one block at `startHeight`, made at `startTime` after ten others at the nominal distance. */
export function blockList<Entry>(start: {
  readonly height: number;
  readonly time: UnixSeconds;
  readonly blockTime: Seconds;
}): BlockList<Entry> {
  const times: number[] = [];
  for (let back = MEDIAN_SPAN - 1; back >= 0; back--) times.push(start.time - back * start.blockTime);
  const first: Block<Entry> = {
    height: start.height,
    time: start.time,
    median: medianOf(times),
    arrived: start.time,
    entries: [],
  };
  const blocks = [first];
  const list: BlockList<Entry> = {
    truth: viewOf(first, Number.POSITIVE_INFINITY),
    blocks,
    push: ({ time, arrived, entries }) => {
      times.push(time);
      const block = { height: list.truth.height + 1, time, median: medianOf(times), arrived, entries };
      blocks.push(block);
      list.truth = viewOf(block, Number.POSITIVE_INFINITY);
      return block;
    },
    pop: () => {
      if (blocks.length === 1) return undefined;
      times.pop();
      const block = blocks.pop();
      list.truth = viewOf(blocks[blocks.length - 1] ?? first, Number.POSITIVE_INFINITY);
      return block;
    },
    restore: (wanted) => {
      while (list.pop() !== undefined);
      for (const block of wanted.slice(1)) list.push(block);
    },
    lagging: (count, until) => {
      let index = Math.max(0, blocks.length - 1 - Math.max(0, count));
      while (index > 0 && (blocks[index]?.arrived ?? 0) > until) index--;
      const tip = blocks[index] ?? first;
      // A node that is whole blocks behind has heard only of what arrived before the block after its tip.
      const next = blocks[index + 1];
      return viewOf(tip, next === undefined ? until : Math.min(until, next.arrived));
    },
  };
  return list;
}

function viewOf({ height, time, median }: Omit<Block<unknown>, 'entries'>, arrived: number): ChainView {
  return { height, time, median, arrived };
}

/** Whether the block at a height is older than the moment that a fee check names. */
export function isTooOld(
  { blocks }: Pick<BlockList<unknown>, 'blocks'>,
  height: number,
  { notBefore }: { readonly notBefore?: UnixSeconds },
): boolean {
  const first = blocks[0]?.height ?? 0;
  const made = blocks[height - first]?.time;
  return notBefore !== undefined && made !== undefined && made < notBefore;
}

const sorted = new Float64Array(MEDIAN_SPAN);

function medianOf(times: readonly number[]): UnixSeconds {
  const offset = times.length - MEDIAN_SPAN;
  for (let count = 0; count < MEDIAN_SPAN; count++) {
    const time = times[offset + count] as number;
    let place = count;
    while (place > 0 && (sorted[place - 1] as number) > time) {
      sorted[place] = sorted[place - 1] as number;
      place--;
    }
    sorted[place] = time;
  }
  return sorted[MEDIAN_SPAN >> 1] as UnixSeconds;
}
