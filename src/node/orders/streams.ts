import type { EventLog, NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { ORDER_MACHINES } from './events.ts';

export type OrderSide = keyof typeof ORDER_MACHINES;

/** A stream that was not finished when the node was closed. */
export type OpenOrder = { readonly side: OrderSide; readonly uuid: string; readonly records: readonly Envelope[] };

/** The streams of the orders in the node's log; this is their only writer. */
export class OrderStreams {
  readonly #log: EventLog;
  readonly #lengths = new Map<string, number>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** @throws LogError when the record could not be made durable; nothing is written then */
  async append(side: OrderSide, uuid: string, { record, ...labels }: StreamLabels & { record: NewRecord }) {
    const stream = `${ORDER_MACHINES[side]}/${uuid}`;
    const expected = this.#lengths.get(stream) ?? 0;
    await this.#log.append({ stream, expected, records: [record], labels });
    if (labels.finished === true) this.#lengths.delete(stream);
    else this.#lengths.set(stream, expected + 1);
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

/** Whether a log has a stream of that name, be it a damaged one. */
export async function holdsStream(log: EventLog, stream: string): Promise<boolean> {
  if (log.quarantined().some((damaged) => damaged.stream === stream)) return true;
  return (await log.read(stream)).length > 0;
}
