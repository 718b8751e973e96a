import { describe, expect, it } from 'vitest';
import { isKnownAlready, refusalKind } from '../../../../src/chains/utxo/refusals.ts';

describe('what a node says when it refuses a transaction', () => {
  it.each([
    [-26, 'txn-mempool-conflict', 'noReplacement'],
    [-26, '16: mempool conflict', 'noReplacement'],
    [-26, 'insufficient fee, rejecting replacement 1f, less fees than conflicting txs', 'feeTooLow'],
    [-26, 'min relay fee not met, 100 < 191', 'feeTooLow'],
    [-26, '66: insufficient priority', 'feeTooLow'],
    [-26, 'bad-tx-low-gas-price', 'feeTooLow'],
    [-26, 'bad-txns-small-gasprice', 'feeTooLow'],
    [-26, 'non-final', 'notFinal'],
    [-26, '64: non-BIP68-final', 'notFinal'],
    [-26, 'too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]', 'tooManyAncestors'],
    [-28, 'Loading block index...', 'unavailable'],
    [-10, 'is in initial sync and waiting for blocks...', 'unavailable'],
    [-9, 'is not connected!', 'unavailable'],
    [-7, 'Out of memory', 'unavailable'],
    [-20, 'Database error', 'unavailable'],
    [-32603, 'internal error', 'unavailable'],
    [-26, 'mandatory-script-verify-flag-failed (Locktime requirement not satisfied)', 'invalid'],
    [-25, 'bad-txns-inputs-missingorspent', null],
    [-25, 'Missing inputs', null],
    [-25, '', null],
  ])('%d %s', (code, message, kind) => expect(refusalKind({ code, message })).toBe(kind));

  it.each([
    [-27, 'Transaction already in block chain', 'confirmed'],
    [-26, 'Transaction outputs already in utxo set', 'confirmed'],
    [-26, 'txn-already-in-mempool', 'known'],
    [-26, 'txn-already-known', 'known'],
    [-26, 'non-final', null],
  ])('%d %s of one that it holds', (code, message, known) => expect(isKnownAlready({ code, message })).toBe(known));
});
