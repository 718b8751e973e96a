import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';
import { lengthPrefixed } from '../../../support/peers/framework/protobuf.ts';
import { writeRpc } from '../../../support/peers/framework/rpc.ts';

const AT = 1_700_000_000_000;

function session(rpc: Parameters<typeof writeRpc>[0]): string {
  const hex = bytesToHex(lengthPrefixed(writeRpc(rpc)));
  return [
    { is: 'start', at: AT, self: 'self', relay: false },
    { is: 'link', at: AT, link: 1, peer: 'peer', dialed: true },
    { is: 'stream', at: AT, link: 1, stream: 1, protocol: '/meshsub/1.1.0', by: 'there' },
    { is: 'bytes', at: AT, stream: 1, to: 'here', hex },
    { is: 'end', at: AT + 5, link: 1 },
  ]
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
}

describe('swapfold capture', () => {
  it('says how often each rule was borne out', async () => {
    using folder = scratchFolder({ 'session.jsonl': session({ iAmRelay: true }) });
    const { code, out } = await runCli(['capture', folder.file('session.jsonl')]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 4)).toEqual([
      '1 link, 1 frame of gossip read, 0 refused',
      'Rules that are inferred:',
      '  relay-words          1 times so, 0 times otherwise',
      '    the words of relays are the fields 5 (a number), 6 and 7 of the control message, as in the',
    ]);
  });

  it('exits with 1 where one was not', async () => {
    const rpc = { iAmRelay: true, subscriptions: [{ subscribe: true, topic: 'orbk/A:B' }] };
    using folder = scratchFolder({ 'session.jsonl': session(rpc) });
    const { code, out } = await runCli(['capture', '--json', folder.file('session.jsonl')]);
    const [row] = jsonRows<{ unsure: Record<string, unknown> }>(out);
    expect([code, row?.unsure['silent-relays']]).toEqual([1, { asTaken: 0, otherwise: 1 }]);
  });

  it('tells of a file that is not there', async () => {
    const { code, err } = await runCli(['capture', 'absent.jsonl']);
    expect([code, err]).toEqual([1, expect.stringContaining('FILE_NOT_FOUND')]);
  });
});
