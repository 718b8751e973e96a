import { RECEIVER_SPEND } from '../../htlc/evm-calls.ts';
import { evmCall } from '../../htlc/evm-transaction.ts';
import { secretHashMatches } from '../../htlc/secret-hash.ts';
import { hash160, sha256 } from '../../primitives/hash.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import type { SwapRule } from './rule.ts';
import { bytesField, fieldsOf, isZeroHex, textField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';
import { takenLock } from './taken-locks.ts';
import { type LoggedTransaction, notUtxo } from './transactions.ts';

/** A report shows hashes alone: a maker's secret may still be worth money. */
function hashLike(secret: Uint8Array, hash: Uint8Array): string {
  return bytesToHex(hash.length === 32 ? sha256(secret) : hash160(secret));
}

/** The stored secret against the negotiated hash. */
export const secretRule: SwapRule = {
  check: 'secret',
  describes:
    'The stored secret hashes to the negotiated secret hash: HASH160 where that has 20 bytes, SHA-256 where it has 32. A secret of zeros is a hidden one.',
  source: 'KDF stored swaps: event payloads',
  run: (swap, findings) => {
    const holders = swap.role === 'taker' ? swap.all('TakerPaymentSpent') : swap.all('Started').slice(0, 1);
    const hash = swap.role === 'taker' ? swap.secretHash : bytesField(swap.started, 'secret_hash');
    for (const { seq, data } of holders) {
      const text = textField(fieldsOf(data), 'secret');
      const secret = bytesField(fieldsOf(data), 'secret');
      if (text === undefined || secret === undefined || isZeroHex(text)) {
        findings.notCheckable(seq, 'the secret is hidden or absent');
      } else if (hash === undefined) findings.notCheckable(seq, 'the log stores no hash beside the secret');
      else if (secretHashMatches(secret, hash)) findings.verified(seq, bytesToHex(hash));
      else findings.violated(seq, { expected: bytesToHex(hash), found: hashLike(secret, hash) });
    }
  },
};

/** The length of the negotiated hash. */
export const secretHashFormRule: SwapRule = {
  check: 'secret-hash-form',
  describes: 'The secret hash has 20 bytes (HASH160) or 32 bytes (SHA-256): both parties refuse any other.',
  source: 'KDF stored swaps: negotiation, check 8',
  run: (swap, findings) => {
    const taker = swap.role === 'taker';
    const seq = taker ? swap.negotiatedSeq : swap.startedSeq;
    if (seq === undefined) return;
    const secretHash = bytesField(taker ? swap.negotiated : swap.started, 'secret_hash');
    if (secretHash === undefined) findings.notCheckable(seq, 'the log stores no secret hash');
    else if (secretHash.length === 20 || secretHash.length === 32) findings.verified(seq, `${secretHash.length} bytes`);
    else findings.violated(seq, { expected: '20 or 32 bytes', found: `${secretHash.length} bytes` });
  },
};

/** The secret inside of every claim. */
export const claimSecretRule: SwapRule = {
  check: 'claim-secret',
  describes:
    'The secret inside of every claim, in the input script or in the call of the swap contract, is the stored one and hashes to the secret hash.',
  source: 'KDF stored swaps: HTLC on UTXO; EVM swap contract',
  run: (swap, findings) => {
    for (const claim of swap.transactions) {
      if (claim.use.kind !== 'claim') continue;
      const revealed = revealedSecret(claim);
      if (revealed === undefined) findings.notCheckable(claim.seq, noSecret(claim));
      else judge(swap, { revealed, seq: claim.seq }, findings);
    }
  },
};

function judge(
  swap: AuditedSwap,
  { revealed, seq }: { readonly revealed: Uint8Array; readonly seq: number },
  findings: Parameters<SwapRule['run']>[1],
): void {
  const { secret, secretHash } = swap;
  if (secret !== undefined && !sameBytes(secret, revealed)) {
    findings.violated(seq, {
      expected: bytesToHex(hash160(secret)),
      found: bytesToHex(hash160(revealed)),
      reason: 'HASH160 of the stored and of the revealed secret',
    });
  } else if (secretHash === undefined) findings.notCheckable(seq, 'the log stores neither the secret nor its hash');
  else if (secretHashMatches(revealed, secretHash)) findings.verified(seq, bytesToHex(secretHash));
  else findings.violated(seq, { expected: bytesToHex(secretHash), found: hashLike(revealed, secretHash) });
}

function revealedSecret({ utxo, evm }: LoggedTransaction): Uint8Array | undefined {
  if (evm !== undefined) {
    const call = evmCall(evm);
    return call?.selector === RECEIVER_SPEND ? call.words[2] : undefined;
  }
  for (const scripts of utxo?.inputs ?? []) {
    const input = takenLock(scripts);
    if (input?.kind === 'spend') return input.secret;
  }
  return undefined;
}

function noSecret(claim: LoggedTransaction): string {
  if (claim.utxo !== undefined) return 'no input reveals a secret';
  return claim.evm === undefined ? notUtxo(claim) : 'the call reveals no secret where the swap contract takes it';
}
