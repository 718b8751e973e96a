import { encodeSavedSwap } from '../../events/encode.ts';
import { kdfFlags, myInfo } from '../../events/kdf-flags.ts';
import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { Compatibility } from '../../node/node.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import type { JsonObject } from '../../primitives/json.ts';

/** A stored swap as answers hold it: without secrets before their time, whoever asks and in whatever form (as in the real node). */
export function savedSwap(swap: SwapLog, compatibility: Compatibility): JsonObject {
  const shown = redactLog(swap);
  if (compatibility === 'specification') return encodeSavedSwap(shown, 'spec');
  try {
    return encodeSavedSwap(shown, 'kdf');
  } catch (error) {
    // What the real node could not load is shown as it is.
    if (error instanceof SwapfoldError) return encodeSavedSwap(shown, 'spec');
    throw error;
  }
}

/** With what the real node derives from the events, as the legacy methods add it. */
export function statusAnswer(swap: SwapLog, compatibility: Compatibility): JsonObject {
  const { role, events } = swap;
  const { finished, success, recoverable } = kdfFlags(
    role,
    events.map(({ type }) => type),
  );
  return {
    ...savedSwap(swap, compatibility),
    my_info: myInfo(role, events),
    recoverable,
    is_finished: finished,
    ...(success === null ? {} : { is_success: success }),
  };
}

/** As the v2 methods have it: the type outside. */
export function typedSwap(swap: SwapLog, compatibility: Compatibility): JsonObject {
  return { swap_type: swap.role === 'maker' ? 'MakerV1' : 'TakerV1', swap_data: bareSwap(swap, compatibility) };
}

export function bareSwap(swap: SwapLog, compatibility: Compatibility): JsonObject {
  const { type: _, ...data } = savedSwap(swap, compatibility);
  return data;
}
