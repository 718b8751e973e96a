import { fromBaseUnits, isDecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import type { ChainConf } from '../../rpc/smart-chain/conf.ts';
import type { ChainParams } from '../../smartchain/params.ts';
import { UsageError } from '../io.ts';

/** Rules of a chain that its first start may set. Satoshis and blocks. */
export type NewChainRules = {
  readonly supply?: bigint | undefined;
  readonly reward?: bigint | undefined;
  readonly maturity?: number | undefined;
};

/** The rules as the conf file of a new chain keeps them, so that later starts need not repeat them. */
export function keptRules({ supply, reward, maturity }: NewChainRules): Readonly<Record<string, string>> {
  return {
    ...(supply === undefined ? {} : { supply: fromBaseUnits(supply) }),
    ...(reward === undefined ? {} : { reward: fromBaseUnits(reward) }),
    ...(maturity === undefined ? {} : { maturity: String(maturity) }),
  };
}

/** Given rules before those of the conf file. @throws UsageError for one in the file that cannot be read. */
export function rulesOf(given: NewChainRules, { others }: Pick<ChainConf, 'others'>): Partial<ChainParams> {
  const supply = given.supply ?? coinsOf(others, 'supply');
  const reward = given.reward ?? coinsOf(others, 'reward');
  const maturity = given.maturity ?? blocksOf(others, 'maturity');
  return {
    ...(supply === undefined ? {} : { supply }),
    ...(reward === undefined ? {} : { reward }),
    ...(maturity === undefined ? {} : { maturity }),
  };
}

function coinsOf(others: ReadonlyMap<string, string>, name: string): bigint | undefined {
  const text = others.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,12}(\.\d{1,8})?$/.test(text) && isDecimalText(text)) return toBaseUnits(text);
  throw new UsageError(`The conf file holds no amount of coins for ${name}.`);
}

function blocksOf(others: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = others.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`The conf file holds no count of blocks for ${name}.`);
}
