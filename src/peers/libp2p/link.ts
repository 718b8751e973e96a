/** A stream to another node, under one protocol. */
export type WireStream = {
  readonly protocol: string;
  /** Queues bytes for writing. False if the stream is closed. */
  readonly send: (bytes: Uint8Array) => boolean;
  /** Bytes that were handed over and that the other side has not yet read. */
  readonly waiting: () => number;
  /** Calls back whenever nothing waits any more. */
  readonly onIdle: (idle: () => void) => void;
  /** Calls back with what arrives, and once at the end. Call it once, before you await anything else. */
  readonly read: (on: { readonly bytes: (chunk: Uint8Array) => void; readonly end: () => void }) => void;
  /** While it is paused, the other side can send no more than its window. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it once what was handed over is sent. */
  readonly close: () => void;
  /** Ends it at once. */
  readonly abort: () => void;
};

/** A connection to another node, whose identity it has proved. */
export type Link = {
  /** Peer id as text. */
  readonly id: string;
  readonly idBytes: Uint8Array;
  /** Address of the other side, without its port. */
  readonly host: string;
  /** Port of the other side: the one that was dialed, or one on which it does not listen. */
  readonly port: number;
  /** Whether this side opened it. */
  readonly dialed: boolean;
  /** Opens a stream with the first protocol that the other side supports. Fails if it supports none. */
  readonly open: (protocols: readonly string[]) => Promise<WireStream>;
  /** Ends it at once. */
  readonly drop: () => void;
  /** Calls back once it has ended, on either side; at once if it has. */
  readonly onEnd: (ended: () => void) => void;
};

/** What a node does with a stream opened by another one. */
export type StreamHandler = (stream: WireStream, link: Link) => void;
