import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorldFile, type WorldEntry } from '../../../../src/cli/demo/world-file.ts';
import type { Millis } from '../../../../src/primitives/time.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swapfold-world-'));
  path = join(folder, 'chains.world');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = 1_700_000_000_000 as Millis;
const ENTRIES: readonly WorldEntry[] = [
  { kind: 'process', at },
  { kind: 'submit', at, chain: 'maker', hex: 'ab' },
];

function written(): string {
  const file = openWorldFile(path);
  for (const entry of ENTRIES) file.write(entry);
  file.close();
  return readFileSync(path, 'utf8');
}

describe('the file of the outside world', () => {
  it('is read as it was written', () => {
    written();
    expect(openWorldFile(path).entries).toEqual(ENTRIES);
  });

  it('continues after its last whole line, wherever a crash cut it off', () => {
    const text = written();
    for (let length = 0; length <= text.length; length += 1) {
      writeFileSync(path, text.slice(0, length));
      const cut = openWorldFile(path);
      const kept = cut.entries.length;
      cut.write({ kind: 'vanished', at, party: 'taker' });
      cut.close();
      const again = openWorldFile(path);
      again.close();
      expect(again.entries).toEqual([...ENTRIES.slice(0, kept), { kind: 'vanished', at, party: 'taker' }]);
    }
  });

  it.each(['submit {"at":', 'submit {"at":"now"}', `process {"at":${1e18}}`, 'other {"at":1}', 'x'])(
    'is refused with the line that nobody wrote: %s',
    (line) => {
      written();
      appendFileSync(path, `${line}\n`);
      expect(() => openWorldFile(path)).toThrow(/^Line 4 of .*chains\.world/);
    },
  );
});
