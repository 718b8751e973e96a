import type { AppendBatch, EventLog, NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { canonicalJson } from '../../primitives/json.ts';
import { ORDER_MACHINES } from './events.ts';

export type OrderSide = keyof typeof ORDER_MACHINES;

/** A stream that was not finished when the node was closed. */
export type OpenOrder = { readonly side: OrderSide; readonly uuid: string; readonly records: readonly Envelope[] };

/** The streams of the orders in the node's log; this is their only writer. */
export class OrderStreams {
  readonly #log: EventLog;
  readonly #lengths = new Map<string, number>();
  /** Streams of which an append failed: a log that did not answer may hold it all the same. */
  readonly #unsure = new Set<string>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /**
   * Appends a record, unless it is the last one already because an append that failed had written it.
   *
   * @throws LogError when it is not known to be durable
   */
  async append(side: OrderSide, uuid: string, { record, ...labels }: StreamLabels & { record: NewRecord }) {
    const stream = `${ORDER_MACHINES[side]}/${uuid}`;
    const stored = this.#unsure.has(stream) ? await this.#log.read(stream) : null;
    const length = stored?.length ?? this.#lengths.get(stream) ?? 0;
    const isWritten = isSame(stored?.at(-1), record);
    if (!isWritten) await this.#write({ stream, expected: length, records: [record], labels });
    this.#unsure.delete(stream);
    if (labels.finished === true) this.#lengths.delete(stream);
    else this.#lengths.set(stream, isWritten ? length : length + 1);
  }

  async #write(batch: AppendBatch): Promise<void> {
    try {
      await this.#log.append(batch);
    } catch (error) {
      this.#unsure.add(batch.stream);
      throw error;
    }
  }

  /** Whether an order of this node has or had this uuid, on either side. */
  async isKnown(uuid: string): Promise<boolean> {
    for (const machine of Object.values(ORDER_MACHINES)) {
      if (await holdsStream(this.#log, `${machine}/${uuid}`)) return true;
    }
    return false;
  }

  /** What an earlier process left, in the order in which it was made. Streams that do not verify are omitted. */
  async open(): Promise<readonly OpenOrder[]> {
    const found: OpenOrder[] = [];
    const damaged = new Set(this.#log.quarantined().map(({ stream }) => stream));
    for (const side of ['maker', 'taker'] as const) {
      const machine = ORDER_MACHINES[side];
      for (const { stream } of await this.#log.find({ machine, finished: false })) {
        if (damaged.has(stream)) continue;
        const records = await this.#log.read(stream);
        this.#lengths.set(stream, records.length);
        found.push({ side, uuid: stream.slice(machine.length + 1), records });
      }
    }
    return found;
  }
}

function isSame(stored: Envelope | undefined, { type, data }: NewRecord): boolean {
  return stored?.type === type && canonicalJson(stored.data) === canonicalJson(data);
}

/** Whether a log has a stream of that name, be it a damaged one. */
export async function holdsStream(log: EventLog, stream: string): Promise<boolean> {
  if (log.quarantined().some((damaged) => damaged.stream === stream)) return true;
  return (await log.read(stream)).length > 0;
}
