import { decimalOf, isDecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText, parseJson } from '../../primitives/json.ts';
import { redactText } from '../../primitives/redact-text.ts';
import type { Seconds } from '../../primitives/time.ts';
import { BodyTooLong, textWithin } from '../accounts/body.ts';
import { fetchDirect } from '../accounts/direct-fetch.ts';
import { httpPlace } from '../accounts/http-place.ts';
import { whySilent } from '../accounts/why-silent.ts';

/** Gives the current price of a unit of gas, in wei; null if it does not know. */
export type GasStation = () => Promise<bigint | null>;

export type GasStationOptions = {
  /** Asked by HTTP as it is; the answer is JSON with `average` (or `standard`) and `fast`. */
  readonly url: string;
  /** The power of ten of a wei in which the answer counts: 860 means 86 gwei with 8, and 860 with 9. @defaultValue 8 */
  readonly decimals?: number;
  /** The mean of `average` and `fast`, or `average` alone. @defaultValue MeanAverageFast */
  readonly policy?: 'MeanAverageFast' | 'Average';
  /** For an answer. @defaultValue 10 */
  readonly timeout?: Seconds;
  /** Called if it does not answer; then the chain's own prices apply. @defaultValue not called */
  readonly onFailure?: (why: string) => void;
  /** @defaultValue the platform's */
  readonly fetch?: (url: string, options: AskOptions) => Promise<Response>;
};

type AskOptions = { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> };

/** In bytes. */
const LONGEST_ANSWER = 100_000;
/** Far more digits than any price has, and far larger powers of ten: in some notations a few characters are a number of a million digits. */
const NUMBER = /^\d{1,60}(?:\.\d{1,60})?(?:e[+-]?\d{1,2})?$/i;
const GWEI = 10n ** 9n;
/** Two digits more than are kept, so that a mean is cut only once. */
const SPARE = 2;

/**
 * A gas station as in the specification §4.5: its price plus a tenth, or plus a gwei if that is more.
 *
 * @example
 * ```ts
 * import { createGasStation } from 'swapfold/chains/evm';
 *
 * // 86 and 100 gwei: a tenth more than their mean of 93 gwei.
 * const fetch = async () => Response.json({ average: 860, fast: 1000 });
 * const station = createGasStation({ url: 'https://gas.example/price', fetch });
 * await station(); // → 102_300_000_000n
 * ```
 */
export function createGasStation(options: GasStationOptions): GasStation {
  const { url, decimals = 8, policy = 'MeanAverageFast', timeout = 10, onFailure = () => undefined } = options;
  const ask = options.fetch ?? fetchDirect;
  const place = URL.canParse(url) ? httpPlace(url) : { url, ...NOWHERE };
  return async () => {
    try {
      // For the whole answer, however slowly it comes.
      const signal = AbortSignal.timeout(timeout * 1000);
      const response = await ask(place.url, { signal, headers: place.headers });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`Gas price request failed with status code ${response.status}`);
      }
      const members = membersIn(await textWithin(response, LONGEST_ANSWER));
      const average = unitsOf(members['average'] ?? members['standard'], decimals);
      const price = policy === 'Average' ? average : (average + unitsOf(members['fast'], decimals)) / 2n;
      return raised(price / 10n ** BigInt(SPARE), 10n);
    } catch (error) {
      onFailure(whyOf(error, place.host));
      return null;
    }
  };
}

/** Other programs' texts about a failure may hold the address with its credentials, so they are cut. */
function whyOf(error: unknown, host: string): string {
  if (error instanceof BodyTooLong) return `the answer is longer than ${LONGEST_ANSWER} bytes`;
  // The platform says only that it failed; its cause says why.
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError'))
    return whySilent(error, host);
  return redactText(error instanceof Error ? error.message : String(error)).slice(0, 200);
}

const NOWHERE = { host: 'the station', headers: {} };

function membersIn(text: string): JsonObject {
  let told: JsonValue;
  try {
    told = parseJson(text);
  } catch {
    throw new Error('the answer is not JSON');
  }
  if (!isJsonObject(told)) throw new Error(NO_PRICE);
  return told;
}

const NO_PRICE = 'the answer names no price';

function unitsOf(value: JsonValue | undefined, decimals: number): bigint {
  const text = typeof value === 'string' ? value : (numberText(value) ?? '');
  if (!NUMBER.test(text) || !isDecimalText(text)) throw new Error(NO_PRICE);
  return toBaseUnits(decimalOf(text), decimals + SPARE);
}

/** The given number of hundredths more, each in whole wei; or a gwei if that is more. */
export function raised(wei: bigint, percent: bigint): bigint {
  const more = (wei / 100n) * percent;
  return wei + (more > GWEI ? more : GWEI);
}
