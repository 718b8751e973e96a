import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';

/** A log whose writes wait, before they are durable and after it, until a test lets one go on. */
export function slowLog() {
  const inner = createMemoryLog();
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const log: EventLog = {
    async append(batch) {
      await turn();
      const kept = await inner.append(batch);
      await turn();
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
    goOn(pick: number): void {
      const [one] = waiting.splice(pick % Math.max(1, waiting.length), 1);
      one?.();
    },
    waits: () => waiting.length > 0,
  };
}
