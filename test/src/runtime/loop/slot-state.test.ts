import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Ask } from '../../../../src/runtime/loop/drivable.ts';
import {
  type Doing,
  errorOf,
  type Gate,
  isCall,
  isDeaf,
  leavingOf,
  type Mode,
  NEW_SLOT,
  nextState,
  type SlotEvent,
  type SlotEventType,
  type SlotState,
  statusOf,
  untilOf,
} from '../../../../src/runtime/loop/slot-state.ts';

const nothing = (): void => {};
const gateOf = (coin: string): Gate => ({ coin, leave: nothing, withdraw: nothing, abandon: nothing });
const GATES = [gateOf('DOC'), gateOf('MARTY')] as const;
const asked: Ask = { kind: 'ask', leg: 'maker', key: 'maker:quote', question: { op: 'quote' } };
const message = { kind: 'takerFee' } as SwapMessage;
const error = new SwapfoldError('stopped', { code: 'RUNNER_FAILED' });

/** Every event, with payloads that differ. */
const EVENTS: readonly SlotEvent[] = [
  { type: 'load' },
  { type: 'loaded', dormant: false },
  { type: 'loaded', dormant: true },
  { type: 'logFailed', until: 40 },
  { type: 'fail', error, until: 50 },
  { type: 'fail', error, until: null },
  { type: 'retire' },
  ...GATES.flatMap((gate): SlotEvent[] => [
    { type: 'ask', gate, since: 3, asked, until: 30 },
    { type: 'queue', gate, since: 4, asked, until: 31 },
  ]),
  { type: 'unasked' },
  { type: 'granted' },
  { type: 'answered' },
  { type: 'gaveUp' },
  { type: 'send', message, until: 20 },
  { type: 'handedOver', unsent: null },
  { type: 'handedOver', unsent: { kinds: ['takerFee'], at: 60 } },
  { type: 'resend' },
  { type: 'append' },
  { type: 'rest', until: 70 },
  { type: 'forceRest', until: 80 },
  { type: 'decideAgain' },
  { type: 'wake' },
  { type: 'news', legs: 1 },
  { type: 'news', legs: 2 },
  { type: 'write' },
  { type: 'written', conflict: false },
  { type: 'written', conflict: true },
  { type: 'applied' },
  { type: 'goOn' },
  { type: 'reload' },
];
const STATUSES = {
  new: null,
  loading: 'waitingForLog',
  dormant: 'waitingForCoin',
  ready: 'running',
  queued: 'running',
  asking: 'running',
  appending: 'running',
  sending: 'running',
  waiting: 'waiting',
  reloading: 'waitingForLog',
  failed: 'failed',
  gone: null,
} as const satisfies Record<Mode, unknown>;
const DECIDING: readonly Mode[] = ['ready', 'waiting'];
const UNDER_WAY: readonly Mode[] = ['queued', 'asking', 'sending', 'appending'];
const DRIVEN: readonly Mode[] = [...DECIDING, ...UNDER_WAY];

type Step = { readonly before: SlotState; readonly event: SlotEvent; readonly after: SlotState };

/** Walks through what may happen to a slot, and tells of each step. A draw chooses among the events that can come. */
function walk(draws: readonly number[], tell: (step: Step) => void): SlotState {
  let state = NEW_SLOT;
  for (const draw of draws) {
    const open = EVENTS.flatMap((event) => {
      const after = nextState(state, event);
      return after === null ? [] : [{ before: state, event, after }];
    });
    const step = open[draw % open.length] as Step;
    tell(step);
    state = step.after;
    if (state.doing.mode === 'gone') return state;
  }
  return state;
}
const draws = fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 80, size: 'max' });

/** What tells states apart but for what they count. */
function keyOf({ doing, append, news }: SlotState): string {
  const gate = 'gate' in doing ? doing.gate : doing.mode === 'ready' ? doing.place?.gate : undefined;
  return [doing.mode, gate?.coin, errorOf(doing)?.code, append, news].join(' ');
}

