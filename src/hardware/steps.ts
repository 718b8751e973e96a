import type { DeviceStep } from '../ports/hardware-wallet.ts';

/** The step with every way to answer it wrapped; a step that asks nothing is returned unchanged. */
export function mapAnswers<T, U>(
  step: Exclude<DeviceStep<T>, { readonly kind: 'done' }>,
  wrap: (act: () => Promise<DeviceStep<T>>) => Promise<DeviceStep<U>>,
): DeviceStep<U> {
  if (step.kind === 'failed') return step;
  const { over } = step;
  const cancel = () => wrap(step.cancel);
  if (step.kind === 'button') return { kind: 'button', over, cancel, proceed: () => wrap(step.proceed) };
  return { kind: step.kind, over, cancel, enter: (entered) => wrap(() => step.enter(entered)) };
}

/**
 * Continues with the result of a request; its questions are asked on the way.
 *
 * @example
 * ```ts
 * import { andThen, type DeviceStep } from 'swapfold/hardware';
 *
 * const shout = async (text: string): Promise<DeviceStep<string>> => ({
 *   kind: 'done',
 *   value: text.toUpperCase(),
 * });
 * andThen({ kind: 'done', value: 'label' }, shout); // → { kind: 'done', value: 'LABEL' }
 * const fault = { kind: 'busy', message: 'The device does something else.' } as const;
 * andThen({ kind: 'failed', fault }, shout); // → { kind: 'failed', fault }
 * ```
 */
export async function andThen<T, U>(
  step: DeviceStep<T>,
  next: (value: T) => Promise<DeviceStep<U>>,
): Promise<DeviceStep<U>> {
  if (step.kind === 'done') return next(step.value);
  return mapAnswers(step, async (act) => andThen(await act(), next));
}
