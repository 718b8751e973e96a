import type { Millis } from '../../primitives/time.ts';
import type { Slot } from './slot.ts';

/** Who has which id at the scheduler: a slot, or an action of the runtime itself. */
export type ScheduleIds = {
  readonly takeSlot: (make: (id: number) => Slot) => Slot;
  readonly takeAction: (run: () => void) => number;
  readonly free: (id: number) => void;
  readonly give: (id: number, now: Millis) => void;
  readonly slots: () => readonly Slot[];
};

/** Ids are small and reused, so that tables by id stay small. */
export function createScheduleIds(drive: (slot: Slot, now: Millis) => void): ScheduleIds {
  const holders: (Slot | (() => void) | null)[] = [];
  const freed: number[] = [];
  const take = (): number => freed.pop() ?? holders.length;
  return {
    takeSlot(make) {
      const id = take();
      const slot = make(id);
      holders[id] = slot;
      return slot;
    },
    takeAction(run) {
      const id = take();
      holders[id] = run;
      return id;
    },
    free(id) {
      holders[id] = null;
      freed.push(id);
    },
    give(id, now) {
      const holder = holders[id] ?? null;
      if (typeof holder === 'function') holder();
      else if (holder !== null) drive(holder, now);
    },
    slots: () => holders.filter((holder): holder is Slot => holder !== null && typeof holder !== 'function'),
  };
}
