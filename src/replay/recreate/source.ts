import type { Role } from '../../events/catalog.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { statusLine } from '../../events/status-lines.ts';
import { debugText } from '../../primitives/debug-text.ts';
import { isJsonObject } from '../../primitives/json.ts';
import type { Ground } from './draft.ts';
import { notNegotiated, notStarted, unexpectedEvent } from './recreate-error.ts';

/** An event of the source log with its position. */
export type SourceEvent = StoredEvent & { readonly seq: number };

/** The first two events of a log, which all else is made of, and the rest. */
export type Source = {
  readonly started: SourceEvent;
  readonly negotiated: SourceEvent;
  readonly rest: readonly SourceEvent[];
};

/** Takes a log apart. @throws RecreateError when it does not begin with Started and Negotiated. */
export function sourceOf(log: SwapLog): Source {
  const [started, negotiated, ...rest] = log.events.map((event, seq) => ({ ...event, seq }));
  if (started === undefined) throw notStarted();
  if (started.type !== 'Started' || !started.known) throw unexpectedEvent('Started', statusLine(log.role, started));
  if (negotiated === undefined) throw notNegotiated();
  if (negotiated.type !== 'Negotiated' || !negotiated.known) {
    throw unexpectedEvent('Negotiated', statusLine(log.role, negotiated));
  }
  return { started, negotiated, rest: rest.filter(({ known }) => known) };
}

/** The error of an event that stands for a failure of the other party, in KDF's words. */
export function originText(role: Role, { type, data }: StoredEvent): string {
  const error = isJsonObject(data) && typeof data['error'] === 'string' ? data['error'] : '';
  return `Origin ${role === 'taker' ? 'Taker' : 'Maker'} error event: ${type}(SwapError { error: ${debugText(error)} })`;
}

/**
 * The events that count for a form. The real node's form ends with the first failure. In the other one a failure is passed over
 * that a later event took back, as this engine stores them: a payment or a spend that was found on the chain after all.
 */
export function counting(
  rest: readonly SourceEvent[],
  { form, progress }: { readonly form: RecreateForm; readonly progress: ReadonlySet<string> },
): readonly SourceEvent[] {
  if (form === 'kdf') return rest;
  const last = rest.findLastIndex(({ type }) => progress.has(type));
  return rest.filter(({ type }, index) => index > last || !type.endsWith('Failed'));
}

/** A transaction as it stands on its chain: older logs hold beside it how it changed their owner's balance. */
export function bareTransaction(data: unknown): StoredTransaction {
  const { tx_hex, tx_hash } = data as StoredTransaction;
  return { tx_hex, tx_hash };
}

/** Grounds on an event of the source. */
export function ground(event: SourceEvent, { certainty, because }: Pick<Ground, 'certainty' | 'because'>): Ground {
  return { certainty, from: `${event.type} at ${event.seq}`, because };
}

/** How a log is written that the real node would not bring to a good end. */
export type RecreateForm = 'kdf' | 'replayable';
