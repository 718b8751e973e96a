// Takes files out of a published package, without installing it or what it needs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Copies files of a package of the registry into a folder, once its archive has the digest that is expected.
 *
 * @throws Error where npm or tar fails, or the archive is another one
 */
export function fetchPackage({ name, sha512, files, target }) {
  const scratch = mkdtempSync(join(tmpdir(), 'swapfold-fetched-'));
  try {
    run('npm', ['pack', name, '--silent', '--ignore-scripts', '--pack-destination', scratch]);
    const archive = join(scratch, `${name.replace('@', '-')}.tgz`);
    const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (digest !== sha512) throw new Error(`${name} has the SHA-512 ${digest}, not ${sha512}`);
    const paths = files.map((file) => `package/${file}`);
    run('tar', ['-xzf', archive, '-C', scratch, ...paths]);
    mkdirSync(target, { recursive: true });
    for (const path of paths) cpSync(join(scratch, path), join(target, basename(path)));
    console.log(
      `${files.map((file) => basename(file)).join(', ')} of ${name} ${files.length > 1 ? 'are' : 'is'} in ${target}`,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${command} ${args[0]} ended with ${status}`);
}
