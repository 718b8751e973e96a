import { DecodeError } from '../../events/decode-error.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { asSwapfoldError, type DecodedSwap, decodeSwapsText } from '../../events/wrappers.ts';
import type { SwapfoldError } from '../../primitives/error.ts';

/** A swap, or why there is none, without its place. */
export type SwapResult =
  | { readonly ok: true; readonly log: SwapLog }
  | { readonly ok: false; readonly uuid: string | null; readonly error: SwapfoldError };

export function resultOf(swap: DecodedSwap): SwapResult {
  return swap.ok ? { ok: true, log: swap.log } : { ok: false, uuid: swap.uuid, error: swap.error };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The swaps of one JSON text. */
export function swapsOfText(bytes: Uint8Array): readonly DecodedSwap[] {
  return decoded(bytes, '', (text) => onceForStrangers(decodeSwapsText(text)));
}

/** What a decoder makes of bytes, which may be no text, and of what the decoder throws. */
export function decoded(
  bytes: Uint8Array,
  path: string,
  decode: (text: string) => readonly DecodedSwap[],
): readonly DecodedSwap[] {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    const error = new DecodeError('NOT_JSON', 'The text is not JSON.', {
      path,
      found: 'bytes that are not UTF-8',
      next: 'Check that the file is complete and was not converted to another encoding.',
    });
    return [{ ok: false, path, uuid: null, error }];
  }
  try {
    return decode(text);
  } catch (error) {
    return [{ ok: false, path, uuid: null, error: asSwapfoldError(error) }];
  }
}

/** A list of something else altogether gives one error, not one for each of its entries. */
function onceForStrangers(swaps: readonly DecodedSwap[]): readonly DecodedSwap[] {
  const [first] = swaps;
  if (swaps.length < 2 || first === undefined || first.ok) return swaps;
  return swaps.every(isStranger) ? [onlyStrangers(swaps.length)] : swaps;
}

/** Whether it is an entry of a list that is no swap. */
export function isStranger(swap: DecodedSwap): boolean {
  return !swap.ok && swap.uuid === null && swap.error.code === 'NOT_A_SWAP';
}

export function onlyStrangers(count: number): DecodedSwap {
  const error = new DecodeError('NOT_A_SWAP', 'No stored swap was found in this JSON.', {
    path: '',
    expected: 'a saved swap, or an RPC answer that holds one',
    found: `${count} entries that are none`,
  });
  return { ok: false, path: '', uuid: null, error };
}
