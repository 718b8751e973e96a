import { decodeTransfer } from '../../htlc/evm-calls.ts';
import { OP_RETURN, p2pkhScript, parseScript } from '../../htlc/script.ts';
import type { DecodedTransaction, TransactionInput } from '../../htlc/transaction.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { decodeBase58 } from './base58.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import { takenLock } from './taken-locks.ts';
import type { LoggedTransaction } from './transactions.ts';

const HASH_BYTES = 20;

/** Addresses that releases of 2019 and 2020 stored with a transaction. */
export const detailAddressesRule: SwapRule = {
  check: 'transaction-addresses',
  describes:
    'Addresses that releases of 2019 and 2020 stored beside a transaction are those of its inputs and outputs, with a right checksum.',
  source: 'KDF stored swaps: shape history, 2020-11-16',
  run: (swap, findings) => {
    for (const transaction of swap.transactions) {
      for (const member of ['from', 'to'] as const) {
        const listed = transaction.stored[member];
        if (!Array.isArray(listed) || listed.length === 0) continue;
        const known = knownHashes(transaction, member);
        if (known === undefined) continue;
        judge(listed, { transaction, known, member }, findings);
      }
    }
  },
};

/** Chains whose addresses have the checksum of another hash. */
const OTHER_CHECKSUM = new Set(['GRS', 'SMART']);

type Side = {
  readonly transaction: LoggedTransaction;
  readonly known: ReadonlySet<string>;
  readonly member: 'from' | 'to';
};

function judge(listed: readonly unknown[], { transaction, known, member }: Side, findings: Findings): void {
  const { seq, stored } = transaction;
  const checksummed = !OTHER_CHECKSUM.has(String(stored['coin']));
  const read = listed.map((address) => ({ address: String(address), ...addressHash(address) }));
  const wrong = read.find(({ hash, checksumRight }) => {
    return hash !== undefined && (!known.has(hash) || (checksummed && !checksumRight));
  });
  if (wrong !== undefined) {
    const expected = `an address of ${[...known].join(' or ')}`;
    findings.violated(seq, { expected, found: wrong.address, reason: member });
  } else if (read.some(({ hash }) => hash === undefined)) {
    findings.notCheckable(seq, `${member} holds an address of another form`);
  } else findings.verified(seq, `${member}, ${listed.length} addresses`);
}

/** The hash in an address, as hex; undefined for an unsupported form. */
function addressHash(address: unknown): { readonly hash: string | undefined; readonly checksumRight: boolean } {
  if (typeof address === 'string' && address.startsWith('0x')) {
    return { hash: address.slice(2).toLowerCase(), checksumRight: true };
  }
  const read = typeof address === 'string' ? decodeBase58(address) : undefined;
  if (read === undefined || read.payload.length <= HASH_BYTES) return { hash: undefined, checksumRight: false };
  return { hash: bytesToHex(read.payload.subarray(-HASH_BYTES)), checksumRight: read.checksumRight };
}

/** Hashes of the addresses on one side of a transaction; undefined if one of them is unknown. */
function knownHashes({ utxo, evm }: LoggedTransaction, side: 'from' | 'to'): ReadonlySet<string> | undefined {
  if (evm !== undefined) {
    const to = side === 'to' ? decodeTransfer(evm)?.to : undefined;
    return to === undefined || evm.to === undefined ? undefined : new Set([to, evm.to]);
  }
  if (utxo === undefined || utxo.shielded !== undefined || utxo.format === 'segwit') return undefined;
  const hashes = side === 'to' ? outputHashes(utxo) : utxo.inputs.map(inputHash);
  return hashes.includes(undefined) ? undefined : new Set(hashes as readonly string[]);
}

function outputHashes({ outputs }: DecodedTransaction): readonly (string | undefined)[] {
  return outputs
    .filter(({ script }) => script.length > 0 && script[0] !== OP_RETURN)
    .map(({ script }) => {
      if (script.length === P2PKH_BYTES) {
        const hash = script.subarray(3, 3 + HASH_BYTES);
        return bytesToHex(p2pkhScript(hash)) === bytesToHex(script) ? bytesToHex(hash) : undefined;
      }
      return script.length === P2SH_BYTES ? bytesToHex(script.subarray(2, 2 + HASH_BYTES)) : undefined;
    });
}

const P2PKH_BYTES = 25;
const P2SH_BYTES = 23;

function inputHash(input: TransactionInput): string | undefined {
  const lock = takenLock(input);
  if (lock !== undefined) return bytesToHex(hash160(lock.redeemScript));
  const ops = parseScript(input.scriptSig);
  const key = ops?.[1]?.data;
  return ops?.length === 2 && (key?.length === 33 || key?.length === 65) ? bytesToHex(hash160(key)) : undefined;
}
