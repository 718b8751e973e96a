import { readFileSync } from 'node:fs';
import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { compiled } from './compiled.ts';

/** A contract with the interface of KDF's swap contract. */
export type SwapContract = {
  readonly name: string;
  /** Creation code in hex with 0x. */
  readonly bytecode: () => Promise<string>;
};

/** A file with the creation code of a contract in hex: the suites then run against it alone. */
export const GIVEN = process.env['SWAPFOLD_SWAP_CONTRACT'];

const PLAIN = ['152cf3af', '9b415b2a', '02ed292b', '46fc0294', '0716326d'];
const REWARDS = ['0971fd54', '6a322786', 'b5985c4d', 'cd1dde34'];

/** Those that are not ours, or the one that was given. */
export const OTHER_CONTRACTS: readonly SwapContract[] =
  GIVEN === undefined || GIVEN === ''
    ? [
        {
          name: 'another contract with the five plain functions',
          bytecode: async () => (await compiled()).PlainOtherHtlc.bytecode,
        },
        {
          name: 'another contract with all nine functions',
          bytecode: async () => (await compiled()).WatchedOtherHtlc.bytecode,
        },
      ]
    : [{ name: `the contract of ${GIVEN}`, bytecode: async () => readContract(GIVEN) }];

export const ALL_CONTRACTS: readonly SwapContract[] =
  GIVEN === undefined || GIVEN === ''
    ? [{ name: 'our contract', bytecode: async () => swapContractBytecode }, ...OTHER_CONTRACTS]
    : OTHER_CONTRACTS;

/** Whether the code has the functions of rewards, by which anybody may claim or refund for a party. */
export function hasRewards(bytecode: string): boolean {
  return REWARDS.every((selector) => bytecode.includes(selector));
}

/** @throws Error for a text that is no hex, or is the code of another kind of contract */
export function readContract(file: string): string {
  const text = readFileSync(file, 'utf8').trim();
  const code = text.startsWith('0x') ? text.slice(2) : text;
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(code)) throw new Error(`${file} holds no creation code in hex`);
  const missing = PLAIN.filter((selector) => !code.toLowerCase().includes(selector));
  if (missing.length > 0)
    throw new Error(`the code in ${file} lacks the functions with the selectors ${missing.join(', ')}`);
  return `0x${code.toLowerCase()}`;
}
