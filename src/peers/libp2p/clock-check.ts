import type { Clock } from '../../ports/clock.ts';
import type { Millis, UnixSeconds } from '../../primitives/time.ts';
import {
  decodeClockAnswer,
  encodeClockAnswer,
  encodeClockRequest,
  isClockRequest,
  MOST_CLOCK_BYTES,
} from '../kdf-wire/clock-request.ts';
import { createFrameSplitter, type NextFrame, withLength } from './frame-splitter.ts';
import type { Link, WireStream } from './link.ts';

export const REQUEST_PROTOCOL = '/request-response/2';

/** Milliseconds in which who opens a stream asks. */
const ASKED_WITHIN = 20_000;

/** Answers a question for the time; to any other one, of which only the framework knows, that there is no answer. */
export function answerRequests(stream: WireStream, clock: Clock): void {
  const cancel = clock.wakeAt((clock.now() + ASKED_WITHIN) as Millis, () => stream.abort());
  void firstFrame(stream).then((next) => {
    cancel();
    if (next.is !== 'frame') {
      stream.abort();
      return;
    }
    const now = isClockRequest(next.frame) ? (Math.floor(clock.now() / 1000) as UnixSeconds) : null;
    stream.send(withLength(encodeClockAnswer(now)));
    stream.close();
  });
}

export type ClockCheckOptions = {
  readonly clock: Clock;
  /** Milliseconds until an answer is not waited for any more, and how far off it may be. */
  readonly timeout: number;
  readonly apart: number;
  /** Seconds by which the other clock is ahead; null where its answer is none. */
  readonly onFault: (ahead: number | null) => void;
};

/** Asks the other side for the time, as the framework does. One that gives no answer is fine; one whose clock differs is told of. */
export async function checkClock(link: Link, { clock, timeout, apart, onFault }: ClockCheckOptions): Promise<void> {
  let stream: WireStream;
  try {
    stream = await link.open([REQUEST_PROTOCOL]);
  } catch {
    return;
  }
  const cancel = clock.wakeAt((clock.now() + timeout) as Millis, () => stream.abort());
  const answer = firstFrame(stream);
  stream.send(withLength(encodeClockRequest()));
  const next = await answer;
  cancel();
  stream.close();
  if (next.is === 'none') return;
  const read = next.is === 'frame' ? decodeClockAnswer(next.frame) : null;
  if (read === null || !read.ok) onFault(null);
  else if (read.value !== null) {
    const ahead = read.value - clock.now() / 1000;
    if (Math.abs(ahead) * 1000 > apart) onFault(Math.round(ahead));
  }
}

/** The first frame of a stream; none where it ends before. Whoever sends more than that is not listened to. */
function firstFrame(stream: WireStream): Promise<NextFrame> {
  const splitter = createFrameSplitter(MOST_CLOCK_BYTES);
  let isOver = false;
  return new Promise((resolve) => {
    const conclude = (next: NextFrame): void => {
      isOver = true;
      resolve(next);
    };
    stream.read({
      bytes(chunk) {
        // What goes on once it is closed on this side would be kept for ever.
        if (isOver) {
          stream.abort();
          return;
        }
        splitter.push(chunk.subarray(0, 2 * MOST_CLOCK_BYTES));
        const next = splitter.next();
        if (next.is !== 'none') conclude(next);
        else if (splitter.held() > 2 * MOST_CLOCK_BYTES) conclude({ is: 'fault' });
      },
      end: () => resolve({ is: 'none' }),
    });
  });
}
