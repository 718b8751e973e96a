import { refundWaitedUntil } from '../../../machines/deadlines/table.ts';
import type { MakerNegotiated, MakerStarted } from '../../events/payloads.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type ExtractSecret, NO_SECRET_TEXT } from '../../htlc/extract-secret.ts';
import { secretHashMatches } from '../../htlc/secret-hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { closed, gaveUp, paymentReceived, refundAwaited, say } from './both-sides.ts';
import { append, certain, type Draft, emptyDraft } from './draft.ts';
import { noSecretHash, noSuchCoin } from './recreate-error.ts';
import { bareTransaction, counting, ground, type RecreateForm, type SourceEvent, sourceOf } from './source.ts';
import { NEGOTIATED_GROUNDS, startedGrounds, takerNegotiated, takerStarted } from './taker-terms.ts';

/** Events of a maker that show that the swap went on after what was reported as a failure. */
const PROGRESS: ReadonlySet<string> = new Set(['MakerPaymentSent', 'TakerPaymentReceived', 'TakerPaymentSpent']);

export type TakerLogOptions = {
  readonly form: RecreateForm;
  readonly extractSecret: ExtractSecret;
  readonly hasCoin: (ticker: string) => boolean;
};

/**
 * The taker's events as far as a maker's log tells them (KDF's `recreate_swap_data`).
 *
 * @throws RecreateError when the log does not hold what both logs begin with, or the maker coin is not active.
 */
export function recreateTakerEvents(log: SwapLog, options: TakerLogOptions): Draft {
  const { started, negotiated, rest } = sourceOf(log);
  const { form } = options;
  const terms = { started: started.data as MakerStarted, negotiated: negotiated.data as MakerNegotiated, form };
  const { secret_hash: secretHash, maker_coin: makerCoin } = terms.started;
  if (secretHash === null) throw noSecretHash();
  if (!options.hasCoin(makerCoin)) throw noSuchCoin(makerCoin);
  const draft = emptyDraft();
  append(
    draft,
    { type: 'Started', at: started.at, data: takerStarted(terms) },
    {
      event: ground(started, {
        certainty: 'certain',
        because: "The parties start the same swap; the time is the maker's.",
      }),
      members: startedGrounds(terms),
    },
  );
  append(
    draft,
    { type: 'Negotiated', at: negotiated.at, data: takerNegotiated(terms, secretHash) },
    {
      event: ground(negotiated, {
        certainty: 'assumed',
        because: "The taker agrees once it hears that the maker does; the time is the maker's.",
      }),
      members: NEGOTIATED_GROUNDS,
    },
  );
  const waitUntil = refundWaitedUntil(terms.negotiated.taker_payment_locktime);
  const scene: Scene = { draft, ...options, waitUntil, started: terms.started, secretHash: hexToBytes(secretHash) };
  for (const event of counting(rest, { form, progress: PROGRESS })) {
    if (convert(scene, event) === 'end') break;
  }
  return draft;
}

type Scene = {
  readonly draft: Draft;
  readonly form: RecreateForm;
  readonly waitUntil: UnixSeconds;
  readonly started: MakerStarted;
  readonly secretHash: Uint8Array;
  readonly extractSecret: ExtractSecret;
};

const FINISHED = closed('taker');

/** Adds what an event of the maker says about the taker. */
function convert(scene: Scene, event: SourceEvent): 'end' | 'on' {
  switch (event.type) {
    case 'TakerFeeValidated':
      say(scene, event, [
        {
          type: 'TakerFeeSent',
          data: bareTransaction(event.data),
          certainty: 'certain',
          because: 'The taker signed and sent it.',
        },
      ]);
      return 'on';
    case 'TakerFeeValidateFailed':
      sayNoFee(scene, event);
      return 'end';
    case 'MakerPaymentSent':
      say(scene, event, paymentReceived('maker', event));
      return 'on';
    case 'MakerPaymentTransactionFailed':
    case 'MakerPaymentDataSendFailed':
    case 'MakerPaymentWaitConfirmFailed':
      sayMakerGaveUp(scene, event);
      return 'end';
    case 'TakerPaymentReceived':
      say(scene, event, [
        {
          type: 'MakerPaymentValidatedAndConfirmed',
          certainty: 'certain',
          because: "The taker pays only after it has found the maker's payment valid and confirmed.",
        },
        {
          type: 'TakerPaymentSent',
          data: bareTransaction(event.data),
          certainty: 'certain',
          because: 'The taker signed and sent it.',
        },
      ]);
      return 'on';
    case 'TakerPaymentValidateFailed':
    case 'TakerPaymentSpendFailed':
    case 'TakerPaymentWaitConfirmFailed':
      sayNoSpend(scene, event);
      return 'end';
    case 'TakerPaymentSpent':
      saySpend(scene, event);
      return 'end';
    default:
      return 'on';
  }
}

