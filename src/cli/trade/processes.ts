import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type JsonObject, parseJson } from '../../primitives/json.ts';
import { partFailed } from './error.ts';

/** A part of the play that runs in a process of its own. */
export type Part = {
  /** What it told when it was ready. */
  readonly ready: JsonObject;
  /** Ends it without a word of warning. Resolves when it is gone. */
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

const MOST_TOLD = 2000;

/** All processes that a play has started, so that none outlives it. */
export class Cast {
  readonly #running = new Set<ChildProcess>();
  // Nothing outlives this process either, however it ends.
  readonly #onExit = (): void => {
    for (const child of this.#running) child.kill('SIGKILL');
  };

  constructor() {
    process.on('exit', this.#onExit);
  }

  /** Starts this program anew with a command that says in one line of JSON that it is ready. @throws TradeError TRADE_PART_FAILED */
  async start(argv: readonly string[]): Promise<Part> {
    const main = process.argv[1] ?? '';
    const child = spawn(process.execPath, [main, ...argv, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const gone = this.#watch(child);
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => {
      told = (told + String(chunk)).slice(-MOST_TOLD);
    });
    const line = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      gone.then(() => reject(partFailed(`swapfold ${argv[0]}`, told.trim() === '' ? 'it ended' : told.trim())));
    });
    return {
      ready: parseJson(await line) as JsonObject,
      async kill(signal) {
        child.kill(signal);
        await gone;
      },
    };
  }

  /** Starts another program. `gone` resolves when it has ended, or could not be started. */
  spawn(program: string, argv: readonly string[]): Pick<Part, 'kill'> & { readonly gone: Promise<void> } {
    const child = spawn(program, argv, { stdio: 'ignore' });
    const gone = this.#watch(child);
    return {
      gone,
      async kill(signal) {
        child.kill(signal);
        await gone;
      },
    };
  }

  #watch(child: ChildProcess): Promise<void> {
    this.#running.add(child);
    return new Promise((resolve) => {
      const over = (): void => {
        this.#running.delete(child);
        resolve();
      };
      child.once('close', over);
      child.once('error', over);
    });
  }

  /** Ends all that still run. */
  async close(): Promise<void> {
    const ends = [...this.#running].map(
      (child) =>
        new Promise<void>((resolve) => {
          child.once('close', () => resolve());
          child.kill('SIGKILL');
        }),
    );
    await Promise.all(ends);
    process.off('exit', this.#onExit);
  }
}
