import type { Clock } from '../../../ports/clock.ts';
import { millisOf } from '../../../primitives/time.ts';
import type { ElectrumCall } from './connection.ts';
import type { ElectrumVoice, Told } from './panel.ts';

export type SurveyOptions = {
  readonly calls: readonly ElectrumCall[];
  /** Answers that are enough. */
  readonly enough: number;
  /** Whether all are asked at once, and those waited for that are not slow. */
  readonly all: boolean;
  readonly clock: Clock;
  /** Told of each server that is not waited for. */
  readonly onLate: (voice: ElectrumVoice) => void;
};

/** A server that has not answered after so long is not waited for while others can be asked, in milliseconds. */
export const PATIENCE_MS = 2000;

/**
 * Asks servers the same, in their order: as many as are enough, and the next one when one fails or is slow. What they said comes in the
 * order of the servers.
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
