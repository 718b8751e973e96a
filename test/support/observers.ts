import type { Observer } from '../../src/sim/world/world.ts';

/** All of them look on, in this order: none takes the place of another. */
export function together(...observers: readonly Observer[]): Observer {
  return {
    appended: (world, node, records) => {
      for (const one of observers) one.appended?.(world, node, records);
    },
    answered: (world, node, asked) => {
      for (const one of observers) one.answered?.(world, node, asked);
    },
    sent: (world, node, message) => {
      for (const one of observers) one.sent?.(world, node, message);
    },
    crashed: (world, node, by) => {
      for (const one of observers) one.crashed?.(world, node, by);
    },
    waits: (world, node, until) => {
      for (const one of observers) one.waits?.(world, node, until);
    },
    settled: (world) => {
      for (const one of observers) one.settled?.(world);
    },
  };
}
