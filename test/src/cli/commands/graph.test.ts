import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, scratchFolder } from '../../../support/cli.ts';

describe('graph', () => {
  it.each(['taker-swap', 'maker-swap', 'watcher', 'enable-eth', 'enable-tendermint'])(
    'draws %s in every form',
    async (machine) => {
      const { code, out } = await runCli(['graph', machine]);
      expect(code).toBe(0);
      expect(out).toMatch(/^stateDiagram-v2\n {2}direction TB\n {2}\[\*\] --> created\n/);
      expect((await runCli(['graph', machine, '--format', 'dot'])).out).toMatch(/^digraph "[a-z-]+" \{\n.*\n\}\n$/s);
      expect((await runCli(['graph', machine, '--format', 'svg'])).out).toMatch(/<svg .*<\/svg>\n$/s);
    },
  );

  it('--origin draws the edges of these origins alone', async () => {
    const { out } = await runCli(['graph', 'enable-eth', '--origin', 'live']);
    expect(out).toContain('--> completed: Completed\n');
    expect(out).not.toContain('(spec)');
  });

  it('--out writes a file', async () => {
    using scratch = scratchFolder();
    const file = scratch.file('taker.svg');
    const { code, out, err } = await runCli(['graph', 'taker-swap', '--format', 'svg', '--out', file]);
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: `Wrote ${file}.\n` });
    expect(readFileSync(file, 'utf8')).toContain('waitingForSpendWatched');
    expect((await runCli(['graph', 'taker-swap', '--out', file])).code).toBe(1);
  });
});
