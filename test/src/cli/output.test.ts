import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../src/cli/output.ts';

function broken(code: string): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error(code), { code }));
    },
  });
}

describe('output', () => {
  it('waits for a slow reader instead of piling up', async () => {
    let taken = 0;
    let waiting = 0;
    let most = 0;
    const slow = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        setImmediate(() => {
          taken += chunk.length;
          done();
        });
      },
    });
    const out = createOutput(slow);
    for (let count = 0; count < 400; count++) {
      await out.write('x'.repeat(10_000));
      waiting = (count + 1) * 10_000 - taken;
      most = Math.max(most, waiting);
    }
    await out.flush();
    expect(taken).toBe(4_000_000);
    expect(most).toBeLessThan(200_000);
  });

  it('says that the reader went away', async () => {
    const out = createOutput(broken('EPIPE'));
    await out.write('held back');
    await expect(out.flush()).rejects.toMatchObject({ name: 'OutputClosed' });
    await expect(out.write('more')).resolves.toBeUndefined();
    expect(() => out.put('more')).toThrow('nobody reads any more');
  });

  it('does not mistake a full disk for a reader that went away', async () => {
    const out = createOutput(broken('ENOSPC'));
    await out.write('text');
    await expect(out.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});
