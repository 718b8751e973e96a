import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { OptionalPart } from '../optional-part.ts';

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win32' };
const MACHINES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const PACKAGE = `@foundry-rs/anvil-${SYSTEMS[process.platform]}-${MACHINES[process.arch]}`;
const BINARY = installed(`${PACKAGE}/bin/${process.platform === 'win32' ? 'anvil.exe' : 'anvil'}`);

function installed(file: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return undefined;
  }
}

/** A chain of Ethereum's family on this machine, from a package that npm installs where there is one for the machine. */
export const ANVIL: OptionalPart = {
  present: BINARY !== undefined,
  absence: `no ${PACKAGE} (npm ci installs it where the registry has one for this machine)`,
};

export type Anvil = { readonly url: string; stop(): void };

/** Seconds since 1970 of its first block: the same in every run. */
export const GENESIS = 1_700_000_000;
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;

const FREE = ['--gas-price=0', '--block-base-fee-per-gas=0', '--auto-impersonate'];

/**
 * A chain of its own on a free port of the loopback. Blocks come when they are asked for. It ends with this process at the latest.
 *
 * @param options beside those. @defaultValue gas costs nothing, so that balances are what was paid, and every account may send without a key
 */
export async function startAnvil(options: readonly string[] = FREE): Promise<Anvil> {
  if (BINARY === undefined) throw new Error(ANVIL.absence);
  const fixed = ['--host=127.0.0.1', '--port=0', '--hardfork=prague', '--no-mining', `--timestamp=${GENESIS}`];
  const child = spawn(BINARY, [...fixed, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => {
    process.off('exit', stop);
    child.kill('SIGKILL');
  };
  process.once('exit', stop);
  try {
    return { url: `http://127.0.0.1:${await portOf(child)}`, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** The port that it says it listens on. What it says later is read too, or it would wait for a reader. */
function portOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((done, failed) => {
    const hear = (text: Buffer) => {
      if (said.length < 100_000) said += text.toString();
      const port = LISTENING.exec(said)?.[1];
      if (port !== undefined) done(port);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', failed);
    child.once('exit', () => failed(new Error(`anvil ended: ${said}`)));
  });
}
