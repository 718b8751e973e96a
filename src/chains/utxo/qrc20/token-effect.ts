import type { PlacedCall } from '../../../htlc/contract-output.ts';
import { decodeSwapCall, ERC20_TRANSFER } from '../../../htlc/evm-calls.ts';
import { parseScript } from '../../../htlc/script.ts';
import { takenByTokenCall } from '../../../htlc/token-effect.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import type { Made } from '../made.ts';
import type { Purse } from '../purse.ts';
import type { ChainIndex } from '../reader.ts';
import { callerOf, placedCalls } from './calls.ts';

export type Owned = {
  /** 40 hex digits, as all of them. */
  readonly token: string;
  readonly account: string;
  /** Swap contracts: what they take is what their calls say, where these are written as swaps write them. */
  readonly contracts: readonly string[];
  readonly purse: Pick<Purse, 'scripts' | 'prepared'>;
  readonly index: ChainIndex;
};

type Effect = {
  /** Base units that leave the account, or that others may take then; `unknown` where the bytes do not tell. */
  readonly taken: bigint | 'unknown';
  /** Whether it may change what a swap contract is allowed to take, or takes of that. */
  readonly changesApproval: boolean;
};

const NOTHING: Effect = { taken: 0n, changesApproval: false };
const UNKNOWN: Effect = { taken: 'unknown', changesApproval: true };
const OP_CREATE = 0xc1;
const OP_CALL = 0xc2;

/**
 * What the calls of a transaction do to a token of the account: read from calls of the token itself and of the swap contracts. What any other contract would
 * do, and what a new one does when it is created, nobody can tell: an account may have allowed it something earlier.
 */
export function effectOf({ tx }: Pick<Made, 'tx'>, owned: Owned): Effect {
  const calls = placedCalls(tx);
  const read = new Set(calls.map(({ vout }) => vout));
  const isUnread = tx.outputs.some(({ script }, vout) => !read.has(vout) && endsInCall(script));
  const own = calls.filter((placed) => isOwn(tx, { ...owned, placed })).map((placed) => effectOfCall(placed, owned));
  // If a call cannot be read, its payer counts as the caller.
  if (isUnread && isOwn(tx, { ...owned, placed: {} })) own.push(UNKNOWN);
  return own.reduce(
    (sum, { taken, changesApproval }) => ({
      taken: sum.taken === 'unknown' || taken === 'unknown' ? 'unknown' : sum.taken + taken,
      changesApproval: sum.changesApproval || changesApproval,
    }),
    NOTHING,
  );
}

function effectOfCall({ contract, value, data }: PlacedCall, { token, account, contracts }: Owned): Effect {
  if (contract === token) {
    const call = bytesToHex(data);
    const changesApproval = call !== '' && !call.startsWith(ERC20_TRANSFER);
    return { taken: takenByTokenCall({ data: call, from: account, contracts }), changesApproval };
  }
  const swap = contracts.includes(contract) ? decodeSwapCall({ to: contract, value, data }) : undefined;
  if (swap === undefined) return UNKNOWN;
  const isPayment = swap.kind === 'payment' && swap.token === token;
  return { taken: isPayment ? swap.amount : 0n, changesApproval: isPayment };
}

/** Also for a call that would fail because of its form. */
function endsInCall(script: Uint8Array): boolean {
  const last = script.at(-1);
  if (last !== OP_CALL && last !== OP_CREATE) return false;
  const opcode = parseScript(script)?.at(-1)?.opcode;
  return opcode === OP_CALL || opcode === OP_CREATE;
}

type Placed = Pick<Owned, 'account' | 'purse' | 'index'> & { readonly placed: Pick<PlacedCall, 'sender'> };

/** Whether the account calls, or may: an input of a bare key shows no account, and its coin may not be known yet. */
function isOwn(tx: Made['tx'], { account, purse, index, placed }: Placed): boolean {
  const caller = callerOf(tx, placed);
  if (caller !== undefined) return caller === account;
  const [input] = tx.inputs;
  if (input === undefined) return false;
  const paid = (index.get(input.txid) ?? purse.prepared.get(input.txid))?.tx.outputs[input.vout];
  if (paid !== undefined) return purse.scripts.includes(bytesToHex(paid.script));
  return input.witness === undefined && parseScript(input.scriptSig)?.length === 1;
}
