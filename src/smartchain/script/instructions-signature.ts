import { OP_CHECKSIG } from '../../htlc/script.ts';
import type { ScriptError } from './errors.ts';
import {
  conclude,
  type InstructionTable,
  MAX_MULTISIG_KEYS,
  MAX_OPERATIONS,
  type Machine,
  peek,
  peekNumber,
  pop,
} from './machine.ts';
import {
  OP_CHECKCRYPTOCONDITION,
  OP_CHECKCRYPTOCONDITIONVERIFY,
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSIGVERIFY,
} from './opcodes.ts';
import { scriptCodeOf } from './script-code.ts';
import { keyEncodingProblem, signatureEncodingProblem } from './signature-encoding.ts';

type Check = {
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly scriptCode: Uint8Array;
};

function check({ flags, checker }: Machine, question: Check): boolean | ScriptError {
  const { signature, publicKey } = question;
  const problem = signatureEncodingProblem(signature, flags) ?? keyEncodingProblem(publicKey, flags);
  return problem ?? (signature.length > 0 && checker.checkSignature(question));
}

function checkSignature(machine: Machine, opcode: number): ScriptError | undefined {
  const signature = peek(machine, 1);
  const scriptCode = scriptCodeOf(machine, [signature]);
  const verdict = check(machine, { signature, publicKey: peek(machine), scriptCode });
  if (typeof verdict === 'string') return verdict;
  if (!verdict && machine.flags.nullFail && signature.length > 0) return 'NULLFAIL';
  machine.stack.length -= 2;
  return conclude(machine, verdict, opcode === OP_CHECKSIGVERIFY ? 'CHECKSIGVERIFY' : undefined);
}

type Multisig = {
  /** The last of the script first, as they are tried. */
  readonly signatures: readonly Uint8Array[];
  readonly keys: readonly Uint8Array[];
};

/** Takes keys and signatures with their counts off the stack. */
function takeMultisig(machine: Machine): Multisig | ScriptError {
  const keyCount = peekNumber(machine);
  if (keyCount === undefined) return 'UNKNOWN_ERROR';
  if (keyCount < 0 || keyCount > MAX_MULTISIG_KEYS) return 'PUBKEY_COUNT';
  machine.operations += keyCount;
  if (machine.operations > MAX_OPERATIONS) return 'OP_COUNT';
  if (machine.stack.length < keyCount + 2) return 'INVALID_STACK_OPERATION';
  const signatureCount = peekNumber(machine, keyCount + 1);
  if (signatureCount === undefined) return 'UNKNOWN_ERROR';
  if (signatureCount < 0 || signatureCount > keyCount) return 'SIG_COUNT';
  // Bitcoin's first program took one element too much, and all its descendants have to.
  if (machine.stack.length < keyCount + signatureCount + 3) return 'INVALID_STACK_OPERATION';
  pop(machine);
  const keys = takeTop(machine, keyCount);
  pop(machine);
  return { keys, signatures: takeTop(machine, signatureCount) };
}

function takeTop({ stack }: Machine, count: number): readonly Uint8Array[] {
  return stack.splice(stack.length - count, count).reverse();
}

function checkMultisig(machine: Machine, opcode: number): ScriptError | undefined {
  const taken = takeMultisig(machine);
  if (typeof taken === 'string') return taken;
  const verdict = enoughSignatures(machine, taken);
  if (typeof verdict === 'string') return verdict;
  const { nullFail, nullDummy } = machine.flags;
  if (!verdict && nullFail && taken.signatures.some(({ length }) => length > 0)) return 'NULLFAIL';
  const superfluous = pop(machine);
  if (nullDummy && superfluous.length > 0) return 'SIG_NULLDUMMY';
  return conclude(machine, verdict, opcode === OP_CHECKMULTISIGVERIFY ? 'CHECKMULTISIGVERIFY' : undefined);
}

/** Whether each signature fits a key, both in the same order. Ends as soon as fewer keys than signatures are left. */
function enoughSignatures(machine: Machine, { signatures, keys }: Multisig): boolean | ScriptError {
  const scriptCode = scriptCodeOf(machine, signatures);
  let signed = 0;
  for (const [tried, publicKey] of keys.entries()) {
    const signature = signatures[signed];
    if (signature === undefined) return true;
    if (signatures.length - signed > keys.length - tried) return false;
    const verdict = check(machine, { signature, publicKey, scriptCode });
    if (typeof verdict === 'string') return verdict;
    if (verdict) signed += 1;
  }
  return signed === signatures.length;
}

function checkCondition(machine: Machine, opcode: number): ScriptError | undefined {
  if (!machine.flags.cryptoConditions) return 'BAD_OPCODE';
  if (machine.stack.length < 2) return 'INVALID_STACK_OPERATION';
  const condition = pop(machine);
  const fulfillment = pop(machine);
  const question = { condition, fulfillment, scriptCode: machine.script };
  const verdict = fulfillment.length === 0 ? 'false' : machine.checker.checkCryptoCondition(question);
  if (verdict === 'invalid') return 'CRYPTOCONDITION_INVALID_FULFILLMENT';
  const verify = opcode === OP_CHECKCRYPTOCONDITIONVERIFY ? 'CRYPTOCONDITION_VERIFY' : undefined;
  return conclude(machine, verdict === 'ok', verify);
}

/** Operations that ask the checker. */
export const SIGNATURES: InstructionTable = [
  [OP_CHECKSIG, { needs: 2, run: checkSignature }],
  [OP_CHECKSIGVERIFY, { needs: 2, run: checkSignature }],
  [OP_CHECKMULTISIG, { needs: 1, run: checkMultisig }],
  [OP_CHECKMULTISIGVERIFY, { needs: 1, run: checkMultisig }],
  // These two look at the stack themselves: where they are unknown, what it holds does not matter.
  [OP_CHECKCRYPTOCONDITION, { needs: 0, run: checkCondition }],
  [OP_CHECKCRYPTOCONDITIONVERIFY, { needs: 0, run: checkCondition }],
];