/** Every step out of every state that can be reached. */
const STEPS: readonly Step[] = (() => {
  const states = new Map([[keyOf(NEW_SLOT), NEW_SLOT]]);
  const steps: Step[] = [];
  for (const before of states.values()) {
    for (const event of EVENTS) {
      const after = nextState(before, event);
      if (after === null) continue;
      steps.push({ before, event, after });
      if (!states.has(keyOf(after))) states.set(keyOf(after), after);
    }
  }
  return steps;
})();
const always = (tell: (step: Step) => void): void => STEPS.forEach(tell);
const is = (event: SlotEvent, ...types: readonly SlotEventType[]): boolean => types.includes(event.type);

describe('whatever happens to a slot', () => {
  it('it is in one of the known modes, and every mode can be reached', () => {
    const reached = new Set<Mode>();
    always(({ after }) => {
      expect(statusOf(after.doing)).toBe(STATUSES[after.doing.mode]);
      reached.add(after.doing.mode);
    });
    expect([...reached.add('new')].toSorted()).toEqual(Object.keys(STATUSES).toSorted());
  });

  it('the previous state stays unchanged', () => {
    always(({ before, event }) => {
      const copy = structuredClone({ ...before, doing: { ...before.doing, gate: null, place: null, error: null } });
      nextState(before, event);
      expect({ ...before, doing: { ...before.doing, gate: null, place: null, error: null } }).toEqual(copy);
    });
  });

  it('something ends each of its activities, unless it is gone', () => {
    always(({ after }) => {
      if (after.doing.mode === 'gone') return;
      const others = EVENTS.map((event) => nextState(after, event)?.doing.mode).filter(
        (mode) => mode !== undefined && mode !== after.doing.mode,
      );
      expect(others).not.toEqual([]);
    });
  });

  it('what ends automatically has its moment, and nothing else has one', () => {
    const timed: readonly Mode[] = ['queued', 'asking', 'sending', 'waiting', 'reloading', 'failed'];
    always(({ event, after }) => {
      const { doing } = after;
      if (!timed.includes(doing.mode)) expect(untilOf(doing)).toBeNull();
      else if ('until' in event) expect(untilOf(doing)).toBe(event.until);
      else expect(untilOf(doing)).toSatisfy((until) => until !== null || doing.mode === 'failed');
    });
  });
});

describe('SM1: one command at a time', () => {
  it('a command begins only if nothing is under way, and nothing is being written', () => {
    always(({ before, event }) => {
      if (!is(event, 'ask', 'queue', 'unasked', 'send', 'append', 'rest', 'forceRest', 'retire')) return;
      expect(DECIDING).toContain(before.doing.mode);
      expect(before.append).toBe('none');
    });
  });

  it('the command that begins is the one that was decided', () => {
    const begun = { ask: 'asking', queue: 'queued', send: 'sending', append: 'appending', retire: 'gone' } as const;
    always(({ event, after }) => {
      if (event.type in begun) expect(after.doing.mode).toBe(begun[event.type as keyof typeof begun]);
      const { doing } = after;
      if (event.type === 'ask' || event.type === 'queue') expect(doing).toEqual({ ...event, ...withoutType(doing) });
    });
    function withoutType({ mode }: Doing) {
      return { mode, type: undefined };
    }
  });

  it('it ends in a decision, unless the slot stops or is rebuilt', () => {
    always(({ before, event, after }) => {
      if (!UNDER_WAY.includes(before.doing.mode) || after.doing === before.doing) return;
      if (is(event, 'load', 'reload', 'logFailed', 'fail')) expect(DRIVEN).not.toContain(after.doing.mode);
      else expect(after.doing.mode).toBe('ready');
    });
  });

  it('an end counts for its own command alone, and the next decision follows it', () => {
    const ends = {
      answered: ['asking'],
      gaveUp: ['asking', 'queued'],
      granted: ['queued'],
      handedOver: ['sending'],
      decideAgain: ['appending'],
    } as const;
    always(({ before, event, after }) => {
      const of: readonly Mode[] | undefined = ends[event.type as keyof typeof ends];
      if (of === undefined) return;
      expect(of).toContain(before.doing.mode);
      expect(after.doing.mode).toBe('ready');
    });
  });
});

