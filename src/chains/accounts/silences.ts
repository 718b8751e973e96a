import type { Clock } from '../../ports/clock.ts';
import { redactText } from '../../primitives/redact-text.ts';
import type { Millis } from '../../primitives/time.ts';

/** Reports that a voice has fallen silent, with the reason, or that it is back, with null. */
export type TellSilence = (name: string, why: string | null) => void;

export type SilencesOptions = {
  readonly clock: Clock;
  readonly tell: TellSilence;
};

/** Least time between two reports about one voice, in milliseconds, so that an unstable one floods no log. */
const LEAST_BETWEEN_MS = 60_000;
const LONGEST_REASON = 200;

type Told = { readonly isSilent: boolean; readonly at: Millis };

/**
 * Which of several voices are silent, and why. The listener hears once that one has fallen silent and once that it is back; about an unstable one, at
 * most once a minute, with its current state.
 */
export class Silences {
  readonly #options: SilencesOptions | null;
  readonly #reasons = new Map<string, string>();
  readonly #told = new Map<string, Told>();

  /** @param options without it, nobody is told */
  constructor(options: SilencesOptions | null = null) {
    this.#options = options;
  }

  fell(name: string, why: string): void {
    this.#reasons.set(name, shown(why));
    this.#tell(name);
  }

  answered(name: string): void {
    this.#reasons.delete(name);
    this.#tell(name);
  }

  /** A suffix for a message: why the silent ones among these are silent; empty if none is. */
  behind(names: readonly string[]): string {
    return listedBehind(names.flatMap((name) => this.#reasons.get(name) ?? []));
  }

  #tell(name: string): void {
    if (this.#options === null) return;
    const { clock, tell } = this.#options;
    const why = this.#reasons.get(name) ?? null;
    const last = this.#told.get(name);
    const isNews = (last?.isSilent ?? false) !== (why !== null);
    if (!isNews || (last !== undefined && clock.now() - last.at < LEAST_BETWEEN_MS)) return;
    this.#told.set(name, { isSilent: why !== null, at: clock.now() });
    tell(name, why);
  }
}

/** A message followed by its reasons, each once. */
export function listedBehind(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `: ${[...new Set(reasons.map(shown))].join('; ')}`;
}

/** A node may write anything into a refusal. */
function shown(reason: string): string {
  return redactText(reason, { most: LONGEST_REASON });
}
