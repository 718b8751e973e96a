import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentTerms, PaymentView } from '../../../src/ports/chain.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { checkedAnswer } from '../../../src/runtime/check-answer.ts';
import type { Question } from '../../../src/runtime/command.ts';

const SECRET = 'ab'.repeat(32);

function termsWith(secretHash: string): PaymentTerms {
  return {
    lock: 1_700_015_600 as UnixSeconds,
    secretHash,
    sender: `02${'01'.repeat(32)}`,
    receiver: `03${'02'.repeat(32)}`,
    amount: '1.5' as DecimalText,
    contract: null,
  };
}

const TERMS = termsWith(bytesToHex(hash160(hexToBytes(SECRET))));
const TX = { tx_hex: '00'.repeat(100), tx_hash: 'cd'.repeat(32) };

function spentWith(secret: string | null): PaymentView {
  return {
    funding: { tx: TX, confirmations: 3 },
    problem: null,
    spend: { how: 'secret', tx: TX, confirmations: 1, secret },
    refundable: false,
    clock: 1_700_000_000 as UnixSeconds,
    height: 1000,
  };
}

const QUESTIONS: readonly Question[] = [
  { op: 'quote' },
  { op: 'payment', query: { terms: TERMS } },
  { op: 'transaction', hash: 'ef'.repeat(32) },
  { op: 'checkFee', check: {} as never },
  { op: 'prepare', request: {} as never },
  { op: 'broadcast', transaction: {} as never },
];

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 4 });

describe('an answer of an adapter', () => {
  it('of any form never throws, and counts only in the form of the port', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUESTIONS), anything, fc.boolean(), (question, value, ok) => {
        for (const answer of [value, { ok, value, fault: value }, { ok, value: { ...(value as object) } }]) {
          const { ok: taken, ...rest } = checkedAnswer(question, answer);
          if (!taken) expect(rest).toMatchObject({ fault: { kind: expect.any(String), message: expect.any(String) } });
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('that throws when it is read is a fault', () => {
    const thrower = Object.defineProperty({}, 'ok', {
      get: () => {
        throw new Error('no');
      },
    });
    for (const answer of [thrower, undefined, null, 5, [], { ok: true }, { ok: true, value: null }, { ok: false }]) {
      expect(checkedAnswer({ op: 'payment', query: { terms: TERMS } }, answer)).toMatchObject({
        ok: false,
        fault: { kind: 'unavailable' },
      });
    }
  });

  it('a fault of an unknown kind becomes one of the known kinds', () => {
    const answer = { ok: false, fault: { kind: 'raw bytes of a node', message: 'x' } };
    expect(checkedAnswer({ op: 'quote' }, answer)).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });
});

describe('the secret of a spend', () => {
  const question: Question = { op: 'payment', query: { terms: TERMS } };

  it('counts if its hash is that of the terms, of either length, however it is spelled', () => {
    const long = termsWith(bytesToHex(sha256(hexToBytes(SECRET))));
    for (const terms of [TERMS, long]) {
      for (const spelled of [SECRET, SECRET.toUpperCase(), `0x${SECRET}`, `0X${SECRET.toUpperCase()}`]) {
        const answer = { ok: true, value: spentWith(spelled) };
        expect(checkedAnswer({ op: 'payment', query: { terms } }, answer)).toEqual({
          ok: true,
          value: spentWith(SECRET),
        });
      }
    }
  });

  it('does not get as far as the log when it is another one', () => {
    for (const wrong of ['ff'.repeat(32), 'ab', '', `${SECRET}00`, 'zz'.repeat(32)]) {
      const answer = { ok: true, value: spentWith(wrong) };
      expect(checkedAnswer(question, answer)).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    }
  });

  it('may be missing if a chain does not know it, and a refund has none', () => {
    const none = { ok: true, value: spentWith(null) };
    expect(checkedAnswer(question, none)).toEqual(none);
  });
});

it('the bytes of a transaction that no log can hold are left out, but not its id', () => {
  const tx = { ...TX, tx_hex: '00'.repeat(2_000_000) };
  const view = { ...spentWith(SECRET), spend: { how: 'secret', tx, confirmations: 1, secret: SECRET } };
  expect(checkedAnswer({ op: 'payment', query: { terms: TERMS } }, { ok: true, value: view })).toMatchObject({
    ok: true,
    value: { spend: { tx: { tx_hex: '', tx_hash: TX.tx_hash }, secret: SECRET } },
  });
});
