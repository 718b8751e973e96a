import type { PlantedBug } from './planted-bugs.ts';

// Engines that follow the protocol and waste fees. The model checker knows no fees: only the simulator can find them.

export const plantedFeeBugs: Readonly<Record<string, PlantedBug>> = {
  repeatsAtOnce: {
    text: 'signs again at once what a block took without effect',
    parties: ['maker', 'taker'],
    plant: (sound) => ({
      ...sound,
      decide: (runner, now, node) => {
        const { journal } = runner;
        const last = journal.prepared.refund.at(-1) ?? journal.prepared.claim.at(-1);
        if (last?.dead !== true) return sound.decide(runner, now, node);
        // As on an order, but each time.
        return sound.decide({ ...runner, journal: { ...journal, retryAt: now } }, now, node);
      },
    }),
  },
};
