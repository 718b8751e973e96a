import { join } from 'node:path';
import { runWorld } from '../../src/sim/world/advance.ts';
import { scenario } from '../../src/sim/world/build.ts';
import { createWorld } from '../../src/sim/world/world.ts';
import { publicKeyOf, signDer, verifyDer } from '../../src/smartchain/keys/secp256k1.ts';
import type { Commit } from './commits.ts';
import { assertSame, cpuMillis, median, type Row } from './measure.ts';
import { rawLog } from './raw-log.ts';

/** Milliseconds of CPU time for a swap of both sides. */
export type Floor = {
  /** Both live sides, with durable logs. */
  readonly live: number;
  /** The same records in bare commits, which a rate is measured by. */
  readonly bare: number;
  /** The same records, sealed and appended by the least program that does so. */
  readonly records: number;
  /** The engines of both sides on simulated chains, without promises, logs, troubles or a judge. */
  readonly decisions: number;
  /** The signatures of a swap's transactions, each made once and verified once. */
  readonly signatures: number;
};

/** Fee, two payments, two claims. */
const TRANSACTIONS = 5;

/** CPU milliseconds of some work. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const begun = cpuMillis();
  await work();
  return cpuMillis() - begun;
}

/** What no program with the same records and decisions can leave out, for so many swaps whose commits are given. */
export async function floorOf(
  commits: readonly Commit[],
  { folder, count }: { readonly folder: string; readonly count: number },
): Promise<Pick<Floor, 'records' | 'decisions' | 'signatures'>> {
  const least = rawLog({ log: join(folder, 'maker.db'), path: join(folder, 'least.db') });
  const records = await cpuOf(async () => {
    for (const { batches } of commits) {
      const appends = batches.flatMap(({ stream, expected, records }) =>
        records.map(({ at, type, data }, index) => least.append({ stream, seq: expected + index, at, type, data })),
      );
      await Promise.all(appends);
    }
  });
  assertSame(least.commits.length, commits.length, 'transactions of the logs and of the least program');
  least.close();
  const calm = scenario();
  const decisions = await cpuOf(() => {
    for (let index = 0; index < count; index++) {
      const world = createWorld(calm);
      runWorld(world);
      assertSame([world.nodes.maker.done, world.nodes.taker.done], [true, true], 'both engines come to their end');
    }
  });
  const signatures = await cpuOf(() => signed(count * TRANSACTIONS));
  return { records: records / count, decisions: decisions / count, signatures: signatures / count };
}

function signed(transactions: number): void {
  const secretKey = new Uint8Array(32).fill(7);
  const publicKey = publicKeyOf(secretKey);
  const hash = new Uint8Array(32).fill(9);
  for (let index = 0; index < transactions; index++) {
    hash[0] = index & 0xff;
    assertSame(verifyDer({ hash, signature: signDer({ hash, secretKey }), publicKey }), true, 'a signature is good');
  }
}

/** Each part beside what half the rate of the bare commits leaves for a swap: more than 1 of it in all, and that half is out of reach. */
export function* floorRows(floors: readonly Floor[]): Generator<Row> {
  const of = (name: keyof Floor) => 1000 * median(floors.map((floor) => floor[name]));
  const allowed = 2 * of('bare');
  const row = (name: string, ours: number): Row => {
    return { name: `live floor: ${name}`, unit: 'µs of CPU', ours, reference: allowed, ratio: ours / allowed };
  };
  yield row('records sealed and appended by the least program', of('records'));
  yield row('decisions of both engines alone', of('decisions'));
  yield row(`signatures of ${TRANSACTIONS} transactions, made and verified`, of('signatures'));
  yield row('all of these', of('records') + of('decisions') + of('signatures'));
  yield row('a live swap, both sides durable', of('live'));
}
