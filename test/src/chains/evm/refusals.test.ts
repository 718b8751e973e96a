import { describe, expect, it } from 'vitest';
import { refusalKind } from '../../../../src/chains/evm/refusals.ts';

describe('what a refusal means', () => {
  it.each([
    [-32_601, 'the method eth_sendRawTransaction does not exist/is not available', 'unavailable'],
    [-32_000, 'method not supported', 'unavailable'],
    [-32_601, 'not supported', 'unavailable'],
    [-32_005, 'daily request rate limit exceeded: max gas queries', 'unavailable'],
    [-32_000, 'invalid api key', 'unavailable'],
    [-32_000, 'service temporarily not supported in this region', 'unavailable'],
    [-32_000, 'transaction type not supported', 'invalid'],
    [-32_000, 'invalid sender', 'invalid'],
    [-32_000, 'rlp: value size exceeds available input length', 'invalid'],
    [-32_000, 'invalid chain id for signer: have 1 want 5', 'invalid'],
    [-32_000, 'nonce too low: next nonce 7, tx nonce 6', 'nonceUsed'],
    [-32_000, 'replacement transaction underpriced', 'feeTooLow'],
    [-32_000, 'insufficient funds for gas * price + value', 'insufficientFunds'],
    [-32_000, 'something that nobody has said before', 'unavailable'],
  ])('%i %s: %s', (code, message, kind) => {
    expect(refusalKind({ code, message })).toBe(kind);
  });
});
