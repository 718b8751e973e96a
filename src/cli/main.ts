#!/usr/bin/env node
import { run } from './run.ts';

const { argv, env, stdin, stdout, stderr } = process;

// Nobody is left to tell when standard error is gone.
stderr.on('error', () => {});
process.exitCode = await run(argv.slice(2), { stdin, stdout, stderr, env });
