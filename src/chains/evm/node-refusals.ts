import type { NodeRefusal } from '../accounts/node.ts';

const ASKED_TOO_MUCH = /limit|too many|capacity|exceed|overload|timed? ?out|unavailable/i;
/** From nodes that get too many requests (EIP-1474, and what providers use). */
const TOO_MUCH: ReadonlySet<number> = new Set([429, -32005, -32029, -32097]);

/** Whether a refusal says nothing about the question. */
export function isAskedTooMuch({ code, message }: NodeRefusal): boolean {
  return TOO_MUCH.has(code) || ASKED_TOO_MUCH.test(message);
}

/** Nodes say so in many ways, about blocks or about what is in them. */
const TOO_WIDE = /\brange\b|\bblocks?\b|\bresults?\b|\blogs\b/i;

/** Whether a node refuses a search for events because it is too large. */
export function isTooWide({ message }: NodeRefusal): boolean {
  return TOO_WIDE.test(message);
}
