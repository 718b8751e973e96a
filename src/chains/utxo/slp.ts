import { OP_RETURN, parseScript } from '../../htlc/script.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';

const LOKAD = Uint8Array.of(0x53, 0x4c, 0x50, 0x00);
const KINDS = { SEND: '53454e44', MINT: '4d494e54', GENESIS: '47454e45534953' } as const;
/** Places in the message: after OP_RETURN, the mark, the type of token and the kind. */
const KIND = 3;
const SEND_AMOUNTS = 5;
const MINT_BATON = 5;
const GENESIS_BATON = 9;

/**
 * Whether an output holds tokens of the Simple Ledger Protocol, or the right to make more, by the message of its transaction. Whoever spends it
 * as a coin destroys them. Where the message is not understood, every output behind it counts as one.
 */
export function holdsTokens(outputs: readonly TransactionOutput[], vout: number): boolean {
  const ops = outputs[0] === undefined ? undefined : parseScript(outputs[0].script);
  const mark = ops?.[1]?.data;
  if (ops?.[0]?.opcode !== OP_RETURN || mark === undefined || !sameBytes(mark, LOKAD)) return false;
  const baton = (place: number): boolean => ops[place]?.data?.[0] === vout;
  switch (bytesToHex(ops[KIND]?.data ?? new Uint8Array(0))) {
    case KINDS.SEND:
      return vout >= 1 && vout <= ops.length - SEND_AMOUNTS;
    case KINDS.MINT:
      return vout === 1 || baton(MINT_BATON);
    case KINDS.GENESIS:
      return vout === 1 || baton(GENESIS_BATON);
    default:
      return vout >= 1;
  }
}
