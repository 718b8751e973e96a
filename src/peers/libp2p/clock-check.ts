import type { Clock } from '../../ports/clock.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import {
  decodeClockAnswer,
  encodeClockAnswer,
  encodeClockRequest,
  isClockRequest,
  MOST_CLOCK_BYTES,
} from '../kdf-wire/clock-request.ts';
import type { Link, WireStream } from './link.ts';
import { answerOnce, askOnce } from './one-frame.ts';

export const REQUEST_PROTOCOL = '/request-response/2';

/** Answers a request for the time. Any other request, known only to the framework, gets an empty answer. */
export function answerRequests(stream: WireStream, clock: Clock): void {
  const now = (): UnixSeconds => Math.floor(clock.now() / 1000) as UnixSeconds;
  answerOnce(stream, {
    ...{ clock, most: MOST_CLOCK_BYTES },
    answer: (question) => encodeClockAnswer(isClockRequest(question) ? now() : null),
  });
}

export type ClockCheckOptions = {
  readonly clock: Clock;
  /** Milliseconds to wait for an answer, and how far off it may be. */
  readonly timeout: number;
  readonly apart: number;
  /** Seconds by which the other clock is ahead; null without a valid answer. */
  readonly onFault: (ahead: number | null) => void;
};

/** Asks the other side for the time, as the framework does. Accepts silence; reports a clock that differs. */
export async function checkClock(link: Link, { clock, timeout, apart, onFault }: ClockCheckOptions): Promise<void> {
  const asking = { clock, timeout, protocol: REQUEST_PROTOCOL, most: MOST_CLOCK_BYTES };
  const next = await askOnce(link, { ...asking, question: encodeClockRequest() });
  if (next.is === 'none') return;
  const read = next.is === 'frame' ? decodeClockAnswer(next.frame) : null;
  if (read === null || !read.ok) onFault(null);
  else if (read.value !== null) {
    const ahead = read.value - clock.now() / 1000;
    if (Math.abs(ahead) * 1000 > apart) onFault(Math.round(ahead));
  }
}