/** In the real node's own log nothing of the maker's payment can follow before the taker sent its fee. */
function sayNoFee(scene: Scene, event: SourceEvent): void {
  const type = scene.form === 'kdf' ? 'MakerPaymentValidateFailed' : 'TakerFeeSendFailed';
  say(scene, event, [{ ...gaveUp('maker', type, event), because: 'The maker found no valid fee.' }, FINISHED]);
}

function sayMakerGaveUp(scene: Scene, event: SourceEvent): void {
  if (scene.form === 'kdf' || !hasPaid(scene)) {
    say(scene, event, [gaveUp('maker', 'MakerPaymentValidateFailed', event), FINISHED]);
    return;
  }
  const because = "The taker's payment is out and the maker will not spend it.";
  say(scene, event, [
    { ...gaveUp('maker', 'TakerPaymentWaitForSpendFailed', event), because },
    refundAwaited('taker', scene.waitUntil),
  ]);
}

function sayNoSpend(scene: Scene, event: SourceEvent): void {
  if (scene.form === 'kdf' || hasPaid(scene)) {
    say(scene, event, [
      gaveUp('maker', 'TakerPaymentWaitForSpendFailed', event),
      refundAwaited('taker', scene.waitUntil),
    ]);
    return;
  }
  // The maker never saw a taker payment: a log that heads for its refund would stop every node that resumes it. One that
  // says that the payment failed makes its reader look for it on the chain.
  const because = 'The maker saw no payment of the taker; whether there is one, the chain must tell.';
  say(scene, event, [
    {
      type: 'MakerPaymentValidatedAndConfirmed',
      certainty: 'assumed',
      because: 'The taker may have found it valid and paid unseen.',
    },
    { ...gaveUp('maker', 'TakerPaymentTransactionFailed', event), because },
    FINISHED,
  ]);
}

function hasPaid({ draft }: Scene): boolean {
  return draft.events.some(({ type }) => type === 'TakerPaymentSent');
}

function saySpend(scene: Scene, event: SourceEvent): void {
  const transaction = bareTransaction(event.data);
  const shown = scene.extractSecret(hexToBytes(transaction.tx_hex), scene.secretHash);
  const own = hexToBytes(scene.started.secret);
  // The real node looks at the spend alone, although the maker's own log holds the secret.
  const isKnown = scene.form !== 'kdf' && secretHashMatches(own, scene.secretHash);
  const secret = shown ?? (isKnown ? own : undefined);
  if (secret === undefined) {
    const because = 'The spend shows no secret that could be read, so the taker is taken to have missed it.';
    const type = 'TakerPaymentWaitForSpendFailed';
    say(scene, event, [
      { type, data: { error: NO_SECRET_TEXT }, certainty: 'assumed', because },
      refundAwaited('taker', scene.waitUntil),
    ]);
    return;
  }
  const from = shown === undefined ? 'Started.secret at 0' : `TakerPaymentSpent.tx_hex at ${event.seq}`;
  say(scene, event, [
    {
      type: 'TakerPaymentSpent',
      data: { transaction, secret: bytesToHex(secret) },
      certainty: 'assumed',
      because: 'The taker can see the spend on the chain; whether it did is not known.',
      members: { secret: certain(from, 'It has the negotiated hash.') },
    },
  ]);
}
