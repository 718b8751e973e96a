import { byteReader, readUint } from '../../src/htlc/byte-reader.ts';
import { decodeChainTransaction } from '../../src/smartchain/transaction.ts';
import { COIN_VALUE, isWitnessProgram, type Recipe } from './recipes.ts';

/** One spend with what this project and Litecoin Core say of it. */
export type Compared = {
  readonly recipe: Recipe;
  readonly raw: Uint8Array;
  readonly ours: string;
  readonly theirs: string;
};

export type Difference = {
  readonly name: string;
  /** Why both are right. */
  readonly why: string;
  readonly applies: (compared: Compared) => boolean;
};

const LITECOIN_MAX_MONEY = 84_000_000n * 100_000_000n;
const OP_CHECKSEQUENCEVERIFY = 0xb2;

/** Whether both let the same in where only the mandatory rules count. */
function sameWhereMandatory({ ours, theirs }: Compared): boolean {
  const mandatory = 'mandatory-script-verify-flag-failed';
  return ours.startsWith(mandatory) === theirs.startsWith(mandatory);
}

function paidBy(raw: Uint8Array): readonly bigint[] {
  return decodeChainTransaction(raw)?.transaction.outputs.map(({ value }) => value) ?? [];
}

/** Whether a script may run OP_CHECKSEQUENCEVERIFY. Of the other kinds of spends none does, though keys hold its byte. */
export function usesSequence({ kind, lock, pieces }: Recipe): boolean {
  if (!['sequence', 'random', 'computing'].includes(kind)) return false;
  const scripts = [lock, ...pieces.map((piece) => (piece.is === 'script' ? piece.bytes : new Uint8Array(0)))];
  return scripts.some((script) => script.includes(OP_CHECKSEQUENCEVERIFY));
}

/** Every reason for which the verdicts may differ; a difference that fits none of them is a defect. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'version',
    why: 'the smart chain, as Zcash, writes join splits into version 2, knows two forms with the top bit set, and no version 0',
    applies: ({ raw }) => readUint(byteReader(raw), 4) !== 1,
  },
  {
    name: 'witness form',
    why: 'a transaction whose count of inputs is zero is read by Litecoin as one with segregated witnesses',
    applies: ({ raw, ours }) => raw[4] === 0 && ['unreadable', 'bad-txns-vin-empty'].includes(ours),
  },
  {
    name: 'witness program',
    why: 'the smart chain has no segregated witnesses: an output that Litecoin reads as one is a plain script',
    applies: ({ recipe }) => isWitnessProgram(recipe.lock),
  },
  {
    name: 'most money',
    why: 'Litecoin has at most 84 million coins; the limit here follows the supply of the chain and is 200 million at least',
    applies: ({ raw, theirs }) => {
      if (!['bad-txns-vout-toolarge', 'bad-txns-txouttotal-toolarge'].includes(theirs)) return false;
      const paid = paidBy(raw).filter((value) => value > 0n);
      return paid.reduce((total, value) => total + value, 0n) > LITECOIN_MAX_MONEY;
    },
  },
  {
    name: 'least fee',
    why: 'Litecoin relays nothing below 1 satoshi for a byte; the smart chain has no least fee for what its own RPC submits',
    applies: ({ raw, theirs }) =>
      theirs === 'min relay fee not met' &&
      COIN_VALUE - paidBy(raw).reduce((total, value) => total + value, 0n) < raw.length,
  },
  {
    name: 'separator',
    why: 'Litecoin relays no script with OP_CODESEPARATOR; here the operation works where Bitcoin rules are asked for',
    applies: (compared) =>
      compared.theirs.endsWith('(Using OP_CODESEPARATOR in non-witness script)') && sameWhereMandatory(compared),
  },
  {
    name: 'signature in script',
    why: 'Litecoin relays no script that holds the very signature it checks; in a block both remove it from what is signed',
    applies: (compared) =>
      compared.theirs.endsWith('(Signature is found in scriptCode)') && sameWhereMandatory(compared),
  },
  {
    name: 'sequence',
    why: 'OP_CHECKSEQUENCEVERIFY fails in version 1 in Litecoin; on the smart chain it is OP_NOP3 and asks nothing',
    applies: (compared) =>
      usesSequence(compared.recipe) &&
      compared.theirs.endsWith('(Locktime requirement not satisfied)') &&
      sameWhereMandatory(compared),
  },
];
