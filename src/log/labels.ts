import type { StreamLabels, StreamQuery, StreamSummary } from '../ports/event-log.ts';

/** Labels after an append that named some: the others stay as they were. */
export function mergeLabels(known: StreamLabels, given: StreamLabels | undefined): StreamLabels {
  if (given === undefined) return known;
  return definedOf({
    makerCoin: given.makerCoin ?? known.makerCoin,
    takerCoin: given.takerCoin ?? known.takerCoin,
    outcome: given.outcome ?? known.outcome,
    state: given.state ?? known.state,
    finished: given.finished ?? known.finished,
  });
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
export function definedOf({ makerCoin, takerCoin, outcome, state, finished }: MaybeLabels): StreamLabels {
  // One by one: of several spreads each object would get a shape of its own, for every append.
  const labels: { -readonly [Name in keyof StreamLabels]: StreamLabels[Name] } = {};
  if (makerCoin !== undefined) labels.makerCoin = makerCoin;
  if (takerCoin !== undefined) labels.takerCoin = takerCoin;
  if (outcome !== undefined) labels.outcome = outcome;
  if (state !== undefined) labels.state = state;
  if (finished !== undefined) labels.finished = finished;
  return labels;
}

type MaybeLabels = { readonly [Name in keyof StreamLabels]: StreamLabels[Name] | undefined };

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
