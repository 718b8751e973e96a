import { nearest } from '../../primitives/nearest.ts';
import { RpcFailure } from './failure.ts';
import type { FrameworkMethod, FrameworkMethods } from './method.ts';

/** Longest name that an answer repeats, in characters. */
const MOST_SHOWN = 60;

/** How a call was written: as members of the request, or with `mmrpc`. */
export type CallForm = 'legacy' | 'v2';

export type Called<Node> = { readonly methods: FrameworkMethods<Node>; readonly form: CallForm };

/**
 * What the caller of an unknown method gets: its name, and the nearest ones; for one that exists in the other form, how to call it.
 */
export function noSuchMethod<Node>(name: string, called: Called<Node>): RpcFailure {
  return new RpcFailure(`No such method: ${shown(name)}${hintOf(name, called)}`, {
    type: 'NoSuchMethod',
    status: 400,
  });
}

/** As the real node states it. */
export function noSuchMethodThere(): RpcFailure {
  return new RpcFailure('No such method', { type: 'NoSuchMethod', status: 400 });
}

/** How a method is called that has no form but that of v2. */
export function calledInV2(name: string): string {
  return `${name} is called with "mmrpc":"2.0" and "params"`;
}

function hintOf<Node>(name: string, { methods, form }: Called<Node>): string {
  const known = methods.get(name);
  if (known !== undefined) return `; ${isCalled(known, form)}`;
  const near = nearest(name.slice(0, MOST_SHOWN), [...methods.keys()]);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

function isCalled<Node>({ name }: FrameworkMethod<Node>, form: CallForm): string {
  return form === 'legacy'
    ? calledInV2(name)
    : `${name} is called without "mmrpc", with its parameters next to "method"`;
}

/** A name as it came, without what could end a line. */
function shown(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?');
  return plain.length <= MOST_SHOWN ? plain : `${plain.slice(0, MOST_SHOWN)}…`;
}
