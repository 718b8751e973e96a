import { type Hex, type Signature, serializeTransaction, type TransactionSerializable } from 'viem';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { JsonMembers } from '../accounts/json.ts';
import { isAbsent } from './json.ts';

/**
 * The bytes of a transaction from the members that a node gives, in hex; null if they do not give the id, as for unknown forms. They can be trusted:
 * no other bytes have this id.
 */
export function bytesOfTold(told: JsonMembers, id: string): string | null {
  try {
    const hex = serializeTransaction(unsignedOf(told), signatureOf(told)).slice(2);
    return bytesToHex(keccak256(hexToBytes(hex))) === id ? hex : null;
  } catch {
    return null;
  }
}

function unsignedOf(told: JsonMembers): TransactionSerializable {
  const number = (name: string) => BigInt(told[name] as Hex);
  const common = {
    nonce: Number(number('nonce')),
    gas: number('gas'),
    value: number('value'),
    data: told['input'] as Hex,
    ...(isAbsent(told['to']) ? {} : { to: told['to'] as Hex }),
    ...(isAbsent(told['chainId']) ? {} : { chainId: Number(number('chainId')) }),
  };
  const type = isAbsent(told['type']) ? 0 : Number(told['type']);
  if (type === 0) return { ...common, type: 'legacy', gasPrice: number('gasPrice') };
  const accessList = (told['accessList'] ?? []) as [];
  const chainId = Number(number('chainId'));
  if (type === 1) return { ...common, chainId, type: 'eip2930', gasPrice: number('gasPrice'), accessList };
  const prices = { maxFeePerGas: number('maxFeePerGas'), maxPriorityFeePerGas: number('maxPriorityFeePerGas') };
  if (type === 2) return { ...common, ...prices, chainId, type: 'eip1559', accessList };
  if (type !== 4) throw new Error(`transactions of type ${type} can be read only from their bytes`);
  const authorizationList = (told['authorizationList'] as readonly JsonMembers[]).map((one) => ({
    chainId: Number(one['chainId']),
    address: one['address'] as Hex,
    nonce: Number(one['nonce']),
    r: one['r'] as Hex,
    s: one['s'] as Hex,
    yParity: Number(one['yParity']),
  }));
  return { ...common, ...prices, chainId, type: 'eip7702', accessList, authorizationList };
}

function signatureOf(told: JsonMembers): Signature {
  const v = isAbsent(told['v']) ? undefined : BigInt(told['v'] as Hex);
  const yParity = isAbsent(told['yParity']) ? undefined : Number(told['yParity']);
  const parts = { r: told['r'] as Hex, s: told['s'] as Hex, ...(yParity === undefined ? {} : { yParity }) };
  return (v === undefined ? parts : { ...parts, v }) as Signature;
}
