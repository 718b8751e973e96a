import type { Call, EvmLook, Intent, Interest, LogRange } from './reader.ts';

/**
 * A look that asks each question once: asked again, at once or later, it gives the same answer. So everything that an operation will need can be
 * asked together before it begins, and is ready when needed. Only for an operation that does not change what the look shows: after something is sent,
 * it would show the state before.
 */
export function askedOnce(look: EvmLook): EvmLook {
  const finalized = once((_: '') => look.finalized(), plain);
  const used = once(({ account, at }: CountAt) => look.used(account, at), nameOf);
  return {
    head: look.head,
    settled: look.settled,
    call: once((call: Call) => look.call(call), nameOf),
    balance: once((account: string) => look.balance(account), plain),
    code: once((account: string) => look.code(account), plain),
    used: (account, at = look.head.number) => used({ account, at }),
    promised: once((account: string) => look.promised(account), plain),
    receipt: once((id: string) => look.receipt(id), plain),
    transaction: once((id: string) => look.transaction(id), plain),
    logs: once((range: LogRange) => look.logs(range), nameOf),
    waiting: once((interest: Interest) => look.waiting(interest), nameOf),
    block: once((number: number) => look.block(number), plain),
    ids: once((number: number) => look.ids(number), plain),
    included: once((number: number) => look.included(number), plain),
    gas: once((intent: Intent) => look.gas(intent), nameOf),
    finalized: () => finalized(''),
    price: once((kind: 'legacy' | 'tip') => look.price(kind), plain),
  };
}

type CountAt = { readonly account: string; readonly at: number };

/** It also remembers failures, which do no harm if nothing asks for them. */
function once<Asked, Told>(ask: (asked: Asked) => Promise<Told>, nameOf: (asked: Asked) => string) {
  const answers = new Map<string, Promise<Told>>();
  return (asked: Asked): Promise<Told> => {
    const name = nameOf(asked);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(asked);
    answer.catch(() => undefined);
    answers.set(name, answer);
    return answer;
  };
}

function plain(asked: string | number): string {
  return String(asked);
}

/** By its members, in any order. */
function nameOf(asked: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(asked).filter(([, value]) => value !== undefined);
  return JSON.stringify(members.map(([name, value]) => `${name}=${String(value)}`).sort());
}
