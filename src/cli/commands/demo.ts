import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worldPath } from '../demo/world-file.ts';
import { type CliIo, columnsOf, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { fitted } from '../render/fitted.ts';
import { styleOf } from '../render/text.ts';

export type DemoCommandOptions = { readonly dir?: string };

type Step = { readonly title: string; readonly argv: readonly string[]; readonly dies?: boolean };

/** `swapfold demo`: what the engine is for, shown with processes that really run and really die. */
export async function demoCommand({ io, dir }: DemoCommandOptions & { readonly io: CliIo }): Promise<ExitCode> {
  if (dir !== undefined && ['calm', 'killed'].some((name) => existsSync(worldPath(join(dir, name))))) {
    throw new UsageError(`${dir} holds a demonstration that was played already. Give another --dir.`);
  }
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'swapfold-demo-'));
  const output = createOutput(io.stdout);
  const { paint, columns } = styleOf(io);
  const calm = join(folder, 'calm');
  const killed = join(folder, 'killed');
  const steps: readonly Step[] = [
    { title: 'A swap between two engines, to its end', argv: ['swap', '--dir', calm] },
    {
      title: 'Another one, killed when the network has just got the taker payment and no log says so',
      argv: ['swap', '--dir', killed, '--kill-at', 'taker-payment'],
      dies: true,
    },
    { title: 'The same command again: both engines go on from their logs', argv: ['swap', '--dir', killed] },
    {
      title: 'Where the money was, event by event, in the logs of both takers',
      argv: ['timeline', join(calm, 'taker.db'), join(killed, 'taker.db')],
    },
  ];
  let sound = true;
  try {
    for (const { title, argv, dies = false } of steps) {
      if (io.verbosity !== 'quiet') await output.write(fitted(`\n${paint.bold(`== ${title}`)}\n`, columns));
      await output.flush();
      const { code, signal } = await runSelf(argv, io);
      sound &&= dies ? signal === 'SIGKILL' : code === EXIT.ok;
    }
  } finally {
    if (dir === undefined) rmSync(folder, { recursive: true, force: true });
  }
  await output.flush();
  return sound ? EXIT.ok : EXIT.findings;
}

/** Runs this program anew, as a process of its own, with its output passed on. */
function runSelf(
  argv: readonly string[],
  { stdout, stderr, env, verbosity }: CliIo,
): Promise<{ code: number | null; signal: string | null }> {
  const main = process.argv[1] ?? '';
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...argv, ...(verbosity === 'quiet' ? ['--quiet'] : [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // It writes to a pipe, and yet for this terminal.
      env: { ...process.env, COLUMNS: String(columnsOf(stdout, env)) },
    });
    child.stdout.on('data', (chunk: Buffer) => stdout.write(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.write(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}
