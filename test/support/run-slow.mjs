// Runs the suites that take minutes (*.slow.test.ts); with --thorough in full, and those that only a release is held to (*.thorough.test.ts).
import { spawnSync } from 'node:child_process';

const isThorough = process.argv[2] === '--thorough';
const rest = process.argv.slice(isThorough ? 3 : 2);
const env = { ...process.env, SWAPFOLD_SLOW: '1', ...(isThorough ? { SWAPFOLD_THOROUGH: '1' } : {}) };
const args = ['vitest', 'run', '--config', 'test/vitest.config.ts', ...rest];
const { status } = spawnSync('npx', args, { stdio: 'inherit', env });
process.exit(status ?? 1);
