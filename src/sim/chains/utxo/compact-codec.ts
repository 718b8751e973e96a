import type { PaymentTerms } from '../../../ports/chain.ts';
import { hex2, hex8, hexAmount, mixHex, shortAddress } from '../mix.ts';
import { secretMatches } from '../secret-check.ts';
import type { DraftInput, HtlcScript, UtxoCodec, UtxoDraft } from './codec.ts';
import type { OutputKind, Unlock, UtxoInput, UtxoOutput, UtxoTransaction } from './transaction.ts';

// Hex of: a mark; the part that is signed (lock time, inputs, outputs); one unlocking per input. An address, the identity of
// a script and a signature have 8 bytes each; an id is the same 8 bytes four times, and inside of bytes they stand once.
const MARK = 'c0';
const KINDS: readonly OutputKind[] = ['key', 'htlc', 'dexFee', 'burn', 'data'];
const WAYS: readonly Unlock['by'][] = ['key', 'secret', 'refund', 'bare'];
const AMOUNT_DIGITS = 16;
const MIX_DIGITS = 16;
const SECRET_DIGITS = 64;
const NOTHING = '0'.repeat(MIX_DIGITS);

/** A codec of short bytes for simulations by the million; see {@link UtxoCodec}. */
export function compactUtxoCodec(): UtxoCodec {
  const known = new Map<string, UtxoTransaction>();
  const remember = (transaction: UtxoTransaction) => {
    known.set(transaction.hex, transaction);
    return transaction;
  };
  return {
    addressOf: shortAddress,
    nameOf: (swap) => mixHex(swap),
    scriptOf,
    encode: (draft) => remember(encode(draft)),
    decode: (hex) => {
      const found = known.get(hex);
      if (found !== undefined) return found;
      const decoded = decode(hex);
      return decoded === null ? null : remember(decoded);
    },
    complete: (preimage, secret) => {
      const hex = completed(known.get(preimage) ?? decode(preimage), secret);
      const decoded = hex === null ? null : decode(hex);
      return decoded === null ? null : remember(decoded);
    },
  };
}

function scriptOf(terms: PaymentTerms): HtlcScript | null {
  const { lock, secretHash, sender, receiver } = terms;
  if (lock > 0xffff_ffff || sender.length !== 66 || receiver.length !== 66) return null;
  if (secretHash.length !== 40 && secretHash.length !== 64) return null;
  return htlcScript({ lockTime: lock, secretHash, sender: shortAddress(sender), receiver: shortAddress(receiver) });
}

function htlcScript(parts: Omit<HtlcScript, 'id' | 'text'>): HtlcScript {
  const { lockTime, secretHash, sender, receiver } = parts;
  const text = hex8(lockTime) + hex2(secretHash.length >> 1) + secretHash + sender + receiver;
  return { id: mixHex(text), text, lockTime, secretHash, sender, receiver };
}

function encode({ lockTime, inputs, outputs }: UtxoDraft): UtxoTransaction {
  let body = hex8(lockTime) + hex2(inputs.length);
  for (const { txid, vout, final } of inputs) body += txid.slice(0, MIX_DIGITS) + hex2(vout) + (final ? '01' : '00');
  body += hex2(outputs.length);
  for (const { kind, value, lock } of outputs) {
    body += hex2(KINDS.indexOf(kind)) + hexAmount(value, AMOUNT_DIGITS) + (lock === '' ? NOTHING : lock);
  }
  const digest = mixHex(body);
  let witness = '';
  const unlocked: UtxoInput[] = [];
  for (const input of inputs) {
    const signature = mixHex(digest + input.signer.address);
    witness += unlocking(input, signature);
    const { txid, vout, final } = input;
    unlocked.push({ txid, vout, final, unlock: unlockOf(input) });
  }
  return { id: idOf(digest, witness), hex: MARK + body + witness, inputs: unlocked, outputs, lockTime };
}

function idOf(digest: string, witness: string): string {
  const short = mixHex(digest + witness);
  return short + short + short + short;
}

function unlocking(input: DraftInput, signature: string): string {
  if (input.by === 'key') return `00${signature}${input.signer.address}`;
  const head = hex2(WAYS.indexOf(input.by)) + signature + input.script.text;
  return input.by === 'secret' ? head + input.secret : head;
}

function unlockOf(input: DraftInput): Unlock {
  const { by, signer } = input;
  if (by === 'key') return keyUnlock(signer.address, true);
  const secret = by === 'secret' ? input.secret : null;
  return htlcUnlock({ by, script: input.script, secret, signed: signer.address === holderOf(by, input.script) });
}

