import type { Compatibility } from '../../../node/node.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import { SwapfoldError } from '../../../primitives/error.ts';
import { type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { Access } from '../access.ts';
import { RpcFailure } from '../failure.ts';
import { admit, failedPage, membersOf, type Page, type PageRequest, refused } from '../pages.ts';
import { type EventStream, openEventStream, type StreamLimits } from './event-stream.ts';
import { messageReader } from './message.ts';

export type EventPageOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly access: Access;
  readonly compatibility: Compatibility;
  readonly limits?: Partial<StreamLimits>;
  /** Clients that may follow at a time. @defaultValue 64 */
  readonly most?: number;
};

export type EventPage = {
  readonly page: Page;
  /** Ends all streams, and lets nobody follow any more. */
  readonly close: () => void;
};

/** Where the real node has its stream. */
export const EVENT_STREAM_PATH = '/event-stream';

const MOST_STREAMS = 64;

/** What happens in a node, as server-sent events, for those who have its password. */
export function eventPage(options: EventPageOptions): EventPage {
  const { log, clock, access, compatibility, limits = {}, most = MOST_STREAMS } = options;
  const streams = new Set<EventStream>();
  const read = messageReader({ log, compatibility });
  let closed = false;
  const open = (request: PageRequest): Response => {
    const members = membersOf(request);
    admit(access, request, members);
    if (closed) throw new RpcFailure('The node is being stopped', { type: 'Internal', status: 503 });
    if (streams.size >= most) {
      const text = `More than ${most} clients follow the node; close one, or try again later`;
      throw new RpcFailure(text, { type: 'TooManyStreams', data: most, status: 503 });
    }
    const asked = askedOf(members, request);
    const stream = openEventStream({
      ...{ log, clock, read, limits, cut: request.cut },
      ...asked,
      onEnd: () => streams.delete(stream),
    });
    streams.add(stream);
    return new Response(stream.body, { status: 200, headers: HEADERS });
  };
  return {
    page: async (request) => {
      try {
        return open(request);
      } catch (error) {
        return failedPage(isAhead(error) ? cursorAhead(error) : error);
      }
    },
    close() {
      closed = true;
      for (const stream of streams) stream.close();
    },
  };
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // A proxy that gathers an answer before it passes it on would hold everything back.
  'X-Accel-Buffering': 'no',
  // One that stayed open behind the stream's end would keep the node from closing.
  Connection: 'close',
};

type Asked = { readonly after: number | null; readonly wants: (type: string) => boolean };

/** From where on, and what: the members `last_event_id` and `types` of the body, else the header and the address. */
function askedOf(members: JsonObject, { headers, query }: PageRequest): Asked {
  const id = members['last_event_id'] ?? headers.get('last-event-id') ?? query.get('last_event_id') ?? null;
  const types = members['types'] ?? query.get('types')?.split(',') ?? null;
  return { after: positionOf(id), wants: wantsOf(types) };
}

/** @throws RpcFailure */
function positionOf(id: JsonValue): number | null {
  // A browser that has none says nothing, or says the empty text.
  if (id === null || id === '') return null;
  const text = typeof id === 'string' ? id : (numberText(id) ?? '');
  const position = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(position)) return position;
  throw refused('Last-Event-ID is the id of an event of this node: a whole number from 0', 400);
}

const NAMES = ['SWAP_STATUS', 'ORDER_STATUS', 'WATCHER_STATUS', 'ACTIVATION', 'BALANCE', 'UNREADABLE', 'HEARTBEAT'];

/** What is of a coin may name it. */
const TYPES = new RegExp(`^(?:(?:${NAMES.join('|')})|(?:ACTIVATION|BALANCE):.+)$`);

/** `BALANCE` stands for `BALANCE:<coin>` of all coins. @throws RpcFailure */
function wantsOf(types: JsonValue): (type: string) => boolean {
  if (types === null) return () => true;
  if (!Array.isArray(types) || !types.every((type) => typeof type === 'string')) {
    throw refused('types is a list of texts, such as SWAP_STATUS', 400);
  }
  const unknown = types.find((type) => !TYPES.test(type));
  if (unknown !== undefined) {
    throw refused(`types: ${JSON.stringify(unknown.slice(0, 40))} is none of ${NAMES.join(', ')}`, 400);
  }
  const wanted: ReadonlySet<string> = new Set(types);
  return (type) => wanted.has(type) || wanted.has(type.split(':', 1)[0] ?? type);
}

function isAhead(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.code === 'LOG_CURSOR_AHEAD';
}

function cursorAhead({ facts }: SwapfoldError): RpcFailure {
  const text =
    'Last-Event-ID lies behind the end of the log, so it is of another node or of a later copy; begin without it';
  return new RpcFailure(text, { type: 'CursorAhead', data: facts, status: 409 });
}
