import { sha1 } from '@noble/hashes/legacy.js';
import { OP_EQUAL, OP_EQUALVERIFY, OP_HASH160 } from '../../htlc/script.ts';
import { hash160, hash256, ripemd160, sha256 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';
import type { ScriptError } from './errors.ts';
import { conclude, type InstructionTable, type Machine, pop } from './machine.ts';
import { OP_HASH256, OP_RIPEMD160, OP_SHA1, OP_SHA256 } from './opcodes.ts';

function hashing(hash: (bytes: Uint8Array) => Uint8Array) {
  const run = (machine: Machine): undefined => {
    machine.stack.push(hash(pop(machine)));
  };
  return { needs: 1, run };
}

function equal(machine: Machine, opcode: number): ScriptError | undefined {
  const verdict = sameBytes(pop(machine), pop(machine));
  return conclude(machine, verdict, opcode === OP_EQUALVERIFY ? 'EQUALVERIFY' : undefined);
}

/** Hashes and the comparison of bytes. */
export const HASHES: InstructionTable = [
  [OP_EQUAL, { needs: 2, run: equal }],
  [OP_EQUALVERIFY, { needs: 2, run: equal }],
  [OP_RIPEMD160, hashing(ripemd160)],
  [OP_SHA1, hashing(sha1)],
  [OP_SHA256, hashing(sha256)],
  [OP_HASH160, hashing(hash160)],
  [OP_HASH256, hashing(hash256)],
];
