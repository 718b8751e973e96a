import { curve } from '../../../curve/index.ts';
import { concatBytes } from '../../../htlc/byte-writer.ts';
import { contractSwapId, decodeSwapCall, encodeSwapCall, NO_TOKEN } from '../../../htlc/evm-calls.ts';
import { decodeRewardCall, encodeRewardCall } from '../../../htlc/evm-reward-calls.ts';
import { decodeEvmTransaction, evmAddress, evmCall } from '../../../htlc/evm-transaction.ts';
import { bytesNumber, decodeRlpList, numberBytes, rlpList, rlpText } from '../../../htlc/rlp.ts';
import { scriptHash160 } from '../../../htlc/secret-hash.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { keccak256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../primitives/hex.ts';
import { DEX_FEE_ACCOUNT } from '../../../replay/audit/fees.ts';
import { plainSignature } from '../signature.ts';
import { type AccountCodec, type AccountDraft, remembered, type SwapArguments } from './codec.ts';
import { type AccountTransaction, type Call, transferTo } from './transaction.ts';

const V = 27n;
const encoder = new TextEncoder();

/** Legacy transactions of an EVM chain that call KDF's swap contract; see {@link AccountCodec}. */
export function realContractCodec(coin: string): AccountCodec {
  const contract = bytesToHex(keccak256(encoder.encode(`swap contract of ${coin}`))).slice(24);
  const addressOf = rememberedBy(accountOnChain);
  // A wallet's terms and the chain's view of a key come from separate arithmetic, as in reality.
  const named = rememberedBy((key) => evmAddress(key) ?? hashOf(key));
  return remembered({
    addressOf,
    feeAddress: DEX_FEE_ACCOUNT,
    contract,
    argumentsOf: (terms) => argumentsOf(terms, { contract, addressOf: named }),
    encode: (draft) => encode(draft, contract),
    decode: (hex) => decode(hex, contract),
  });
}

function rememberedBy(accountOf: (key: Uint8Array) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    let account = known.get(key);
    if (account === undefined) {
      if (!isHex(key)) return '';
      account = accountOf(hexToBytes(key));
      known.set(key, account);
    }
    return account;
  };
}

/** The account by which the chain knows a key. Half of all simulated keys are not points of the curve and have no account. */
function accountOnChain(key: Uint8Array): string {
  return hashOf(curve.convert(key, false)?.subarray(1) ?? key);
}

function hashOf(bytes: Uint8Array): string {
  return bytesToHex(keccak256(bytes)).slice(24);
}

const ACCOUNT_DIGITS = 40;

/** A key, or the account itself. */
function isParty(text: string): boolean {
  return text.length === 66 || text.length === ACCOUNT_DIGITS;
}

type Names = Pick<AccountCodec, 'contract' | 'addressOf'>;

function argumentsOf(terms: PaymentTerms, { contract, addressOf }: Names): SwapArguments | null {
  const { lock, secretHash, sender, receiver } = terms;
  if (terms.contract !== contract || lock > 0xffff_ffff) return null;
  if (![secretHash, sender, receiver].every(isHex) || !isParty(sender) || !isParty(receiver)) return null;
  const accountIn = (text: string) => (text.length === ACCOUNT_DIGITS ? text : addressOf(text));
  const negotiated = hexToBytes(secretHash);
  const hash = scriptHash160(negotiated);
  if (hash === undefined) return null;
  const id = contractSwapId(lock, negotiated);
  return { id, sender: accountIn(sender), receiver: accountIn(receiver), hash: bytesToHex(hash) };
}

function encode({ signer, nonce, price, gas, value, call }: AccountDraft, contract: string): AccountTransaction {
  const to = call.kind === 'transfer' ? call.party : contract;
  const unsigned = [
    numberBytes(BigInt(nonce)),
    numberBytes(BigInt(price)),
    numberBytes(BigInt(gas)),
    hexToBytes(to),
    numberBytes(value),
    hexToBytes(callData(call, { from: signer.address, value })),
  ];
  const bytes = rlpList([...unsigned, numberBytes(V), ...signatureOf(unsigned, signer.address)].map(rlpText));
  const id = bytesToHex(keccak256(bytes));
  return { id, hex: bytesToHex(bytes), from: signer.address, nonce, price, gas, value, call, signed: true };
}

/**
 * Two numbers of 32 bytes. A real signature gives the account back by arithmetic on the curve; here the first number simply ends with it, and the
 * second shows that the account signed.
 */
