import { expect, it } from 'vitest';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { buildSwap } from '../../../../src/testing/swap-builder.ts';
import { bytesOf, replayByParser, replayByScanner } from './support.ts';

it('a head with a member named __proto__ is refused by the scanner as by the parser', () => {
  const text = jsonlText(buildSwap({ role: 'taker', path: ['Started', 'Negotiated'], seed: 1 }));
  const forged = [bytesOf(text.replace('"head":{', '"head":{"__proto__":null,'))];
  const { counts: _counts, ...scanned } = replayByScanner(forged);
  expect(scanned).toEqual(replayByParser(forged));
  expect(scanned.errors.map(({ code }) => code)).toContain('FORBIDDEN_KEY');
});

it('a stream named like a member of every object is an invalid line and hides no other', () => {
  const text = jsonlText(buildSwap({ role: 'taker', path: ['Started', 'Negotiated'], seed: 1 }));
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf']) {
    const line = `{"stream":"${name}/350c617f-58e4-4a82-8000-2b288f80af9d","seq":0,"at":1,"type":"X","version":1}\n`;
    const { swaps, errors } = replayByScanner([bytesOf(text + line)]);
    expect(swaps).toHaveLength(1);
    expect(errors.map(({ code }) => code)).toEqual(['LINE_INVALID']);
  }
});