describe('SM2: one append at a time', () => {
  it('begins if none is under way, ends only by its own end, and may be awaited in any mode but the first and the last', () => {
    always(({ before, event, after }) => {
      if (event.type === 'write') {
        expect([before.append, after.append]).toEqual(['none', 'underWay']);
        expect(['dormant', ...DRIVEN]).toContain(before.doing.mode);
      } else if (event.type === 'written') {
        expect(before.append).not.toBe('none');
        expect(after.append).toBe('none');
      } else expect(after.append === 'none').toBe(before.append === 'none');
      if (after.append !== 'none') expect(['new', 'gone']).not.toContain(after.doing.mode);
    });
  });

  it('its end changes nothing about the activity of the slot, until the stream is free for the next', () => {
    always(({ before, event, after }) => {
      if (is(event, 'write', 'written', 'applied')) expect(after.doing).toBe(before.doing);
      if (event.type !== 'goOn') return;
      const decides = [...DECIDING, 'appending'].includes(before.doing.mode);
      if (decides) expect(after.doing.mode).toBe('ready');
      else expect(after.doing).toBe(before.doing);
    });
  });
});

describe('SM3: a slot without a runner that counts', () => {
  it('starts nothing but the reading of its log', () => {
    always(({ before, event, after }) => {
      if (DRIVEN.includes(before.doing.mode) || after.doing === before.doing) return;
      const read = ['new', 'loading'].includes(before.doing.mode) && event.type === 'loaded';
      expect(['loading', 'reloading', 'failed', ...(read ? ['ready', 'dormant'] : [])]).toContain(after.doing.mode);
      if (read && event.type === 'loaded') expect(after.doing.mode).toBe(event.dormant ? 'dormant' : 'ready');
    });
  });

  it('accepts no message', () => {
    always(({ after }) => expect(isDeaf(after.doing)).toBe(!DRIVEN.includes(after.doing.mode)));
  });

  it('that is gone is gone for good, and nothing happens to it', () => {
    const gone = nextState({ ...NEW_SLOT, doing: { mode: 'ready', place: null } }, { type: 'retire' }) as SlotState;
    expect(gone.doing).toEqual({ mode: 'gone' });
    for (const event of EVENTS) expect(nextState(gone, event) ?? gone).toEqual(gone);
  });

  it('reports the error that stopped it until it has a runner again', () => {
    fc.assert(
      fc.property(draws, (given) => {
        let stopped: SwapfoldError | null = null;
        walk(given, ({ event, after }) => {
          if (event.type === 'fail') stopped = event.error;
          if (event.type === 'loaded') stopped = null;
          expect(errorOf(after.doing)).toBe(stopped);
        });
      }),
    );
  });
});