function keyUnlock(address: string, signed: boolean): Unlock {
  return { by: 'key', lock: address, signer: address, signed, secret: null, hashed: false, lockTime: 0 };
}

function holderOf(by: Unlock['by'], script: HtlcScript): string {
  return by === 'refund' ? script.sender : script.receiver;
}

type HtlcUnlocking = {
  readonly by: Unlock['by'];
  readonly script: HtlcScript;
  readonly secret: string | null;
  readonly signed: boolean;
};

function htlcUnlock({ by, script, secret, signed }: HtlcUnlocking): Unlock {
  return {
    by,
    lock: script.id,
    signer: holderOf(by, script),
    signed,
    secret,
    hashed: secret !== null && secretMatches(secret, script.secretHash),
    lockTime: script.lockTime,
  };
}

/** A cursor over hex digits; past the end it yields empty texts, which no field accepts. */
type Cursor = { readonly hex: string; at: number };

function take(cursor: Cursor, digits: number): string {
  const text = cursor.hex.slice(cursor.at, cursor.at + digits);
  cursor.at += digits;
  return text;
}

function takeNumber(cursor: Cursor, digits: number): number {
  return Number.parseInt(take(cursor, digits), 16);
}

function decode(hex: string): UtxoTransaction | null {
  if (!hex.startsWith(MARK) || (hex.length & 1) === 1 || !/^[0-9a-f]*$/.test(hex)) return null;
  const cursor: Cursor = { hex, at: MARK.length };
  const lockTime = takeNumber(cursor, 8);
  const sources: Omit<UtxoInput, 'unlock'>[] = [];
  for (let left = takeNumber(cursor, 2); left > 0; left--) {
    const txid = take(cursor, MIX_DIGITS).repeat(4);
    sources.push({ txid, vout: takeNumber(cursor, 2), final: take(cursor, 2) === '01' });
  }
  const outputs: UtxoOutput[] = [];
  for (let left = takeNumber(cursor, 2); left > 0; left--) {
    const kind = KINDS[takeNumber(cursor, 2)];
    const digits = take(cursor, AMOUNT_DIGITS);
    const lock = take(cursor, MIX_DIGITS);
    if (kind === undefined || lock.length !== MIX_DIGITS) return null;
    outputs.push({ kind, value: BigInt(`0x${digits}`), lock: lock === NOTHING ? '' : lock });
  }
  if (outputs.length === 0 || cursor.at > hex.length) return null;
  const digest = mixHex(hex.slice(MARK.length, cursor.at));
  const witness = hex.slice(cursor.at);
  const inputs: UtxoInput[] = [];
  for (const source of sources) {
    const unlock = takeUnlock(cursor, digest);
    if (unlock === null) return null;
    inputs.push({ txid: source.txid, vout: source.vout, final: source.final, unlock });
  }
  if (cursor.at !== hex.length) return null;
  return { id: idOf(digest, witness), hex, inputs, outputs, lockTime };
}

function takeUnlock(cursor: Cursor, digest: string): Unlock | null {
  const by = WAYS[takeNumber(cursor, 2)];
  const signature = take(cursor, MIX_DIGITS);
  if (by === undefined) return null;
  if (by === 'key') {
    const address = take(cursor, MIX_DIGITS);
    return keyUnlock(address, signature === mixHex(digest + address));
  }
  const lockTime = takeNumber(cursor, 8);
  const secretHash = take(cursor, 2 * takeNumber(cursor, 2));
  const script = htlcScript({
    lockTime,
    secretHash,
    sender: take(cursor, MIX_DIGITS),
    receiver: take(cursor, MIX_DIGITS),
  });
  const secret = by === 'secret' ? take(cursor, SECRET_DIGITS) : null;
  return htlcUnlock({ by, script, secret, signed: signature === mixHex(digest + holderOf(by, script)) });
}

/** The hex of a preimage with the secret filled in; null if it is not one. */
function completed(preimage: UtxoTransaction | null, secret: string): string | null {
  if (preimage === null || secret.length !== SECRET_DIGITS) return null;
  const { hex, inputs } = preimage;
  const [input] = inputs;
  if (input === undefined || inputs.length !== 1 || input.unlock.by !== 'bare') return null;
  // The kind of unlocking stands where the only unlocking starts: after the mark, the lock time, the only input and the
  // outputs.
  const start = MARK.length + 8 + 2 + MIX_DIGITS + 4 + 2 + preimage.outputs.length * (2 + AMOUNT_DIGITS + MIX_DIGITS);
  return hex.slice(0, start) + hex2(WAYS.indexOf('secret')) + hex.slice(start + 2) + secret;
}
