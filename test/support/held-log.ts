import type { AppendBatch, EventLog } from '../../src/ports/event-log.ts';

export type HeldLog = {
  readonly log: EventLog;
  /** From now on whoever writes a record of this type is told of it later: it is durable, and others see it. */
  readonly holdAfter: (type: string) => void;
  readonly letGo: () => void;
  /** Settles once a stream has a record of this type. */
  readonly written: (stream: string, type: string) => Promise<void>;
};

/** A log that takes its time to say that it has taken something. */
export function heldLog(inner: EventLog): HeldLog {
  let holding: string | null = null;
  let waiting: (() => void)[] = [];
  const onWritten: { readonly stream: string; readonly type: string; readonly tell: () => void }[] = [];
  const tell = ({ stream, records }: AppendBatch): void => {
    const isMet = (wanted: { readonly stream: string; readonly type: string }): boolean =>
      wanted.stream === stream && records.some(({ type }) => type === wanted.type);
    for (const wanted of onWritten.filter(isMet)) {
      onWritten.splice(onWritten.indexOf(wanted), 1);
      wanted.tell();
    }
  };
  const log: EventLog = {
    async append(batch) {
      const kept = await inner.append(batch);
      tell(batch);
      if (batch.records.some(({ type }) => type === holding))
        await new Promise<void>((resolve) => waiting.push(resolve));
      return kept;
    },
    read: (stream, from) => inner.read(stream, from),
    find: (query) => inner.find(query),
    subscribe: (options, onEntry) => inner.subscribe(options, onEntry),
    quarantined: () => inner.quarantined(),
    close: () => inner.close(),
  };
  return {
    log,
    holdAfter(type) {
      holding = type;
    },
    letGo() {
      holding = null;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    async written(stream, type) {
      const written = new Promise<void>((resolve) => onWritten.push({ stream, type, tell: resolve }));
      if ((await inner.read(stream)).some((record) => record.type === type)) return;
      await written;
    },
  };
}
