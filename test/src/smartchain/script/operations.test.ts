import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../../../src/htlc/script.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { isPushOnly, type Operation, operationAt } from '../../../../src/smartchain/script/operations.ts';

function operationsOf(script: Uint8Array): readonly Operation[] | undefined {
  const operations: Operation[] = [];
  for (let offset = 0; offset < script.length; ) {
    const operation = operationAt(script, offset);
    if (operation === undefined) return undefined;
    expect(operation.next).toBeGreaterThan(offset);
    operations.push(operation);
    offset = operation.next;
  }
  return operations;
}

const script = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  // Mostly pushes, so that many of the scripts are whole.
  fc
    .array(fc.tuple(fc.constantFrom(0x00, 0x02, 0x4c02, 0x51, 0x76), fc.uint8Array({ minLength: 2, maxLength: 2 })))
    .map((parts) =>
      Uint8Array.from(
        parts.flatMap(([head, data]) => (head === 0x4c02 ? [0x4c, 2, ...data] : head === 2 ? [2, ...data] : [head])),
      ),
    ),
);

describe('operations of a script', () => {
  it('are those that the parser of whole scripts finds', () => {
    fc.assert(
      fc.property(script, (bytes) => {
        const found = operationsOf(bytes)?.map(({ opcode, data }) => ({ opcode, data: [...data] }));
        const parsed = parseScript(bytes)?.map(({ opcode, data }) => ({ opcode, data: [...(data ?? [])] }));
        expect(found).toEqual(parsed);
      }),
    );
  });

  it('take the length of a push from one, two or four bytes', () => {
    expect(operationAt(hexToBytes('4c0107'), 0)).toMatchObject({ opcode: 0x4c, data: Uint8Array.of(7), next: 3 });
    expect(operationAt(hexToBytes('4d010007'), 0)).toMatchObject({ data: Uint8Array.of(7), next: 4 });
    expect(operationAt(hexToBytes('4e0100000007'), 0)).toMatchObject({ data: Uint8Array.of(7), next: 6 });
    expect(operationAt(hexToBytes('4effffffff07'), 0)).toBeUndefined();
    expect(operationAt(hexToBytes('4d01'), 0)).toBeUndefined();
    expect(operationAt(hexToBytes(''), 0)).toBeUndefined();
  });

  it('are only pushes up to OP_16', () => {
    expect(isPushOnly(hexToBytes('004f50605101ff'))).toBe(true);
    expect(isPushOnly(hexToBytes('0061'))).toBe(false);
    expect(isPushOnly(hexToBytes('0002ff'))).toBe(false);
    expect(isPushOnly(hexToBytes('6a01ff'), 1)).toBe(true);
    expect(isPushOnly(hexToBytes(''))).toBe(true);
  });
});