describe('SM4: a place at a gate', () => {
  /** Where a slot has a place to ask, and where it waits for one. */
  const placesOf = ({ doing }: SlotState) => ({
    asking: doing.mode === 'asking' ? doing.gate : doing.mode === 'ready' ? doing.place?.gate : undefined,
    queued: doing.mode === 'queued' ? doing.gate : undefined,
  });

  it('is the slot’s for as long as it asks, or is to ask, and goes back once', () => {
    always((step) => {
      const { before, event, after } = step;
      const counted = { asking: new Map<unknown, number>(), queued: new Map<unknown, number>() };
      const add = (kind: 'asking' | 'queued', gate: Gate | undefined, by: number) =>
        gate === undefined ? counted : counted[kind].set(gate, (counted[kind].get(gate) ?? 0) + by);
      const had = placesOf(before);
      add('asking', had.asking, 1);
      add('queued', had.queued, 1);
      // What the gates count of it by themselves: `enter` and `grant`.
      if (event.type === 'ask' && had.asking !== event.gate) add('asking', event.gate, 1);
      if (event.type === 'queue') add('queued', event.gate, 1);
      if (event.type === 'granted') {
        add('queued', had.queued, -1);
        add('asking', had.queued, 1);
      }
      const left = leavingOf(before.doing, after.doing, event.type);
      if (left !== null) add(left.how === 'withdraw' ? 'queued' : 'asking', left.gate, -1);
      const has = placesOf(after);
      const sizes = (kind: 'asking' | 'queued') => GATES.map((gate) => counted[kind].get(gate) ?? 0);
      const one = (gate: Gate | undefined) => GATES.map((other) => (other === gate ? 1 : 0));
      expect([sizes('asking'), sizes('queued')]).toEqual([one(has.asking), one(has.queued)]);
    });
  });

  it('counts as left by an answer only if there was one: an abandoned adapter may still be busy', () => {
    always(({ before, event, after }) => {
      const left = leavingOf(before.doing, after.doing, event.type);
      if (before.doing.mode !== 'asking' || after.doing === before.doing) return;
      expect(left).toEqual({ gate: before.doing.gate, how: event.type === 'answered' ? 'leave' : 'abandon' });
    });
  });

  it('is kept from the queue to the question, with the moment at which it was first wanted', () => {
    always(({ before, event, after }) => {
      if (event.type !== 'granted' || before.doing.mode !== 'queued') return;
      const { gate, since } = before.doing;
      expect(after.doing).toEqual({ mode: 'ready', place: { gate, since } });
      const free = nextState({ ...after, append: 'underWay' }, { type: 'written', conflict: false }) as SlotState;
      expect(nextState(free, { type: 'goOn' })?.doing).toEqual(after.doing);
      expect(leavingOf(after.doing, (nextState(free, { type: 'goOn' }) as SlotState).doing, 'goOn')).toBeNull();
    });
  });

  it('is not kept by a slot that is made to rest', () => {
    const place = { gate: GATES[0], since: 3 };
    const state: SlotState = { ...NEW_SLOT, doing: { mode: 'ready', place } };
    const after = nextState(state, { type: 'forceRest', until: 80 }) as SlotState;
    expect(leavingOf(state.doing, after.doing, 'forceRest')).toEqual({ gate: place.gate, how: 'leave' });
  });
});

describe('SM5: what arrives while the slot is busy', () => {
  it('news of its chains are looked at before it rests, and by a new runner anyway', () => {
    let unseen = 0;
    fc.assert(
      fc.property(draws, (given) => {
        unseen = 0;
        walk(given, ({ before, event, after }) => {
          if (event.type === 'news' && DRIVEN.includes(before.doing.mode)) unseen |= event.legs;
          if (event.type === 'rest') {
            expect(after.doing).toEqual(
              unseen === 0 ? { mode: 'waiting', until: event.until } : { mode: 'ready', place: null },
            );
          }
          if (is(event, 'rest', 'loaded')) unseen = 0;
          expect(after.news).toBe(unseen);
        });
      }),
    );
  });

  it('ends a rest, and nothing but a rest', () => {
    always(({ before, event, after }) => {
      if (event.type === 'wake' && before.doing.mode === 'waiting')
        expect(after.doing).toEqual({ mode: 'ready', place: null });
      else if (is(event, 'wake', 'news', 'resend')) expect(after.doing).toBe(before.doing);
    });
  });

  it('a request to rebuild the runner is granted at once, or as soon as the append has ended', () => {
    always(({ before, event, after }) => {
      const { mode } = before.doing;
      const anew = !['new', 'loading', 'failed', 'gone'].includes(mode);
      if (event.type === 'reload') {
        expect(after.doing.mode).toBe(anew && before.append === 'none' ? 'loading' : mode);
        expect(after.append).toBe(anew && before.append !== 'none' ? 'thenReload' : before.append);
      } else if (event.type !== 'written' && before.append === 'thenReload') expect(after.append).toBe('thenReload');
      else if (event.type !== 'written' && event.type !== 'write') expect(after.append).toBe(before.append);
    });
  });

  it('messages that were not handed over are due again together, at the latest of their moments, unless a new runner repeats them anyway', () => {
    fc.assert(
      fc.property(draws, (given) => {
        let kinds: readonly string[] = [];
        walk(given, ({ event, after }) => {
          if (event.type === 'handedOver' && event.unsent !== null) kinds = [...kinds, ...event.unsent.kinds];
          if (is(event, 'resend', 'loaded')) kinds = [];
          expect(after.unsent?.kinds ?? []).toEqual(kinds);
          if (event.type === 'handedOver' && event.unsent !== null) expect(after.unsent?.at).toBe(event.unsent.at);
        });
      }),
    );
  });
});

