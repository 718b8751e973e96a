import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliStream } from '../../../src/cli/io.ts';
import { createProgress } from '../../../src/cli/progress.ts';

function terminal(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stderr: Object.assign(stream, { isTTY }) as CliStream, text: () => text, env: {} };
}

describe('the progress bar', () => {
  it('is drawn on a terminal, not more often than people can see', () => {
    const io = terminal(true);
    let time = 0;
    const progress = createProgress(io, { total: 4, now: () => time });
    progress.file('a.json');
    expect(io.text()).toBe('');
    time = 150;
    progress.file('a.json');
    progress.file('a.json');
    expect(io.text().split('\r')).toHaveLength(2);
    expect(io.text()).toContain('[############............]  50 %  2 of 4 files');
    time = 300;
    progress.within(0.5);
    expect(io.text()).toContain('[#####################...]  87 %  3 of 4 files');
    progress.clear();
    expect(io.text().endsWith('\r\u001b[2K')).toBe(true);
  });

  it('is quiet in a pipe and on a dumb terminal', () => {
    for (const io of [terminal(false), { ...terminal(true), env: { TERM: 'dumb' } }]) {
      const progress = createProgress(io, { total: 1, now: () => 1e9 });
      progress.file('a.json');
      progress.clear();
      expect(io.text()).toBe('');
    }
  });
});
