// Opens a log, which replaces or upgrades it, and dies by SIGKILL before its n-th step on the file system; says "opened" if it got there.
// Arguments: URL of the built adapter, path of the log, n.
import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , module, path, step] = process.argv;
const say = (line) => writeSync(1, `${line}\n`);
const { openSqliteLog } = await import(module);

let left = Number(step);
const watched = [
  'renameSync',
  'linkSync',
  'rmSync',
  'fsyncSync',
  'chmodSync',
  'copyFileSync',
  'mkdtempSync',
  'ftruncateSync',
];
for (const name of watched) {
  const real = fs[name];
  fs[name] = (...given) => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
    return real(...given);
  };
}
syncBuiltinESMExports();

const log = await openSqliteLog({ path, now: () => Date.UTC(2026, 0, 2) });
say('opened');
await log.close();
say(`closed ${Number(step) - left}`);
process.exit(0);
