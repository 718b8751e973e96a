import type { DeviceStep } from '../ports/hardware-wallet.ts';
import { mapAnswers } from './steps.ts';
import { failed } from './trezor/faults.ts';

/** Allows one request at a time (R1), and one answer to each of its questions. */
export type Guard = {
  readonly run: <T>(start: () => Promise<DeviceStep<T>>) => Promise<DeviceStep<T>>;
  /** Whether a request is in progress: it waits for the device, or for an answer to its question. */
  readonly busy: () => boolean;
  /** Cancels the open question; false if there is none. */
  readonly cancelQuestion: () => Promise<boolean>;
};

export function createGuard(): Guard {
  let under: 'nothing' | 'way' | 'question' = 'nothing';
  let cancelOpen: (() => Promise<unknown>) | undefined;

  /** Only a bug of the program throws here; the session stays usable even then. */
  const settled = async <T>(act: () => Promise<DeviceStep<T>>): Promise<DeviceStep<T>> => {
    try {
      return settle(await act());
    } catch (error) {
      under = 'nothing';
      throw error;
    }
  };
  const settle = <T>(step: DeviceStep<T>): DeviceStep<T> => {
    if (step.kind === 'done' || step.kind === 'failed') {
      under = 'nothing';
      return step;
    }
    under = 'question';
    let answered = false;
    const answer = async (act: () => Promise<DeviceStep<T>>): Promise<DeviceStep<T>> => {
      if (answered) return failed('busy', 'This question was already answered.');
      answered = true;
      cancelOpen = undefined;
      under = 'way';
      return settled(act);
    };
    cancelOpen = () => answer(step.cancel);
    return mapAnswers(step, answer);
  };
  return {
    busy: () => under !== 'nothing',
    async run(start) {
      if (under !== 'nothing') return failed('busy', 'Another request is in progress in this session.');
      under = 'way';
      return settled(start);
    },
    async cancelQuestion() {
      if (cancelOpen === undefined) return false;
      await cancelOpen();
      return true;
    },
  };
}
