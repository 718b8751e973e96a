import { describe, expect, it } from 'vitest';
import { holdsTokens } from '../../../../src/chains/utxo/slp.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { OP_RETURN, p2pkhScript, pushData } from '../../../../src/htlc/script.ts';

const text = (given: string) => new TextEncoder().encode(given);
const ID = new Uint8Array(32).fill(7);
const amount = (value: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, value);
/** An empty push that is no opcode, as the protocol has it. */
const EMPTY = Uint8Array.of(0x4c, 0x00);
const push = (item: Uint8Array) => (item.length === 0 ? EMPTY : pushData(item));
const PLAIN = { value: 546n, script: p2pkhScript(new Uint8Array(20)) };

/** Which of five outputs behind a message hold tokens. */
function held(...items: readonly Uint8Array[]): readonly number[] {
  const script = concatBytes([Uint8Array.of(OP_RETURN), ...items.map(push)]);
  const outputs = [{ value: 0n, script }, PLAIN, PLAIN, PLAIN, PLAIN];
  return outputs.flatMap((_, vout) => (holdsTokens(outputs, vout) ? [vout] : []));
}

const MARK = text('SLP\0');
const TYPE = Uint8Array.of(1);

describe('outputs that hold tokens', () => {
  it('are those that a message sends to, and no change behind them', () => {
    expect(held(MARK, TYPE, text('SEND'), ID, amount(5))).toEqual([1]);
    expect(held(MARK, TYPE, text('SEND'), ID, amount(5), amount(0), amount(2))).toEqual([1, 2, 3]);
  });

  it('are those that are made, and the right to make more', () => {
    expect(held(MARK, TYPE, text('MINT'), ID, Uint8Array.of(3), amount(9))).toEqual([1, 3]);
    expect(held(MARK, TYPE, text('MINT'), ID, new Uint8Array(0), amount(9))).toEqual([1]);
    const names = [text('A'), text('a token'), new Uint8Array(0), new Uint8Array(0), Uint8Array.of(8)];
    expect(held(MARK, TYPE, text('GENESIS'), ...names, Uint8Array.of(2), amount(9))).toEqual([1, 2]);
    expect(held(MARK, TYPE, text('GENESIS'), ...names, new Uint8Array(0), amount(9))).toEqual([1]);
  });

  it('are all outputs after a message that is not understood, and none after one of something else', () => {
    expect(held(MARK, TYPE, text('BURN'), ID)).toEqual([1, 2, 3, 4]);
    expect(held(MARK)).toEqual([1, 2, 3, 4]);
    expect(held(text('SLP'), TYPE, text('SEND'), ID, amount(5))).toEqual([]);
    expect(held(new Uint8Array(20))).toEqual([]);
    expect(holdsTokens([PLAIN, PLAIN], 1)).toBe(false);
    expect(holdsTokens([], 0)).toBe(false);
  });
});
