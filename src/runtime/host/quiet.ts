import type { LogFields, Logger } from '../../ports/logger.ts';
import { cleanFields } from './clean-fields.ts';
import type { Metrics } from './metrics.ts';

// Side channels: their errors must not reach a swap.

const NOTHING: Logger = { info: () => {}, warn: () => {}, error: () => {} };

const NO_METRICS: Required<Metrics> = {
  asked: () => {},
  late: () => {},
  appended: () => {},
  decided: () => {},
  moved: () => {},
  runnerMoved: () => {},
  dropped: () => {},
};

function quietly<A extends readonly unknown[]>(action: (...given: A) => unknown): (...given: A) => void {
  return (...given) => {
    try {
      const answer: unknown = action(...given);
      // An asynchronous one must not end the process by failing later.
      if (answer instanceof Promise) answer.catch(() => {});
    } catch {
      // A swap does not depend on being reported.
    }
  };
}

/** @param clean cleans the fields of a line. @defaultValue {@link cleanFields} */
export function quietLogger(logger: Logger | undefined, clean: (fields: LogFields) => LogFields = cleanFields): Logger {
  if (logger === undefined) return NOTHING;
  return {
    info: quietly((message: string, fields) => logger.info(message, clean(fields))),
    warn: quietly((message: string, fields) => logger.warn(message, clean(fields))),
    error: quietly((message: string, fields) => logger.error(message, clean(fields))),
  };
}

export function quietMetrics(metrics: Metrics | undefined): Required<Metrics> {
  if (metrics === undefined) return NO_METRICS;
  return {
    asked: quietly((call) => metrics.asked(call)),
    late: quietly((call) => metrics.late(call)),
    appended: quietly((append) => metrics.appended(append)),
    decided: quietly((command) => metrics.decided(command)),
    moved: quietly((from, to) => metrics.moved(from, to)),
    runnerMoved: quietly((from, to) => metrics.runnerMoved(from, to)),
    dropped: quietly((message) => metrics.dropped?.(message)),
  };
}
