import { join } from 'node:path';
import { openSqliteLog } from '../../../src/log/sqlite/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { LitecoindAccess } from '../litecoind.ts';
import { type ChainSettings, remoteLitecoinChain } from './chain.ts';
import { heightOf, ledgerSince } from './ledger.ts';
import { type Coin, createSwapWorld, UUID } from './swap-world.ts';

/** A process that runs both sides of a swap over durable logs, until both payments are taken or it kills itself. */
export type ChildTask = {
  readonly dir: string;
  readonly name: string;
  readonly chains: Readonly<
    Record<Coin, { readonly access: LitecoindAccess; readonly birth: number; readonly settings: ChainSettings }>
  >;
  /** Heights after which this swap is looked for. */
  readonly from: Readonly<Record<Coin, number>>;
  /** At which input or output it dies; null for never. */
  readonly killAt: number | null;
};

const task = JSON.parse(process.argv[2] ?? '') as ChildTask;

let boundaries = 0;
/** An input or output begins or is over. */
async function boundary(): Promise<void> {
  boundaries += 1;
  if (boundaries !== task.killAt) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

async function logOf(side: string): Promise<EventLog> {
  const log = await openSqliteLog({ path: join(task.dir, `${side}.db`) });
  return new Proxy(log, {
    get(target, member) {
      const value = Reflect.get(target, member, target) as unknown;
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: unknown[]) => unknown;
      if (member !== 'append') return call;
      return async (...given: unknown[]) => {
        await boundary();
        const answer = await call(...given);
        await boundary();
        return answer;
      };
    },
  });
}

async function main(): Promise<void> {
  const chains = { LTC: remoteLitecoinChain(task.chains.LTC), OTHER: remoteLitecoinChain(task.chains.OTHER) };
  const logs = { maker: await logOf('maker'), taker: await logOf('taker') };
  const world = await createSwapWorld({
    chains,
    name: task.name,
    logs,
    adapter: (chain) => ({
      ...chain,
      broadcast: async (transaction) => {
        await boundary();
        const answer = await chain.broadcast(transaction);
        await boundary();
        return answer;
      },
    }),
  });
  const begun = await Promise.all(['maker', 'taker'].map((side) => logs[side as 'maker'].read(`${side}-swap/${UUID}`)));
  if (begun.some((records) => records.length === 0)) await world.start();
  for (const party of Object.values(world.parties)) await party.runtime.resumeAll();
  const isOver = async () => {
    const views = [await ledgerSince(chains.LTC, task.from.LTC), await ledgerSince(chains.OTHER, task.from.OTHER)];
    return views.every(({ payments }) => payments.length > 0 && payments.every(({ spend }) => spend !== null));
  };
  const over = await world.until(isOver, 400);
  console.log(
    JSON.stringify({ over, boundaries, heights: [await heightOf(chains.LTC), await heightOf(chains.OTHER)] }),
  );
  process.exit(over ? 0 : 1);
}

await main();
