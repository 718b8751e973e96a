import { describe, expect, it } from 'vitest';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { createHeadScanner } from '../../../../src/replay/jsonl/head-scanner.ts';
import { NOTES_LENGTH, portableMemory, type ScanMemory } from '../../../../src/replay/jsonl/wasm-hex.ts';
import { buildSwap } from '../../../../src/testing/logs/swap-builder.ts';
import { scanned } from '../../../support/scan-memory.ts';
import { bytesOf, replayByParser, replayByScanner } from './support.ts';

const LISTS = '"success_events":["Started","Finished"],"error_events":["StartFailed"]},"roleGiven":true}';
const MEMBERS = '"type":"Taker","my_order_uuid":null,"maker_amount":"2.4",';
const BEHIND = `,"hash":"${'ab'.repeat(32)}"}`;

/** Whether a scanner takes the data of a head to its end. */
function takes(head: string, { memory = portableMemory(), scan = createHeadScanner(memory) }: Scene = {}): boolean {
  const end = scanned(memory, `${head}${BEHIND}`, scan);
  if (end === undefined) return false;
  expect(end).toBe(head.length);
  return true;
}
type Scene = { readonly memory?: ScanMemory; readonly scan?: (at: number, until: number) => number };

const withMembers = (members: string) => takes(`{"head":{${members}${LISTS}`);
const withLists = (lists: string) => takes(`{"head":{${MEMBERS}${lists}`);

describe('the head of a saved swap in a canonical line', () => {
  it('has members that are words or null, then the lists', () => {
    expect(withMembers(MEMBERS)).toBe(true);
    expect(withMembers('')).toBe(true);
    expect(withMembers('"a_b":null,')).toBe(true);
    expect(withMembers('"az":null,')).toBe(true);
    for (const word of ['DOC', 'az', 'AZ', '09', '2.0-beta_1+x', '']) {
      expect(withMembers(`"gui":"${word}",`), word).toBe(true);
    }
  });

  it.each([
    ['a number', '"gui":7,'],
    ['an escape', '"gui":"a\\n",'],
    ['a blank', '"gui":"a b",'],
    ['a byte below the digits', '"gui":"/",'],
    ['a byte above the digits', '"gui":":",'],
    ['a byte below the capitals', '"gui":"@",'],
    ['a byte above the capitals', '"gui":"[",'],
    ['a byte below the letters', '"gui":"`",'],
    ['a byte above the letters', '"gui":"{",'],
    ['a comma', '"gui":",",'],
    ['an object', '"gui":{},'],
    ['no comma behind it', '"gui":"x"'],
    ['a white space', '"gui": "x",'],
    ['no quotation mark', 'gui:"x",'],
    ['a name that begins with an underscore, as __proto__ does', '"__proto__":null,'],
    ['a name in capitals', '"Gui":null,'],
    ['a name with a byte above the letters', '"g{":null,'],
    ['a name with no colon behind it', '"gui",null,'],
    ['another bare word', '"gui":nule,'],
    ['a name whose first mark is none', 'xgui":null,'],
    ['a word whose first mark is none', '"gui":xDOC",'],
    ['another mark behind a word', '"gui":"x";'],
  ])('is invalid with %s', (_, member) => {
    expect(withMembers(member)).toBe(false);
    expect(withMembers(`${MEMBERS}${member}`)).toBe(false);
  });

  it('has two lists of names, and whether the role was given', () => {
    expect(withLists(LISTS)).toBe(true);
    expect(withLists(LISTS.replace('true', 'false'))).toBe(true);
    expect(withLists('"success_events":[],"error_events":[]},"roleGiven":true}')).toBe(true);
    const name = 'a'.repeat(99);
    expect(withLists(`"success_events":["${name}"],"error_events":["${name}","B"]},"roleGiven":true}`)).toBe(true);
    for (const lists of [
      LISTS.replace('"Started"', '"St rted"'),
      LISTS.replace('"Started"', '""'),
      LISTS.replace('"Started"', `"${name}a"`),
      LISTS.replace('"Started",', '"Started", '),
      LISTS.replace('error_events', 'other_events'),
      LISTS.replace('true', 'null'),
      LISTS.replace('}', ',"more":1}'),
      `${LISTS} `,
    ]) {
      expect(withLists(lists), lists).toBe(false);
    }
  });

  it('begins as a head does', () => {
    expect(takes(`{"tail":{${LISTS}`)).toBe(false);
  });

  it('is recognized by the lists of the one before it', () => {
    const memory = portableMemory();
    const scan = createHeadScanner(memory);
    const head = `{"head":{${MEMBERS}${LISTS}`;
    const other = head.replace('"StartFailed"', '"Other"');
    for (const next of [head, head, other, other, head]) expect(takes(next, { memory, scan })).toBe(true);
    expect(takes(head.replace('true', 'null'), { memory, scan })).toBe(false);
    expect(takes(head, { memory, scan })).toBe(true);
  });

  it('is invalid if the run of lines ends before it does', () => {
    const memory = portableMemory();
    const scan = createHeadScanner(memory);
    const head = `{"head":{${MEMBERS}${LISTS}`;
    const short = (at: number) => scan(at, at + head.length - 1);
    expect(scanned(memory, `${head}${BEHIND}`, short)).toBeUndefined();
    expect(takes(head, { memory, scan })).toBe(true);
    expect(scanned(memory, `${head}${BEHIND}`, short)).toBeUndefined();
    expect(scanned(memory, `${head}${BEHIND}`, (at) => scan(at, at + head.length))).toBe(head.length);
  });

  it('is left to the parser if its lists are longer than the notes have room for', () => {
    const names = (count: number) =>
      Array<string>(count)
        .fill(`"${'a'.repeat(97)}"`)
        .join(',');
    const lists = (count: number) => `"success_events":[${names(count)}],"error_events":[]},"roleGiven":true}`;
    expect(withLists(lists(500))).toBe(true);
    expect(withLists(lists(Math.ceil(NOTES_LENGTH / 100)))).toBe(false);
  });
});

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
