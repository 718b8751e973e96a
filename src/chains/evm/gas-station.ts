import { decimalOf, isDecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';

/** Tells what a unit of gas costs now, in wei; null where it does not know. */
export type GasStation = () => Promise<bigint | null>;

export type GasStationOptions = {
  /** Asked by HTTP as it is; the answer is JSON with `average` (or `standard`) and `fast`. */
  readonly url: string;
  /** A value of the answer is so many powers of ten of a wei: 860 means 86 gwei with 8, and 860 with 9. @defaultValue 8 */
  readonly decimals?: number;
  /** The mean of `average` and `fast`, or `average` alone. @defaultValue MeanAverageFast */
  readonly policy?: 'MeanAverageFast' | 'Average';
  /** For an answer. @defaultValue 10 */
  readonly timeout?: Seconds;
  /** Called where it does not answer; the prices of the chain itself are used then. @defaultValue nobody is told */
  readonly onFailure?: (why: string) => void;
  /** @defaultValue the platform's */
  readonly fetch?: (url: string, options: { readonly signal: AbortSignal }) => Promise<Answered>;
};

type Answered = { readonly ok: boolean; readonly status: number; text(): Promise<string> };

const LONGEST_ANSWER = 100_000;
const GWEI = 10n ** 9n;
/** Two digits more than are kept, so that a mean is cut only once. */
const SPARE = 2;

/** A gas station as the specification §4.5 configures one: what it tells, and a tenth more, or a gwei where that is more. */
export function createGasStation(options: GasStationOptions): GasStation {
  const { url, decimals = 8, policy = 'MeanAverageFast', timeout = 10, onFailure = () => undefined } = options;
  const ask = options.fetch ?? fetch;
  return async () => {
    try {
      const response = await ask(url, { signal: AbortSignal.timeout(timeout * 1000) });
      if (!response.ok) throw new Error(`Gas price request failed with status code ${response.status}`);
      const text = await response.text();
      if (text.length > LONGEST_ANSWER) throw new Error('the answer is too long');
      const members = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const average = unitsOf(members['average'] ?? members['standard'], decimals);
      const price = policy === 'Average' ? average : (average + unitsOf(members['fast'], decimals)) / 2n;
      return raised(price / 10n ** BigInt(SPARE), 10n);
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error));
      return null;
    }
  };
}

function unitsOf(value: unknown, decimals: number): bigint {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!isDecimalText(text) || text.startsWith('-')) throw new Error('the answer tells no price');
  return toBaseUnits(decimalOf(text), decimals + SPARE);
}

/** So many hundredths more, which are counted in whole wei of a hundredth; a gwei where that is more. */
export function raised(wei: bigint, percent: bigint): bigint {
  const more = (wei / 100n) * percent;
  return wei + (more > GWEI ? more : GWEI);
}
