/** Loaded into a server before it starts: tells its parent, when asked, for how long nothing else had its turn since the last question. */
const EVERY_MS = 5;

/** Milliseconds that the longest turn took, by the clock and of the processor. */
export type Held = { readonly clock: number; readonly cpu: number };

const cpuNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let longest = { clock: 0, cpu: 0 };
let last = { clock: performance.now(), cpu: cpuNow() };
setInterval(() => {
  const now = { clock: performance.now(), cpu: cpuNow() };
  longest = {
    clock: Math.max(longest.clock, now.clock - last.clock - EVERY_MS),
    cpu: Math.max(longest.cpu, now.cpu - last.cpu),
  };
  last = now;
}, EVERY_MS).unref();

process.on('message', () => {
  process.send?.(longest);
  longest = { clock: 0, cpu: 0 };
});
process.channel?.unref();
