#!/usr/bin/env node
import { isMissing, PackageMissingError } from '../primitives/optional-package.ts';

const { argv, env, stdin, stdout, stderr } = process;

// Nobody is left to tell when standard error is gone.
stderr.on('error', () => {});
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { run } = await import('./run.ts');
    return await run(argv.slice(2), { stdin, stdout, stderr, env });
  } catch (error) {
    const missing = await missingPackages();
    if (missing === null) throw error;
    stderr.write(`swapfold: ${missing.shortMessage}\n${missing.next}\n`);
    return 1;
  }
}

/** Which of what every command needs is not installed: an engine comes without a command line's packages. */
async function missingPackages(): Promise<PackageMissingError | null> {
  const commander = await import('commander').then(isThere, (error) => isMissing(error, 'commander'));
  const picocolors = await import('picocolors').then(isThere, (error) => isMissing(error, 'picocolors'));
  if (commander && picocolors) return new PackageMissingError('commander', 'picocolors');
  if (commander) return new PackageMissingError('commander');
  return picocolors ? new PackageMissingError('picocolors') : null;
}

function isThere(): boolean {
  return false;
}
