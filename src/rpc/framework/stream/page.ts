import type { Compatibility } from '../../../node/node.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import { SwapfoldError } from '../../../primitives/error.ts';
import { type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { Access } from '../access.ts';
import { RpcFailure } from '../failure.ts';
import { admit, failedPage, membersOf, type Page, type PageRequest, refused } from '../pages.ts';
import { HEARTBEAT, type OpenedClient, type StreamClients, streamClients, USUAL_INTERVAL } from './clients.ts';
import { type EventStream, openEventStream, type StreamChoice, type StreamLimits } from './event-stream.ts';
import { messageReader } from './message.ts';

export type EventPageOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly access: Access;
  readonly compatibility: Compatibility;
  /** What clients choose by calls. @defaultValue nobody calls */
  readonly clients?: StreamClients;
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
  const clients = options.clients ?? streamClients();
  const streams = new Set<EventStream>();
  const read = messageReader({ log, compatibility });
  let closed = false;
  const open = (request: PageRequest): Response => {
    const members = membersOf(request);
    admit(access, request, members);
    if (closed) throw new RpcFailure('The node is stopping', { type: 'Internal', status: 503 });
    if (streams.size >= most) {
      const text = `More than ${most} clients follow the node; close one, or try again later`;
      throw new RpcFailure(text, { type: 'TooManyStreams', data: most, status: 503 });
    }
    const { id, after, types } = askedOf(members, request);
    const client = clients.open(id ?? UNNAMED, after !== null);
    const choice = id === null ? undefined : choiceOf({ client, id }, types);
    const stream = endingWith(client, (onEnd) =>
      openEventStream({
        ...{ log, clock, read, limits, after, choice, cut: request.cut, wants: wantsOf(types, true) },
        onEnd() {
          onEnd();
          streams.delete(stream);
        },
      }),
    );
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

/** Whose stream it is that names no client: calls that name none mean this one too. It carries everything, whatever is enabled. */
const UNNAMED = 0;

/** A client has a stream until the stream has ended, or could not be opened. */
function endingWith(client: OpenedClient, open: (onEnd: () => void) => EventStream): EventStream {
  try {
    return open(client.close);
  } catch (error) {
    client.close();
    throw error;
  }
}

type Asked = {
  /** Null where no client is named. */
  readonly id: number | null;
  readonly after: number | null;
  /** Null where none are named. */
  readonly types: ReadonlySet<string> | null;
};

/** Whose stream, from where on, and what: members of the body, else the header and the address. */
function askedOf(members: JsonObject, { headers, query }: PageRequest): Asked {
  const after = members['last_event_id'] ?? headers.get('last-event-id') ?? query.get('last_event_id') ?? null;
  const types = members['types'] ?? query.get('types')?.split(',') ?? null;
  const id = members['client_id'] ?? query.get('id') ?? null;
  return { id: clientIdOf(id), after: positionOf(after), types: typesOf(types) };
}

/** @throws RpcFailure */
function positionOf(id: JsonValue): number | null {
  // A browser that has none says nothing, or says the empty text.
  if (id === null || id === '') return null;
  const position = wholeOf(id);
  if (position !== null) return position;
  throw refused('Last-Event-ID must be the id of an event of this node: a whole number from 0', 400);
}

/** @throws RpcFailure */
function clientIdOf(id: JsonValue): number | null {
  if (id === null) return null;
  const read = wholeOf(id);
  if (read !== null) return read;
  throw refused(`The id of a client must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`, 400);
}

function wholeOf(value: JsonValue): number | null {
  const text = typeof value === 'string' ? value : (numberText(value) ?? '');
  const whole = Number(text);
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(whole) ? whole : null;
}

const NAMES = [
  'SWAP_STATUS',
  'ORDER_STATUS',
  'WATCHER_STATUS',
  'ACTIVATION',
  'BALANCE',
  'TASK',
  'UNREADABLE',
  'HEARTBEAT',
];

/** What is of a coin or of a task may name it. */
const TYPES = new RegExp(`^(?:(?:${NAMES.join('|')})|(?:ACTIVATION|BALANCE|TASK):.+)$`);

/** @throws RpcFailure */
function typesOf(types: JsonValue): ReadonlySet<string> | null {
  if (types === null) return null;
  if (!Array.isArray(types) || !types.every((type) => typeof type === 'string')) {
    throw refused('types must be a list of strings, such as SWAP_STATUS', 400);
  }
  const unknown = types.find((type) => !TYPES.test(type));
  if (unknown !== undefined) {
    throw refused(`types: ${JSON.stringify(unknown.slice(0, 40))} is none of ${NAMES.join(', ')}`, 400);
  }
  return new Set(types);
}

/** `BALANCE` stands for `BALANCE:<coin>` of all coins. */
function wantsOf(types: ReadonlySet<string> | null, usual: boolean): (type: string) => boolean {
  if (types === null) return () => usual;
  return (type) => types.has(type) || types.has(type.split(':', 1)[0] ?? type);
}

type NamedClient = { readonly client: OpenedClient; readonly id: number };

/** What a client has enabled, and what its stream names beside that; of what is one client's business always its own, and nothing else. */
function choiceOf({ client, id }: NamedClient, types: ReadonlySet<string> | null): StreamChoice {
  const named = wantsOf(types, false);
  const beats = types?.has(HEARTBEAT) === true;
  const isEmpty = types === null || types.size === (beats ? 1 : 0);
  return {
    carries: (type, of) => (of === undefined ? client.carries(type) || named(type) : of === id),
    heartbeat: () => client.heartbeat() ?? (beats ? USUAL_INTERVAL : null),
    isEmpty: () => isEmpty && client.isEmpty(),
    onChange: client.onChange,
  };
}

function isAhead(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.code === 'LOG_CURSOR_AHEAD';
}

function cursorAhead({ facts }: SwapfoldError): RpcFailure {
  const text =
    'Last-Event-ID is past the end of the log, so it belongs to another node or a later copy; start without it';
  return new RpcFailure(text, { type: 'CursorAhead', data: facts, status: 409 });
}
