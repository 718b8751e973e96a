import { describe, expect, it } from 'vitest';
import { jsonRows, runCli, SAMPLES } from '../../../support/cli.ts';

describe('timeline', () => {
  it('is a table with the deadlines between the events', async () => {
    const { code, out } = await runCli(['timeline', `${SAMPLES}/sound/refunded.json`]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "29c2b538-21a6-46d2-882d-b60d479e874a  taker  samples/sound/refunded.json
      2024-12-19 UTC, maker pays 2.4 DOC, taker pays 2.4 MARTY
      M maker, T taker, W watcher; [who can move a locked payment at that moment]; ? not confirmed
      time     offset   event                             state                  maker         taker
      00:00:00 +0:00:00 Started                           negotiating            .             .
      00:00:10 +0:00:10 Negotiated                        sendingTakerFee        .             .
      00:00:20 +0:00:20 TakerFeeSent                      waitingForMakerPayment .             .
      00:01:02 +0:01:02 TakerPaymentInstructionsReceived  instructionsReceived   .             .
      00:01:03 +0:01:03 MakerPaymentReceived              makerPaymentReceived   uncertain [-] .
      00:01:03 +0:01:03 MakerPaymentWaitConfirmStarted    confirmingMakerPayment uncertain [-] .
      00:03:04 +0:03:04 MakerPaymentValidatedAndConfirmed sendingTakerPayment    locked [-]    .
      00:06:00 +0:06:00 TakerPaymentSent                  waitingForSpend        locked [-]    locked [M]
      00:52:00 +0:51:59 -- the maker payment must be confirmed by now ---------- locked [-]    locked [M]
      02:10:00 +2:09:59 -- the lock of the taker payment ends ------------------ locked [-]    locked [MT]
      02:10:15 +2:10:15 TakerPaymentWaitForSpendFailed    spendNotSeen           locked [-]    locked [MT]
      02:10:15 +2:10:15 TakerPaymentWaitRefundStarted     waitingForRefund       locked [-]    locked [MT]
      02:10:15 +2:10:15 TakerPaymentRefundStarted         refunding              locked [-]    locked [MT]
      02:40:00 +2:39:59 TakerPaymentRefunded              refunded               locked [-]    refunded? T
      02:40:00 +2:39:59 TakerPaymentRefundFinished        refundFinished         locked [-]    refunded? T
      02:40:00 +2:39:59 Finished                          finished               locked [-]    refunded? T
      04:20:02 +4:20:01 -- the lock of the maker payment ends ------------------ locked [M]    refunded? T
      "
    `);
  });

  it('--json gives the rows', async () => {
    const { out } = await runCli(['timeline', '--json', `${SAMPLES}/sound/completed.json`]);
    const [swap] = jsonRows<{ rows: unknown[] }>(out);
    expect(swap?.rows.at(-1)).toMatchInlineSnapshot(`
      {
        "anomalies": [],
        "at": 1734567232585,
        "event": "Finished",
        "kind": "event",
        "makerPayment": {
          "amount": "2.4",
          "by": "taker",
          "coin": "DOC",
          "movableBy": [],
          "shown": "confirmed",
          "status": "spent",
        },
        "offset": 832080,
        "seq": 11,
        "state": "finished",
        "takerPayment": {
          "amount": "2.4",
          "by": "maker",
          "coin": "MARTY",
          "movableBy": [],
          "shown": "unconfirmed",
          "status": "spent",
        },
      }
    `);
  });

  it('of a log without events says so', async () => {
    const stdin =
      '{"type":"Taker","uuid":"00000000-0000-4000-8000-000000000000","events":[],"success_events":[],"error_events":[]}';
    expect((await runCli(['timeline', '-'], { stdin })).out).toMatchInlineSnapshot(`
      "00000000-0000-4000-8000-000000000000  taker  -
        The log has no events.
      "
    `);
  });
});