describe('the table in the documentation', () => {
  it('is the table of the code', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/explanation/architecture.md'), 'utf8');
    const told = Object.fromEntries(
      [...page.matchAll(/^\| `(\w+)` \| [^|]+ \|(.*)\|$/gm)].flatMap(([, mode = '', leads = '']) =>
        mode in STATUSES
          ? [
              [
                mode,
                new Set(
                  leads
                    .split(';')
                    .map((lead) => lead.trim())
                    .filter(Boolean),
                ),
              ],
            ]
          : [],
      ),
    );
    const found = new Map<string, Map<Mode, Set<string>>>(Object.keys(STATUSES).map((mode) => [mode, new Map()]));
    const note = ({ before, event, after }: Step): void => {
      if (after.doing === before.doing || (event.type === 'rest' && before.news !== 0)) return;
      const leads = found.get(before.doing.mode);
      const mode = after.doing.mode;
      leads?.set(mode, (leads.get(mode) ?? new Set()).add(event.type));
    };
    always(note);
    const order: readonly SlotEventType[] = [...new Set(EVENTS.map(({ type }) => type))];
    const text = ([mode, events]: readonly [Mode, ReadonlySet<string>]) =>
      `\`${mode}\` (${order.filter((type) => events.has(type)).join(', ')})`;
    const kept = Object.fromEntries([...found].map(([mode, leads]) => [mode, new Set([...leads].map(text))]));
    expect(told).toEqual(kept);
  });
});

describe('what a slot counts', () => {
  it('is what happened in a row', () => {
    fc.assert(
      fc.property(draws, (given) => {
        const counts = { burst: 0, restless: 0, logErrors: 0, failures: 0, conflicts: 0, sendErrors: 0 };
        walk(given, ({ event, after }) => {
          if (is(event, 'ask', 'queue', 'unasked', 'send', 'append')) counts.burst += 1;
          if (is(event, 'rest', 'forceRest', 'loaded')) counts.burst = 0;
          if (event.type === 'rest') counts.restless = 0;
          if (event.type === 'forceRest') counts.restless += 1;
          if (event.type === 'logFailed') counts.logErrors += 1;
          if (event.type === 'loaded') counts.logErrors = 0;
          if (event.type === 'fail') counts.failures += 1;
          if (event.type === 'written' && event.conflict) counts.conflicts += 1;
          if (event.type === 'applied') Object.assign(counts, { failures: 0, conflicts: 0 });
          if (event.type === 'handedOver') counts.sendErrors = event.unsent === null ? 0 : counts.sendErrors + 1;
          expect(after.counts).toEqual(counts);
        });
      }),
    );
  });

  it('is a call of the outside world while it asks or sends', () => {
    always(({ after }) => expect(isCall(after.doing)).toBe(['asking', 'sending'].includes(after.doing.mode)));
  });
});
