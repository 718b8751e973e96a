import type { WireMessage } from '../trezor/reports.ts';

/** In the middle of something else the host said what does not belong there: the device drops what it did. */
export class Interrupted extends Error {
  readonly by: WireMessage;

  constructor(by: WireMessage) {
    super('the host sent something else');
    this.by = by;
  }
}

/** The device's side of the talk: messages come in turn, and each is answered before the next is looked at. */
export type Talk = {
  readonly hear: (message: WireMessage) => void;
  readonly next: () => Promise<WireMessage>;
  /** Says something and waits for what must follow. @throws Interrupted for anything else. */
  readonly ask: (message: WireMessage, wanted: number) => Promise<Uint8Array>;
  /** Waits for something that is no message. @throws Interrupted when a message comes first. */
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
