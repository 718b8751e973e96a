import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeShared, SHARED_DIR } from '../../support/shared.ts';

const TESTS = join(import.meta.dirname, '../..');

function testTexts(): string {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('vectors-covered.test.ts'))
    .map((path) => readFileSync(join(TESTS, path), 'utf8'))
    .join('\n');
}

describeShared('golden vectors of the smart-chain node', () => {
  it('are each read by a test', () => {
    const names = readdirSync(join(SHARED_DIR, 'vectors/node'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5));
    const texts = testTexts();
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !texts.includes(`'${name}'`) && !texts.includes(`${name}.json`))).toEqual([]);
  });
});
