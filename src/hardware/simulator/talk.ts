import type { WireMessage } from '../trezor/reports.ts';

/** The host sent an unexpected message in the middle of an exchange: the device aborts what it did. */
export class Interrupted extends Error {
  readonly by: WireMessage;

  constructor(by: WireMessage) {
    super('the host sent something else');
    this.by = by;
  }
}

/** The device's side of the exchange: messages are served in order, one at a time. */
export type Talk = {
  readonly hear: (message: WireMessage) => void;
  readonly next: () => Promise<WireMessage>;
  /** Sends a message and waits for the required answer. @throws Interrupted for any other message. */
  readonly ask: (message: WireMessage, wanted: number) => Promise<Uint8Array>;
  /** Waits for something that is not a message. @throws Interrupted when a message arrives first. */
  readonly unless: <T>(other: Promise<T>) => Promise<T>;
};

export function createTalk(say: (message: WireMessage) => void): Talk {
  const heard: WireMessage[] = [];
  let wake: (() => void) | undefined;
  const arrival = (): Promise<void> => {
    if (heard.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      wake = resolve;
    });
  };
  const next = async (): Promise<WireMessage> => {
    for (;;) {
      const message = heard.shift();
      if (message !== undefined) return message;
      await arrival();
    }
  };
  return {
    next,
    hear(message) {
      heard.push(message);
      wake?.();
      wake = undefined;
    },
    async ask(message, wanted) {
      say(message);
      const answer = await next();
      if (answer.type !== wanted) throw new Interrupted(answer);
      return answer.payload;
    },
    async unless(other) {
      const first = await Promise.race([other.then((value) => ({ value })), arrival().then(() => undefined)]);
      if (first !== undefined) return first.value;
      throw new Interrupted(await next());
    },
  };
}
