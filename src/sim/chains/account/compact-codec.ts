import type { PaymentTerms } from '../../../ports/chain.ts';
import { hex8, hexAmount, mixHex, shortAddress } from '../mix.ts';
import type { AccountCodec, AccountDraft, SwapArguments } from './codec.ts';
import { remembered } from './codec.ts';
import { readFields, type Widths, writeFields } from './fields.ts';
import type { AccountTransaction } from './transaction.ts';

const MARK = 'ac';
const WIDTHS: Widths = { address: 16, swap: 16 };
const SIGNATURE_DIGITS = 16;

type Part = Pick<AccountCodec, 'contract' | 'argumentsOf'>;

/** Short bytes of a chain with a swap contract that goes by time; see {@link AccountCodec}. */
export function compactContractCodec(coin: string): AccountCodec {
  const contract = mixHex(`${coin} contract`) + mixHex(`${coin} swap`) + mixHex(coin).slice(0, 8);
  return compactCodec({
    contract,
    argumentsOf: (terms) => {
      const { lock, secretHash } = terms;
      if (terms.contract !== contract || !isSound(terms, [40, 64])) return null;
      return argumentsOf(terms, mixHex(hex8(lock) + secretHash));
    },
  });
}

/** Short bytes of a chain that locks by blocks and refunds automatically; see {@link AccountCodec}. */
export function compactModuleCodec(): AccountCodec {
  return compactCodec({
    contract: null,
    argumentsOf: (terms, amount) => {
      if (!isSound(terms, [64])) return null;
      const { secretHash, sender, receiver } = terms;
      const parties = shortAddress(sender) + shortAddress(receiver);
      return argumentsOf(terms, mixHex(secretHash + parties + hexAmount(amount, 2)));
    },
  });
}

function isSound({ lock, secretHash, sender, receiver }: PaymentTerms, hashDigits: readonly number[]): boolean {
  return lock <= 0xffff_ffff && isParty(sender) && isParty(receiver) && hashDigits.includes(secretHash.length);
}

/** A key, or the account itself. */
function isParty(text: string): boolean {
  return text.length === 66 || text.length === WIDTHS.address;
}

function accountIn(text: string): string {
  return text.length === WIDTHS.address ? text : shortAddress(text);
}

function argumentsOf({ secretHash, sender, receiver }: PaymentTerms, id: string): SwapArguments {
  return { id, sender: accountIn(sender), receiver: accountIn(receiver), hash: secretHash };
}

function compactCodec(part: Part): AccountCodec {
  return remembered({
    addressOf: shortAddress,
    feeAddress: shortAddress('trading fee'),
    ...part,
    encode,
    decode,
  });
}

function encode(draft: AccountDraft): AccountTransaction {
  const { signer, nonce, price, gas, value, call } = draft;
  const text = writeFields(draft, WIDTHS);
  const digest = mixHex(text);
  const signature = mixHex(digest + signer.address);
  const hex = MARK + text + signature;
  return { id: idOf(digest, signature), hex, from: signer.address, nonce, price, gas, value, call, signed: true };
}

function idOf(digest: string, signature: string): string {
  const short = mixHex(digest + signature);
  return short + short + short + short;
}

function decode(hex: string): AccountTransaction | null {
  if (!hex.startsWith(MARK)) return null;
  const end = hex.length - SIGNATURE_DIGITS;
  const text = hex.slice(MARK.length, end);
  const fields = readFields(text, WIDTHS);
  if (fields === null) return null;
  const digest = mixHex(text);
  const signature = hex.slice(end);
  return { id: idOf(digest, signature), hex, ...fields, signed: signature === mixHex(digest + fields.from) };
}
