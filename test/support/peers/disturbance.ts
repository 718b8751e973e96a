import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { FrameworkOptions } from './framework/node.ts';
import { lengthPrefixed, takeFrames } from './framework/protobuf.ts';
import { readRpc, writeRpc } from './framework/rpc.ts';

/** What became of the frames that went out. */
export type Disturbed = { frames: number; late: number; overtaken: number; repeated: number; told: number };

export type DisturbanceOptions = {
  readonly clock: Clock;
  readonly seed: number;
  /** The longest delay, in milliseconds. */
  readonly longest: number;
};

/**
 * A relay's way of handing on badly: each frame with messages goes out late, so that others overtake it, and most go out again later, once as it
 * was and once under another number, which no memory of what was seen keeps away.
 */
export function disturbance({ clock, seed, longest }: DisturbanceOptions): {
  readonly disturb: NonNullable<FrameworkOptions['disturb']>;
  readonly disturbed: Readonly<Disturbed>;
} {
  const disturbed: Disturbed = { frames: 0, late: 0, overtaken: 0, repeated: 0, told: 0 };
  let state = seed;
  /** From 0 to 1, the same in each run (mulberry32). */
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  let lastOut = 0;
  const later = (pause: number, act: () => void): void => {
    clock.wakeAt((clock.now() + Math.round(pause)) as Millis, act);
  };
  return {
    disturbed,
    disturb(frame, write) {
      disturbed.frames += 1;
      const number = disturbed.frames;
      const pause = draw() * longest;
      if (pause > longest / 10) disturbed.late += 1;
      later(pause, () => {
        if (number < lastOut) disturbed.overtaken += 1;
        lastOut = Math.max(lastOut, number);
        disturbed.told += 1;
        write(frame);
      });
      if (draw() < 0.3) return;
      disturbed.repeated += 1;
      later(pause + draw() * 2 * longest, () => write(frame));
      later(pause + draw() * 3 * longest, () => write(renumbered(frame)));
    },
  };
}

/** The same messages under other numbers, as anybody can say them again. */
function renumbered(frame: Buffer): Buffer {
  const { published } = readRpc(takeFrames(frame).frames[0] ?? Buffer.alloc(0));
  return lengthPrefixed(writeRpc({ published: published.map((one) => ({ ...one, seqno: randomBytes(8) })) }));
}
