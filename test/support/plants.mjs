// Plants mistakes and looks who finds them: node test/support/plants.mjs draw | reach | try | lines | page. See docs/explanation/planted-bugs.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
run(tsc, '-p', 'tsconfig.json');
run(tsc, '-p', 'test/support/plants/tsconfig.json');
run('dist/test/support/plants/main.js', ...process.argv.slice(2));
