import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonRows, runCli, SAMPLES } from '../../../support/cli.ts';

describe('explain', () => {
  it('describes a swap from its start to what a person should do', async () => {
    const { code, out } = await runCli(['explain', `${SAMPLES}/sound/claim-failed.json`, '--now', '2024-12-19T00:12']);
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "As of 2024-12-19 00:12:00 UTC
      92898b96-5f18-42f7-82c1-04c509fdbdf0  samples/sound/claim-failed.json
      A taker's swap of 2.4 MARTY for 2.4 DOC: it is closed, but coins may still be locked, and someone
      must act.

      What happened
          0  2024-12-19 00:00:00 UTC               Started
             The swap started: the taker gives 2.4 MARTY and gets 2.4 DOC. The taker payment will be
             locked until 2024-12-19 02:10:00 UTC.
          1  2024-12-19 00:00:11 UTC  +10 s        Negotiated
             Both sides agreed on keys, secret hash and locks; the maker payment will be locked until
             2024-12-19 04:19:58 UTC.
          2  2024-12-19 00:00:20 UTC  +9 s         TakerFeeSent
             The taker fee was sent (64464a85c9bb1b580fd8972dbbd02a5845a49331e4fb291fe155e12011ed55a5).
          3  2024-12-19 00:01:02 UTC  +42 s        TakerPaymentInstructionsReceived
             The maker sent the instructions for the taker payment, of which most coins need none.
          4  2024-12-19 00:01:04 UTC  +1 s         MakerPaymentReceived
             The maker announced the payment of 2.4 DOC
             (a4aff2bdab0bc011196d08366b0757341ff77c75137dba25d19d5801d76dd01c).
          5  2024-12-19 00:01:04 UTC  +0 s         MakerPaymentWaitConfirmStarted
             The taker waits for 1 confirmation of the maker payment.
          6  2024-12-19 00:03:04 UTC  +2 min       MakerPaymentValidatedAndConfirmed
             The maker payment is valid and confirmed.
          7  2024-12-19 00:06:00 UTC  +2 min 56 s  TakerPaymentSent
             The taker payment of 2.4 MARTY was sent
             (28b0056cf5a8afb1cb0fd4965a6eae4e7394508db62b1fd525bfcca8a5b7c72e).
          8  2024-12-19 00:11:50 UTC  +5 min 49 s  TakerPaymentSpent
             The maker took the taker payment
             (52af82e63f2d7ed0b7d565a16892a2a5080129b21a2bace67c38c105712792e7), which revealed the
             secret.
          9  2024-12-19 00:11:50 UTC  +0 s         MakerPaymentSpendFailed
             Spending the maker payment failed (Transport error). The secret is known, and the maker can
             refund from 2024-12-19 04:19:58 UTC on.
         10  2024-12-19 00:11:50 UTC  +0 s         Finished
             The swap is closed.

      What went wrong
        - Event 9: the node of the coin could not be reached.

      Where the coins are
        - The maker spent the taker payment of 2.4 MARTY
          (52af82e63f2d7ed0b7d565a16892a2a5080129b21a2bace67c38c105712792e7): the log shows that this was
          broadcast, and no confirmation.
        - The maker payment of 2.4 DOC was sent to the DOC chain
          (a4aff2bdab0bc011196d08366b0757341ff77c75137dba25d19d5801d76dd01c), and the log shows no spend
          of it. The taker can take it with the secret at once; the maker can refund it from 2024-12-19
          04:19:58 UTC (in 4 h 7 min) on, by the chain's own time, and then whoever is first has it.
        - The taker fee is paid (64464a85c9bb1b580fd8972dbbd02a5845a49331e4fb291fe155e12011ed55a5) and
          does not come back.
        - This is what the log tells: what others did on the chains since then is not in it.

      What comes next
        - Nothing happens automatically: every node considers the swap closed, so someone must act.

      What to do
        - Spend the maker payment (2.4 DOC) with the known secret, at once. From 2024-12-19 04:19:58 UTC
          on the maker can refund it: after that, check first whether it is still there. There are 4 h 7
          min left.
        - Configure working servers for the coin, then retry the step.
        - On the real node: activate DOC and MARTY, then send {"userpass": "<rpc_password>", "method":
          "recover_funds_of_swap", "params": {"uuid": "92898b96-5f18-42f7-82c1-04c509fdbdf0"}} to it.

      What the real node says
        - By the real node's rules: finished yes, success no, recoverable yes.
      "
    `);
  });

  it('reports faults with their repair', async () => {
    const { out } = await runCli(['explain', `${SAMPLES}/damaged`]);
    expect(out.slice(out.indexOf('What is odd'), out.indexOf('What the real'))).toMatchInlineSnapshot(`
      "What is odd about the log
        ! event 6: TakerPaymentSent cannot follow MakerPaymentWaitConfirmStarted;
          MakerPaymentValidatedAndConfirmed or MakerPaymentValidateFailed or MakerPaymentWaitConfirmFailed
          or TakerPaymentTransactionFailed may. [ILLEGAL_EVENT] Repair: restore the missing
          MakerPaymentValidatedAndConfirmed before TakerPaymentSent at 6.

      "
    `);
  });

  it('--at describes a swap interrupted there, --now how far away things are', async () => {
    const { out } = await runCli([
      ...['explain', `${SAMPLES}/sound/completed.json`],
      ...['--at', '7', '--now', '2024-12-19T00:10:00'],
    ]);
    expect(out.slice(0, out.indexOf('What happened'))).toMatchInlineSnapshot(`
      "As of 2024-12-19 00:10:00 UTC
      350c617f-58e4-4a82-8000-2b288f80af9d  samples/sound/completed.json
      A taker's swap of 2.4 MARTY for 2.4 DOC: it is under way.
      As it stood after event 7 of a log with 12 events.

      "
    `);
    expect(out.slice(out.indexOf('Where the coins'))).toMatchInlineSnapshot(`
      "Where the coins are
        - The taker payment of 2.4 MARTY was sent to the MARTY chain
          (a26fab70b5d215c8519821765541a2efe2fee50be9929442bd1766761db10328), and the log shows no spend
          of it. The maker can take it with the secret at once; the taker can refund it from 2024-12-19
          02:10:00 UTC (in 2 h) on, by the chain's own time, and then whoever is first has it.
        - The maker payment of 2.4 DOC was sent to the DOC chain
          (b5b5263dbe4f67237d956f92e7a1f293c587c68b0a737e08b92f329c7add3480), and the log shows no spend
          of it. The taker cannot take it without the secret, which is not public by this log; the maker
          can refund it from 2024-12-19 04:19:58 UTC (in 4 h 9 min) on, by the chain's own time.
        - The taker fee is paid (ee21ad1e6fb1bea113b515a0f6203cc6a6f24e7f3666c025b2d0751fa86444e3) and
          does not come back.
        - This is what the log tells: what others did on the chains since then is not in it.

      What comes next
        - Wait for the maker to spend the taker payment (2.4 MARTY), which reveals the secret, until
          2024-12-19 02:10:00 UTC. A running node does this by itself. There are 2 h left.

      What to do
        - Keep the node running and online. Where it stopped here, start it again with both coins active
          and it goes on. The taker's payment can be refunded from 2024-12-19 02:10:00 UTC (in 2 h) on;
          the maker's payment can be refunded from 2024-12-19 04:19:58 UTC (in 4 h 9 min) on.

      What the real node says
        - By the real node's rules: finished no, success not known, recoverable no.
        - Its recoverable no only says that the swap is not finished; it says nothing about the locked
          coins.
      "
    `);
  });

  it('warns if a log continues after the given moment', async () => {
    const at = async (now: string) =>
      (await runCli(['explain', `${SAMPLES}/sound/claim-failed.json`, '--now', now])).out;
    const { events } = JSON.parse(readFileSync(join(SAMPLES, 'sound/claim-failed.json'), 'utf8'));
    const last = Math.floor(events.at(-1).timestamp / 1000);
    expect(await at(String(last - 1))).toContain('The log goes on after this time, and all of its events are shown');
    expect(await at(String(last + 1))).not.toContain('goes on after this time');
  });

  it('--now takes seconds, an offset, or a day', async () => {
    const at = async (now: string) => {
      const { out } = await runCli(['explain', `${SAMPLES}/sound/completed.json`, '--at', '7', '--now', now, '--json']);
      return jsonRows<{ next: string[] }>(out)[0]?.next;
    };
    expect(await at('1734566400')).toEqual(await at('2024-12-19'));
    expect(await at('1734566400')).toEqual(await at('2024-12-19T02:00:00+02:00'));
  });

  it('--at beyond the end of a log is reported for that log alone', async () => {
    const { code, out } = await runCli(['explain', `${SAMPLES}/sound`, '--at', '11', '--json']);
    const rows = jsonRows(out);
    expect(code).toBe(1);
    expect(rows.map((row) => (row['error'] as { code?: string })?.code ?? 'told')).toEqual([
      'NO_SUCH_EVENT',
      'told',
      'told',
      'NO_SUCH_EVENT',
      'told',
    ]);
  });

  it('--json gives the sections', async () => {
    const { out } = await runCli(['explain', '--json', `${SAMPLES}/sound/refunded.json`]);
    const [row] = jsonRows(out);
    expect(Object.keys(row ?? {})).toEqual([
      'file',
      'now',
      'uuid',
      'role',
      'headline',
      'state',
      'outcome',
      'kdf',
      'upTo',
      'of',
      'happened',
      'errors',
      'funds',
      'next',
      'advice',
      'waitsFor',
      'ends',
      'anomalies',
      'realNode',
      'violations',
    ]);
  });
});

describe('explain --now', () => {
  const file = `${SAMPLES}/sound/completed.json`;

  it.each([
    '2024-12-19 01:00',
    '2024-12-19T01:00',
    '2024-12-19T02:00:00+01:00',
    '2024-12-19 01:00:00 UTC',
    '1734570000',
  ])('%s counts as UTC if no zone is named', async (now) => {
    const { out } = await runCli(['explain', file, '--now', now]);
    expect(out.split('\n')[0]).toBe('As of 2024-12-19 01:00:00 UTC');
    const json = await runCli(['explain', '--json', file, '--now', now]);
    expect(jsonRows(json.out)[0]).toMatchObject({ now: '2024-12-19 01:00:00 UTC' });
  });

  it('uses the present moment', async () => {
    const { code, out } = await runCli(['explain', file, '--now', 'now']);
    expect(code).toBe(0);
    expect(out).toMatch(/^As of 20\d\d-/);
  });
});

it('quotes the reason of an error whole, without the places in the code', async () => {
  const reason = `${'x'.repeat(150)} ${'y'.repeat(150)}`;
  const stdin = JSON.stringify({
    type: 'Taker',
    uuid: '00000000-0000-4000-8000-000000000000',
    events: [{ timestamp: 1, event: { type: 'StartFailed', data: { error: `taker_swap:1] ${reason}` } } }],
    success_events: [],
    error_events: [],
  });
  const { out } = await runCli(['explain', '-'], { stdin });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`failed (${reason});`);
  expect(out).not.toContain('taker_swap:');
  const [row] = jsonRows<{ errors: readonly { reason: string }[] }>(
    (await runCli(['explain', '--json', '-'], { stdin })).out,
  );
  expect(row?.errors.map((error) => error.reason)).toEqual([reason]);
});
