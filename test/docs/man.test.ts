import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../src/cli/program.ts';
import { describeWith } from '../support/optional-part.ts';
import { ROOT } from './fences.ts';

const PAGE = join(ROOT, 'docs/man/swapfold.1');
const text = readFileSync(PAGE, 'utf8');

describe('the manual page', () => {
  it('comes with the package, and describes every command', () => {
    const { man, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([man, files]).toEqual(['docs/man/swapfold.1', expect.arrayContaining(['docs'])]);
    const plain = text.replaceAll('\\-', '-');
    expect(commandNames.filter((name) => !plain.includes(`.SS "swapfold ${name} `))).toEqual([]);
    expect(plain).toContain('.B "-q, --quiet"');
    expect(plain).toContain('Without it: swapfold-chain.');
  });
});

type Check = readonly [program: string, argv: readonly string[], complaint: RegExp | null];

// Its date says nothing: the page belongs to a release.
const CHECKS: readonly Check[] = [
  ['groff', ['-man', '-ww', '-Tutf8', PAGE], null],
  ['mandoc', ['-Tlint', PAGE], /missing date/],
  ['man', ['-l', '--warnings', '-Tutf8', PAGE], null],
];

for (const [program, argv, allowed] of CHECKS) {
  const present = spawnSync(program, ['--version']).error === undefined;
  describeWith(
    { present, absence: `no ${program} (apt-get install ${program})` },
    `the manual page in ${program}`,
    () => {
      it('is read without a complaint', () => {
        const { stdout, stderr } = spawnSync(program, argv, {
          encoding: 'utf8',
          env: { ...process.env, MANWIDTH: '80' },
        });
        // mandoc lints to standard output.
        const said = program === 'mandoc' ? stdout : stderr;
        expect(said.split('\n').filter((line) => line !== '' && allowed?.test(line) !== true)).toEqual([]);
      });
    },
  );
}
