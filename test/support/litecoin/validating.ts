import { bytesToHex } from '../../../src/primitives/hex.ts';
import { beginChain, fund, OWNER_ADDRESS, OWNER_SCRIPT, ownersSpend } from '../../differential/funded-chain.ts';
import { COIN_VALUE } from '../../differential/recipes.ts';
import { LITECOIND, startLitecoind } from '../litecoind.ts';
import { cpuMillisOf, TELLS_PROCESS_TIME } from '../process-time.ts';

const INPUTS_EACH = 2;
/** Blocks deep and level of the check that validates all signatures anew. */
const VALIDATED = [4, 1] as const;
/** The same block looked at without its signatures. */
const LOOKED_AT = [3, 1] as const;

export type Validating = {
  /** Validates the block once more, on one core, and tells the milliseconds of CPU time beside a look at it. */
  readonly validate: () => Promise<number>;
  readonly stop: () => void;
};

/**
 * A `litecoind` with one core whose last block holds so many signatures, none of which it remembers. Undefined where there is no
 * `litecoind`, or no way to tell its CPU time.
 */
export async function validatingLitecoind(signatures: number): Promise<Validating | undefined> {
  if (!LITECOIND.present || !TELLS_PROCESS_TIME) return undefined;
  const node = await startLitecoind(['-par=1', '-maxsigcachesize=0']);
  const coins = await beginChain(node);
  const scripts = Array.from({ length: signatures }, () => OWNER_SCRIPT);
  const { outPoints } = await fund(node, scripts, coins);
  const raws: string[] = [];
  for (let from = 0; from < signatures; from += INPUTS_EACH) {
    const output = { value: COIN_VALUE, script: OWNER_SCRIPT };
    raws.push(bytesToHex(ownersSpend(outPoints.slice(from, from + INPUTS_EACH), [output])));
  }
  await node.call('generateblock', OWNER_ADDRESS, raws);
  // What it found good when it made the block it remembers until its end.
  await node.restart();
  const spent = async ([level, blocks]: readonly [number, number]) => {
    const begun = cpuMillisOf(node.pid());
    if ((await node.call('verifychain', level, blocks)) !== true) throw new Error('litecoind refuses its own block');
    return cpuMillisOf(node.pid()) - begun;
  };
  return { validate: async () => (await spent(VALIDATED)) - (await spent(LOOKED_AT)), stop: node.stop };
}
