import type { Clock } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import { createFrameSplitter, type NextFrame, withLength } from './frame-splitter.ts';
import type { Link, WireStream } from './link.ts';

// Protocols with one question and one answer on their own stream.

/** Milliseconds in which the opener of a stream must ask. */
const ASKED_WITHIN = 20_000;

export type Answering = {
  readonly clock: Clock;
  /** Most bytes of a question. */
  readonly most: number;
  /** The answer to a question; null if it gets none. */
  readonly answer: (question: Uint8Array) => Uint8Array | null;
};

/** Answers the question on a stream opened by another node. */
export function answerOnce(stream: WireStream, { clock, most, answer }: Answering): void {
  const cancel = clock.wakeAt((clock.now() + ASKED_WITHIN) as Millis, () => stream.abort());
  void firstFrame(stream, most).then((next) => {
    cancel();
    const told = next.is === 'frame' ? answer(next.frame) : null;
    if (told === null) {
      stream.abort();
      return;
    }
    stream.send(withLength(told));
    stream.close();
  });
}

export type Asking = {
  readonly clock: Clock;
  readonly protocol: string;
  readonly question: Uint8Array;
  /** Milliseconds after which an answer is no longer awaited. */
  readonly timeout: number;
  /** Most bytes of the answer. */
  readonly most: number;
};

/** Asks another node. Null if it does not support the protocol, or does not answer in time. */
export async function askOnce(link: Link, { clock, protocol, question, timeout, most }: Asking): Promise<NextFrame> {
  let stream: WireStream;
  try {
    stream = await link.open([protocol]);
  } catch {
    return { is: 'none' };
  }
  const cancel = clock.wakeAt((clock.now() + timeout) as Millis, () => stream.abort());
  const answer = firstFrame(stream, most);
  stream.send(withLength(question));
  const next = await answer;
  cancel();
  stream.close();
  return next;
}

/** The first frame of a stream; none if it ends before. Anything after it is ignored. */
function firstFrame(stream: WireStream, most: number): Promise<NextFrame> {
  const splitter = createFrameSplitter(most);
  let isOver = false;
  return new Promise((resolve) => {
    const conclude = (next: NextFrame): void => {
      isOver = true;
      resolve(next);
    };
    stream.read({
      bytes(chunk) {
        // What goes on once it is closed on this side would be kept forever.
        if (isOver) {
          stream.abort();
          return;
        }
        splitter.push(chunk.subarray(0, 2 * most));
        const next = splitter.next();
        if (next.is !== 'none') conclude(next);
        else if (splitter.held() > 2 * most) conclude({ is: 'fault' });
      },
      end: () => resolve({ is: 'none' }),
    });
  });
}
