import type { Clock } from '../../../ports/clock.ts';
import { millisOf } from '../../../primitives/time.ts';
import type { ElectrumCall } from './connection.ts';
import type { ElectrumVoice, Told } from './panel.ts';

export type SurveyOptions = {
  readonly calls: readonly ElectrumCall[];
  /** How many answers are enough. */
  readonly enough: number;
  /** Whether to ask all at once, and wait for all that are not slow. */
  readonly all: boolean;
  readonly clock: Clock;
  /** Called for each server that is too slow to wait for. */
  readonly onLate: (voice: ElectrumVoice) => void;
};

/** How long to wait for a server while others can be asked, in milliseconds. */
export const PATIENCE_MS = 2000;

/**
 * Asks as many servers as are enough, in order, and the next one when one fails or is slow. Returns answers in the order of the servers.
 */
export function survey(voices: readonly ElectrumVoice[], options: SurveyOptions): Promise<readonly Told[]> {
  const { calls, enough, all, clock, onLate } = options;
  return new Promise((resolve) => {
    const told = new Map<ElectrumVoice, Told>();
    let asked = 0;
    const open = new Set<ElectrumVoice>();
    let isSlow = false;
    const end = (): void => {
      cancel();
      resolve(voices.flatMap((voice) => told.get(voice) ?? []));
    };
    const goOn = (): void => {
      while (asked < voices.length && (all || isSlow || told.size + open.size < enough))
        ask(voices[asked] as ElectrumVoice);
      if (open.size === 0 || (told.size >= enough && (!all || isSlow))) end();
    };
    const ask = (voice: ElectrumVoice): void => {
      asked += 1;
      open.add(voice);
      voice
        .batch(calls)
        .then((answers) => void told.set(voice, { voice, answers }))
        .catch(() => undefined)
        .finally(() => {
          open.delete(voice);
          goOn();
        });
    };
    const cancel = clock.wakeAt(millisOf(clock.now() + PATIENCE_MS), () => {
      isSlow = true;
      for (const voice of open) onLate(voice);
      goOn();
    });
    goOn();
  });
}
