import { isDecimalText, toBaseUnits } from '../../../primitives/decimal.ts';
import { numberText } from '../../../primitives/json.ts';
import type { FeeQuestion, FeeRate } from '../coin.ts';
import type { ElectrumAnswer, ElectrumCall } from './connection.ts';
import type { Panel, Told } from './panel.ts';

type FeeAsking = {
  readonly panel: Panel;
  /** Decimals of the coin unit in which servers state fees. */
  readonly decimals: number;
};

/** For servers that cannot estimate for so few blocks. */
const SOON = 2;

/** What a transaction should pay; null where no server says. They answer in coin units per 1,000 bytes; negative if the server's node has seen too little. @throws BackendSilent */
export async function estimate({ panel, decimals }: FeeAsking, { blocks, mode }: FeeQuestion): Promise<FeeRate | null> {
  const targets = [...new Set([blocks, Math.max(blocks, SOON)])];
  // Servers before version 1.6 of the protocol refuse a mode.
  const modes = mode === null ? [[]] : [[mode], []];
  const calls = targets.flatMap((target) =>
    modes.map((one): ElectrumCall => ['blockchain.estimatefee', target, ...one]),
  );
  return middleRate(await panel.survey(calls, 'all'), decimals);
}

/** The least that nodes behind the servers relay; null where none says. @throws BackendSilent */
export async function relayFee({ panel, decimals }: FeeAsking): Promise<FeeRate | null> {
  return middleRate(await panel.survey([['blockchain.relayfee']], 'all'), decimals);
}

/**
 * The middle of what servers say, so that no single one makes everything dear or too cheap to be relayed. Of two the lower: too little costs time, since
 * fees rise, and too much is gone.
 */
function middleRate(told: readonly Told[], decimals: number): FeeRate | null {
  const rates = told.flatMap(({ answers }) => firstRate(answers, decimals) ?? []);
  rates.sort((left, right) => (left < right ? -1 : Number(left > right)));
  return rates[Math.floor((rates.length - 1) / 2)] ?? null;
}

function firstRate(answers: readonly ElectrumAnswer[], decimals: number): FeeRate | null {
  for (const answer of answers) {
    const rate = 'result' in answer ? numberText(answer.result) : undefined;
    const units = rate === undefined || !isDecimalText(rate) || rate.startsWith('-') ? 0n : toBaseUnits(rate, decimals);
    if (units > 0n) return units;
  }
  return null;
}
