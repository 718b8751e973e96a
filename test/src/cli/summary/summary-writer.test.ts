import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { summaryWriter } from '../../../../src/cli/summary/summary-writer.ts';
import { scratchFolder } from '../../../support/cli.ts';

it('removes what killed processes had begun of this summary, and nothing else', () => {
  using scratch = scratchFolder();
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const begun = (of: string, pid: number) => `${of}.${pid}.new`;
  const kept = [
    begun('mine.summary', process.ppid),
    begun('mine.summary.old', ended),
    begun('other.summary', ended),
    `mine.summary.${ended}.new.txt`,
  ];
  for (const name of [begun('mine.summary', ended), begun('mine.summary', process.pid), ...kept])
    writeFileSync(scratch.file(name), 'half');

  summaryWriter(scratch.file('mine.summary'), () => true).end(null);

  const files = readdirSync(scratch.file('.'));
  expect(files.toSorted()).toEqual([...kept, 'mine.summary'].toSorted());
});
