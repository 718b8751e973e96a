import { isDecimalText, toBigNumber } from '../primitives/decimal.ts';
import { isJsonObject } from '../primitives/json.ts';
import type { Anomaly } from './anomaly.ts';
import type { StoredEvent } from './decode-event.ts';

/** 1973 in milliseconds, or the year 5138 in seconds: what is below is a count of seconds. */
const LEAST_MILLIS = 100_000_000_000;
/** 2013 in seconds: nobody traded before. */
const LEAST_STARTED_AT = 1_357_000_000;

/** Values of a saved swap that can be read and cannot be so: they are kept as they stand. */
export function oddValues(events: readonly StoredEvent[]): readonly Anomaly[] {
  return events.flatMap((event, seq) => {
    const odd: Anomaly[] = [];
    if (event.type === 'Started') odd.push(...oddAmounts(event, seq));
    if (seq === 0 && isInSeconds(event)) odd.push(secondsAnomaly(event));
    return odd;
  });
}

function oddAmounts({ data }: StoredEvent, seq: number): readonly Anomaly[] {
  if (!isJsonObject(data)) return [];
  return ['maker_amount', 'taker_amount'].flatMap((name): readonly Anomaly[] => {
    const amount = data[name];
    if (typeof amount !== 'string' || !isDecimalText(amount) || toBigNumber(amount).isPositive()) return [];
    return [
      {
        seq,
        code: 'AMOUNT_NEGATIVE',
        severity: 'fault',
        message: `${name} is ${amount.slice(0, 40)}, but amounts cannot be negative.`,
        found: amount.slice(0, 40),
        repair: `restore ${name} from the other side's log or from the payment`,
      },
    ];
  });
}

function isInSeconds({ at, type, data }: StoredEvent): boolean {
  if (at <= 0 || at >= LEAST_MILLIS) return false;
  const started = type === 'Started' && isJsonObject(data) ? Number(data['started_at']) : Number.NaN;
  return at > LEAST_STARTED_AT || (started > LEAST_STARTED_AT && Math.abs(started - at) < LEAST_MILLIS / 1000);
}

function secondsAnomaly({ at }: StoredEvent): Anomaly {
  return {
    seq: 0,
    code: 'TIME_IN_SECONDS',
    severity: 'fault',
    message: `The timestamp ${at} counts seconds instead of milliseconds, so the events seem to be from January 1970.`,
    found: String(at),
    expected: [String(at * 1000)],
    repair: 'multiply the timestamps of all events by 1000',
  };
}
