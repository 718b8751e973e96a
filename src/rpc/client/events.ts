import { z } from 'zod';
import { RpcUnansweredError } from './errors.ts';

/** An event of a node: its position in the node's log, and its content. */
export type NodeEvent = {
  readonly id: string | null;
  /**
   * `SWAP_STATUS`, `ORDER_STATUS`, `WATCHER_STATUS`, `ACTIVATION:<coin>`, `BALANCE:<coin>`, `TASK:<id>`, `UNREADABLE`, `HEARTBEAT`; `POSITION` where nothing is
   * told but the id to go on from.
   */
  readonly type: string;
  readonly message: unknown;
};

/** Longest frame that is assembled, in characters. */
const LONGEST_FRAME = 16_000_000;

/** The frames of a body of server-sent events. @throws RpcUnansweredError for what is none */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<NodeEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      if (text.length > LONGEST_FRAME) throw unreadable('a frame has no end');
      for (const frame of frames) {
        const event = eventOf(frame);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(frame: string): NodeEvent | null {
  const member = (name: string): string | null => {
    const line = frame.split('\n').find((each) => each.startsWith(`${name}: `));
    return line === undefined ? null : line.slice(name.length + 2);
  };
  const data = member('data');
  const id = member('id');
  if (data === null) return id === null ? null : { id, type: 'POSITION', message: null };
  let said: unknown;
  try {
    said = JSON.parse(data);
  } catch {
    throw unreadable('a frame does not hold JSON');
  }
  const read = TOLD.safeParse(said);
  if (!read.success) throw unreadable('a frame names no type');
  return { id, type: read.data._type, message: read.data.message };
}

const TOLD = z.looseObject({ _type: z.string(), message: z.unknown().optional() });

function unreadable(fault: string): RpcUnansweredError {
  return new RpcUnansweredError({ method: 'event-stream', fault });
}
