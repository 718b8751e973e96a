import { storedKey } from '../../htlc/keys.ts';
import { bytesToHex, hexToBytes, isAlteredCopy, isHex } from '../../primitives/hex.ts';
import type { SwapRule } from './rule.ts';
import { type Fields, isZeroHex, textField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';

/** The peer-to-peer id of the other party against its key. */
export const peerIdRule: SwapRule = {
  check: 'counterparty-id',
  describes:
    "The peer-to-peer id of the other party is its public key without the parity byte; where that key is hidden behind zeros, it is held against the party's keys for both coins. A node may have another key for messages; an id that agrees in most of its bytes is a changed one.",
  source: 'KDF stored swaps: event payloads, negotiation',
  run: (swap, findings) => {
    const { startedSeq: seq, negotiatedSeq } = swap;
    if (seq === undefined || negotiatedSeq === undefined) return;
    const other = swap.role === 'taker' ? 'maker' : 'taker';
    const id = textField(swap.started, other);
    const key = textField(swap.negotiated, `${other}_pubkey`);
    if (id === undefined || isZeroHex(id) || !isHex(id)) findings.notCheckable(seq, 'the log does not hold the id');
    else if (key !== undefined && isHex(key) && !isZeroHex(key)) {
      const expected = key.slice(2);
      if (expected === id) findings.verified(seq, id);
      else if (isAlteredCopy(hexToBytes(expected), hexToBytes(id))) findings.violated(seq, { expected, found: id });
      else findings.notCheckable(seq, 'the other party has another key for messages');
    } else {
      const coinKeys = ['maker_coin_htlc_pubkey', 'taker_coin_htlc_pubkey']
        .map((name) => storedKey(textField(swap.negotiated, name)))
        .flatMap((bytes) => (bytes === undefined ? [] : [bytesToHex(bytes).slice(2)]));
      if (coinKeys.length > 0 && coinKeys.every((coinKey) => coinKey === id)) findings.verified(seq, id);
      else findings.notCheckable(seq, "the other party's key is hidden, and its keys for the coins are others");
    }
  },
};

type StoredKey = { readonly name: string; readonly seq: number | undefined; readonly key: string | undefined };

/** Keys of the parties, which are of secp256k1 whatever the coins, and keys for a coin, which may be of another curve. */
function storedKeys(swap: AuditedSwap): { readonly own: readonly StoredKey[]; readonly ofCoins: readonly StoredKey[] } {
  const { started, startedSeq, negotiated, negotiatedSeq } = swap;
  const other = swap.role === 'taker' ? 'maker_pubkey' : 'taker_pubkey';
  const read = (fields: Fields, name: string, seq: number | undefined) => ({ name, seq, key: textField(fields, name) });
  return {
    own: [read(started, 'my_persistent_pub', startedSeq), read(negotiated, other, negotiatedSeq)],
    ofCoins: ['maker_coin_htlc_pubkey', 'taker_coin_htlc_pubkey'].flatMap((name) => [
      read(started, name, startedSeq),
      read(negotiated, name, negotiatedSeq),
    ]),
  };
}

/** The form of the keys. */
export const keyFormRule: SwapRule = {
  check: 'key-form',
  describes:
    'Every public key starts with 02 or 03, as a compressed one of secp256k1 does, or is hidden behind zeros; a key for a coin may be of another curve.',
  source: 'SEC 1, compressed points; KDF stored swaps: event payloads',
  run: (swap, findings) => {
    const { own, ofCoins } = storedKeys(swap);
    for (const { name, seq, key } of [...own, ...ofCoins]) {
      if (seq === undefined || key === undefined || isZeroHex(key)) continue;
      const first = key.slice(0, 2);
      if (first === '02' || first === '03') findings.verified(seq, name);
      else if (own.some((one) => one.name === name)) {
        findings.violated(seq, { expected: `${name} with 02 or 03 as its first byte`, found: first });
      } else findings.notCheckable(seq, `${name} starts with ${first}, and may be of another curve`);
    }
  },
};
