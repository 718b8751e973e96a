import type { StreamLabels, StreamQuery, StreamSummary } from '../ports/event-log.ts';

/** Labels after an append that named some: the others stay as they were. */
export function mergeLabels(known: StreamLabels, given: StreamLabels | undefined): StreamLabels {
  return given === undefined ? known : { ...known, ...definedOf(given) };
}

export function sameLabels(left: StreamLabels, right: StreamLabels): boolean {
  return (
    left.makerCoin === right.makerCoin &&
    left.takerCoin === right.takerCoin &&
    left.outcome === right.outcome &&
    left.state === right.state &&
    left.finished === right.finished
  );
}

/** Only the members that are labels and have a value. */
export function definedOf({ makerCoin, takerCoin, outcome, state, finished }: StreamLabels): StreamLabels {
  return {
    ...(makerCoin === undefined ? {} : { makerCoin }),
    ...(takerCoin === undefined ? {} : { takerCoin }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(state === undefined ? {} : { state }),
    ...(finished === undefined ? {} : { finished }),
  };
}

/** Machine id: the part of a stream's name before the first slash. */
export function machineOf(stream: string): string {
  return stream.slice(0, stream.indexOf('/'));
}

/** Whether a stream answers a query, its event types and the limit apart. A stream without the label is not finished. */
export function answersQuery({ stream, firstAt, labels }: StreamSummary, query: StreamQuery): boolean {
  return (
    (query.machine === undefined || machineOf(stream) === query.machine) &&
    (query.coin === undefined || labels.makerCoin === query.coin || labels.takerCoin === query.coin) &&
    (query.outcome === undefined || labels.outcome === query.outcome) &&
    (query.finished === undefined || (labels.finished ?? false) === query.finished) &&
    (query.from === undefined || firstAt >= query.from) &&
    (query.to === undefined || firstAt < query.to)
  );
}