function signatureOf(unsigned: readonly Uint8Array[], address: string): readonly Uint8Array[] {
  const signature = plainSignature(bytesToHex(keccak256(rlpList(unsigned.map(rlpText)))), address);
  return [concatBytes([signature.subarray(0, 12), hexToBytes(address)]), signature.subarray(32)];
}

function callData(
  { reward, ...call }: Call,
  { from, value }: { readonly from: string; readonly value: bigint },
): string {
  const { kind, swap, party, amount, secret, hash, lockTime } = call;
  if (kind === 'transfer') return '';
  if (reward !== undefined) {
    const { owner, ...promised } = reward;
    const [sender, receiver] = kind === 'payment' ? [from, party] : kind === 'claim' ? [party, owner] : [owner, party];
    return encodeRewardCall({
      ...{ kind, swapId: swap, amount: kind === 'payment' ? value : amount, token: NO_TOKEN, sender, receiver },
      ...{ secretHash: kind === 'claim' ? null : hash, secret, lockTime: kind === 'payment' ? BigInt(lockTime) : null },
      reward: promised,
    });
  }
  const named = { swapId: swap, amount, token: NO_TOKEN, party };
  if (kind === 'claim') return encodeSwapCall({ kind, ...named, secret: secret ?? '' });
  if (kind === 'refund') return encodeSwapCall({ kind, ...named, secretHash: hash });
  return encodeSwapCall({ kind, ...named, secretHash: hash, lockTime: BigInt(lockTime) });
}

function decode(hex: string, contract: string): AccountTransaction | null {
  if (!isHex(hex)) return null;
  const bytes = hexToBytes(hex);
  const items = textsOf(bytes);
  const evm = decodeEvmTransaction(bytes);
  const [nonce, price, gas] = (items ?? []).map(bytesNumber).map(Number);
  if (items === null || items.length !== 9 || evm === undefined) return null;
  if (bytesNumber(items[6] as Uint8Array) !== V) return null;
  if (nonce === undefined || price === undefined || gas === undefined || evm.to === undefined) return null;
  const call = evm.data.length === 0 ? transferTo(evm.to) : swapCall(evm, contract);
  if (call === null) return null;
  const from = bytesToHex((items[7] as Uint8Array).subarray(12));
  const [r, s] = signatureOf(items.slice(0, 6), from);
  const signed = [r, s].map((part) => bytesToHex(part ?? new Uint8Array(0)));
  const found = [items[7], items[8]].map((part) => bytesToHex(part ?? new Uint8Array(0)));
  return {
    id: bytesToHex(keccak256(bytes)),
    hex,
    from,
    nonce,
    price,
    gas,
    value: evm.value,
    call,
    signed: signed.join() === found.join(),
  };
}

/** The members of a legacy transaction, all texts; null for anything else. */
function textsOf(bytes: Uint8Array): readonly Uint8Array[] | null {
  const items = decodeRlpList(bytes);
  if (items === undefined || items.some(({ isList }) => isList)) return null;
  return items.map(({ content }) => content);
}

function rewardedCall(evm: Parameters<typeof evmCall>[0], contract: string): Call | null {
  const call = decodeRewardCall(evm);
  if (call === undefined || evm.to !== contract || call.token !== NO_TOKEN) return null;
  const { kind, swapId: swap, amount, sender, receiver, secretHash, secret, lockTime, reward } = call;
  const isClaim = kind === 'claim';
  return {
    ...{ kind, swap, party: isClaim ? (sender ?? '') : receiver, amount: kind === 'payment' ? 0n : amount, secret },
    ...{ hash: secretHash ?? '', lockTime: Number(lockTime ?? 0n), lockBlocks: 0 },
    reward: { ...reward, owner: kind === 'payment' ? '' : isClaim ? receiver : (sender ?? '') },
  };
}

function swapCall(evm: Parameters<typeof evmCall>[0], contract: string): Call | null {
  const rewarded = rewardedCall(evm, contract);
  if (rewarded !== null) return rewarded;
  const call = decodeSwapCall(evm);
  if (call === undefined || evm.to !== contract || call.token !== NO_TOKEN) return null;
  const { kind, swapId, party } = call;
  const secret = kind === 'claim' ? evmCall(evm)?.words[2] : undefined;
  return {
    kind,
    swap: swapId,
    party,
    amount: kind === 'payment' ? 0n : call.amount,
    secret: secret === undefined ? null : bytesToHex(secret),
    hash: call.secretHash ?? '',
    lockTime: Number(call.lockTime ?? 0n),
    lockBlocks: 0,
  };
}
