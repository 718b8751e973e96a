import { initialJournalContext } from '../../machines/journal/context.ts';
import type { Answer, ChainTraits, Hold } from '../../src/ports/chain.ts';
import type { Awaitable, NewRecord } from '../../src/ports/event-log.ts';
import type { SwapMessage } from '../../src/ports/peers.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../src/primitives/time.ts';
import type { AskResult, Command, Leg } from '../../src/runtime/command.ts';
import type { Ask, DrivableKind } from '../../src/runtime/loop/drivable.ts';
import type { RuntimeChain } from '../../src/runtime/loop/gate.ts';

/** What a scripted runner has been given so far. */
export type Seen = {
  readonly stream: string;
  readonly records: NewRecord[];
  readonly answers: AskResult[];
  readonly messages: SwapMessage[];
  readonly sent: SwapMessage[];
  readonly pokes: Leg[];
  readonly decisions: Millis[];
};

export type Script = {
  readonly decide: (seen: Seen, now: Millis) => Command;
  /** Throws for records that cannot be applied. */
  readonly preview?: (records: readonly NewRecord[]) => void;
  readonly receive?: (message: SwapMessage) => void;
  readonly absorb?: () => void;
  readonly apply?: (record: NewRecord) => void;
};

export const WAIT: Command = { kind: 'wait', until: Number.MAX_SAFE_INTEGER as Millis };
export const QUOTE: Ask = { kind: 'ask', leg: 'maker', key: 'maker:quote', question: { op: 'quote' } };

export function appendOf(type: string): Command {
  return { kind: 'append', events: [{ type, data: null }] };
}

/** A kind whose runners do what a script says; `seen` holds the latest runner of each stream, `made` counts them. */
export function scriptedKind(script: Script, machine = 'scripted') {
  const seen = new Map<string, Seen>();
  const made = { count: 0 };
  const kind: DrivableKind = {
    machine,
    create(stream, records, inputs) {
      made.count += 1;
      const own: Seen = { stream, records: [], answers: [], messages: [], sent: [], pokes: [], decisions: [] };
      seen.set(stream, own);
      const apply = (given: readonly NewRecord[]) => {
        for (const record of given) {
          script.apply?.(record);
          own.records.push(record);
        }
      };
      apply(records);
      return {
        stream,
        coins: { maker: 'DOC', taker: 'MARTY' },
        missing: ['DOC', 'MARTY'].filter((coin) => inputs.chain(coin) === undefined),
        listens: () => ({ topic: `swap/${stream}`, from: 'c3'.repeat(32) }),
        length: () => own.records.length,
        decide(now) {
          own.decisions.push(now);
          return script.decide(own, now);
        },
        recordsOf: (events, now) => events.map(({ type, data }) => ({ at: now, type, version: 1, data })),
        preview(given) {
          script.preview?.(given);
          return { state: own.records.at(-1)?.type ?? 'new', outcome: 'in-progress', finished: false };
        },
        applyRecords: apply,
        absorb(_, { result }) {
          script.absorb?.();
          own.answers.push(result);
        },
        receive(message) {
          script.receive?.(message);
          own.messages.push(message);
        },
        poke: (leg) => own.pokes.push(leg),
        sent: ({ message }) => own.sent.push(message),
        unsent: (unsent) => {
          const index = own.sent.findIndex(({ kind: sentKind }) => sentKind === unsent);
          if (index >= 0) own.sent.splice(index, 1);
        },
        look: () => ({
          role: 'watcher',
          state: own.records.at(-1)?.type ?? 'new',
          outcome: 'in-progress',
          funds: null,
          next: null,
          journal: initialJournalContext(),
          tries: new Map(),
          legOf: () => 'maker',
        }),
      };
    },
  };
  return { kind, seen, made };
}

const TRAITS: ChainTraits = {
  coin: 'DOC',
  decimals: 8,
  minTxAmount: 1000n,
  refund: 'transaction',
  watchers: false,
  finality: 3,
  contract: null,
  secretHashBytes: 20,
};

/** A chain whose answer to every question is given by the test. */
export type ScriptedChain = RuntimeChain & {
  /** Questions that were put, in order. */
  readonly asked: string[];
  /** Tells the subscribers that something changed. */
  readonly change: () => void;
  readonly reserved: string[];
  readonly released: string[];
  readonly holds: Hold[];
  /** How many transactions were marked when it was told that these are all. */
  readonly resumptions: number[];
  readonly subscribers: () => number;
};

export function scriptedChain(coin: string, answer: (op: string) => Awaitable<Answer<unknown>>): ScriptedChain {
  const asked: string[] = [];
  const reserved: string[] = [];
  const released: string[] = [];
  const holds: Hold[] = [];
  const resumptions: number[] = [];
  const listeners = new Set<() => void>();
  const put = (op: string) => {
    asked.push(op);
    return answer(op) as never;
  };
  return {
    traits: { ...TRAITS, coin },
    htlcKey: () => `02${'d4'.repeat(32)}`,
    quote: () => put('quote'),
    payment: () => put('payment'),
    transaction: () => put('transaction'),
    checkFee: () => put('checkFee'),
    prepare: () => put('prepare'),
    broadcast: () => put('broadcast'),
    reserve: (transactions) => void reserved.push(...transactions.map(({ tx_hash }) => tx_hash)),
    release: (transactions) => void released.push(...transactions.map(({ tx_hash }) => tx_hash)),
    hold: (hold) => void holds.push(hold),
    resumed: () => void resumptions.push(reserved.length),
    subscribe: (onChange) => {
      listeners.add(onChange);
      return { close: () => listeners.delete(onChange) };
    },
    change: () => {
      for (const listener of listeners) listener();
    },
    asked,
    reserved,
    released,
    holds,
    resumptions,
    subscribers: () => listeners.size,
  };
}

/** A good answer to `quote`. */
export const GOOD: Answer<unknown> = {
  ok: true,
  value: {
    height: 1,
    clock: 1_700_000_000 as UnixSeconds,
    spendable: '1' as DecimalText,
    paymentFee: '0' as DecimalText,
    spendFee: '0' as DecimalText,
    spendFeeFrom: 'claim',
    dexFeeFee: '0' as DecimalText,
  },
};

/** A promise that a test settles when it likes. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
