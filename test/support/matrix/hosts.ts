import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { builtModule } from '../built.ts';
import { bundled } from '../bundle.ts';
import type { FromSeat, Sent, ToSeat } from './seat-messages.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUILT = join(ROOT, 'dist/test/support/matrix');
const SEAT = join(BUILT, 'bundle/seat-process.js');

/** A process that can hold a node. */
export type HostProcess = {
  readonly pid: number;
  readonly tell: (message: ToSeat | Sent) => void;
  /** Who hears what it says, and by which signal it ended. */
  listener: ((message: FromSeat) => void) | null;
  onEnd: ((signal: string | null, complaint: string) => void) | null;
  readonly isOver: () => boolean;
  readonly kill: () => Promise<void>;
};

/** Processes that are loaded before they are needed; those whose node was closed are used again. */
export type Hosts = {
  readonly take: () => Promise<HostProcess>;
  readonly giveBack: (host: HostProcess) => void;
  readonly close: () => Promise<void>;
};

export function openHosts(spare = 1): Hosts {
  builtModule('src/cli/main.js');
  const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', import.meta.dirname], { encoding: 'utf8' });
  if (stdout !== '') throw new Error(`the processes of the matrix were not built: ${stdout}`);
  bundled(join(BUILT, 'seat-process.js'), join(BUILT, 'bundle'));
  const free: Promise<HostProcess>[] = [];
  const all = new Set<HostProcess>();
  const add = async (): Promise<HostProcess> => {
    const host = await start();
    all.add(host);
    return host;
  };
  return {
    take() {
      const taken = free.shift() ?? add();
      while (free.length < spare) free.push(add());
      return taken;
    },
    giveBack(host) {
      host.listener = null;
      host.onEnd = null;
      if (host.isOver()) all.delete(host);
      else free.unshift(Promise.resolve(host));
    },
    async close() {
      await Promise.all(free);
      for (const host of all) await host.kill();
    },
  };
}

function start(): Promise<HostProcess> {
  return new Promise((ready, reject) => {
    const child = fork(SEAT, { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const host = hostOf(child);
    child.on('message', (message: FromSeat) => {
      if (message.say === 'ready') ready(host);
      else host.listener?.(message);
    });
    child.on('error', reject);
    child.on('close', (_, signal) => {
      reject(new Error(`a process of the matrix ended: ${complaint}`));
      host.onEnd?.(signal, complaint);
    });
  });
}

function hostOf(child: ChildProcess): HostProcess {
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      isOver = true;
      resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    tell(message) {
      // What is told to somebody who has just died is lost.
      if (child.connected) child.send(message, () => {});
    },
    listener: null,
    onEnd: null,
    isOver: () => isOver,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
