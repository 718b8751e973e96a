// Runs the suites that take minutes (*.slow.test.ts).
import { spawnSync } from 'node:child_process';

const args = ['vitest', 'run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)];
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...process.env, SWAPFOLD_SLOW: '1' } });
process.exit(status ?? 1);
