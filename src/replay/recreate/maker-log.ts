import { refundWaitedUntil } from '../../../machines/deadlines/table.ts';
import type { RevealingSpend, TakerNegotiated, TakerStarted } from '../../events/payloads.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { closed, gaveUp, paymentReceived, refundAwaited, type Said, say } from './both-sides.ts';
import { append, type Draft, emptyDraft } from './draft.ts';
import { makerNegotiated, makerStarted, NEGOTIATED_GROUNDS, startedGrounds } from './maker-terms.ts';
import { bareTransaction, counting, ground, type RecreateForm, type SourceEvent, sourceOf } from './source.ts';

/** Events of a taker that show that the swap went on after what was reported as a failure. */
const PROGRESS: ReadonlySet<string> = new Set(['MakerPaymentReceived', 'TakerPaymentSent', 'TakerPaymentSpent']);

/**
 * The maker's events as far as a taker's log tells them (KDF's `recreate_swap_data`).
 *
 * @throws RecreateError when the log does not hold what both logs begin with.
 */
export function recreateMakerEvents(log: SwapLog, form: RecreateForm): Draft {
  const { started, negotiated, rest } = sourceOf(log);
  const terms = { started: started.data as TakerStarted, negotiated: negotiated.data as TakerNegotiated, form };
  const draft = emptyDraft();
  append(
    draft,
    { type: 'Started', at: started.at, data: makerStarted(terms) },
    {
      event: ground(started, {
        certainty: 'certain',
        because: "The parties start the same swap; the time is the taker's.",
      }),
      members: startedGrounds(terms),
    },
  );
  append(
    draft,
    { type: 'Negotiated', at: negotiated.at, data: makerNegotiated(terms) },
    {
      event: ground(negotiated, { certainty: 'certain', because: "The maker agrees first; the time is the taker's." }),
      members: NEGOTIATED_GROUNDS,
    },
  );
  const scene: Scene = {
    draft,
    form,
    waitUntil: refundWaitedUntil(terms.negotiated.maker_payment_locktime),
    fee: null,
  };
  for (const event of counting(rest, { form, progress: PROGRESS })) if (convert(scene, event) === 'end') break;
  return draft;
}

type Scene = {
  readonly draft: Draft;
  readonly form: RecreateForm;
  readonly waitUntil: UnixSeconds;
  /** The taker's fee, until it is known that the maker took it. */
  fee: SourceEvent | null;
};

const FINISHED = closed('maker');

/** Adds what an event of the taker says about the maker. */
function convert(scene: Scene, event: SourceEvent): 'end' | 'on' {
  switch (event.type) {
    case 'TakerFeeSent':
      scene.fee = event;
      return 'on';
    case 'TakerFeeSendFailed': {
      const because = 'Without the fee the maker goes no further.';
      say(scene, event, [{ ...gaveUp('taker', 'TakerFeeValidateFailed', event), because }, FINISHED]);
      return 'end';
    }
    case 'MakerPaymentReceived':
      say(scene, event, [
        ...feeTaken(scene, { certainty: 'certain', because: 'The maker pays only after it has found the fee valid.' }),
        {
          type: 'MakerPaymentSent',
          data: bareTransaction(event.data),
          certainty: 'certain',
          because: 'The maker sent it.',
        },
      ]);
      return 'on';
    case 'MakerPaymentValidateFailed':
    case 'MakerPaymentWaitConfirmFailed':
    case 'TakerPaymentTransactionFailed':
    case 'TakerPaymentDataSendFailed':
    case 'TakerPaymentWaitConfirmFailed':
      sayTakerGaveUp(scene, event);
      return 'end';
    case 'TakerPaymentSent':
      say(scene, event, paymentReceived('taker', event));
      return 'on';
    case 'TakerPaymentSpent':
      sayClaim(scene, event);
      return 'end';
    case 'TakerPaymentWaitForSpendFailed': {
      // The real node's own choice cannot follow in a log of its own: a maker that failed to spend has found the payment valid.
      const type = scene.form === 'kdf' ? 'TakerPaymentSpendFailed' : 'TakerPaymentWaitConfirmFailed';
      const because = 'The taker saw no spend until its lock; why is not known.';
      say(scene, event, [{ ...gaveUp('taker', type, event), because }, refundAwaited('maker', scene.waitUntil)]);
      return 'end';
    }
    default:
      return 'on';
  }
}

function feeTaken(scene: Scene, { certainty, because }: Pick<Said, 'certainty' | 'because'>): readonly Said[] {
  const { fee } = scene;
  if (fee === null) return [];
  scene.fee = null;
  return [
    {
      type: 'TakerFeeValidated',
      data: bareTransaction(fee.data),
      certainty,
      because: `${because} The fee is TakerFeeSent at ${fee.seq}.`,
    },
  ];
}

function sayTakerGaveUp(scene: Scene, event: SourceEvent): void {
  const paid = scene.draft.events.some(({ type }) => type === 'MakerPaymentSent');
  if (paid || scene.form === 'kdf') {
    say(scene, event, [gaveUp('taker', 'TakerPaymentValidateFailed', event), refundAwaited('maker', scene.waitUntil)]);
    return;
  }
  // The taker never saw a maker payment: a log that heads for its refund would stop every node that resumes it. One that
  // says that the payment failed makes its reader look for it on the chain.
  const fee = feeTaken(scene, { certainty: 'assumed', because: 'The maker may have found it valid and paid unseen.' });
  const because = 'The taker saw no payment of the maker; whether there is one, the chain must tell.';
  const type = fee.length > 0 ? 'MakerPaymentTransactionFailed' : 'TakerFeeValidateFailed';
  say(scene, event, [...fee, { ...gaveUp('taker', type, event), because }, FINISHED]);
}

function sayClaim(scene: Scene, event: SourceEvent): void {
  const { transaction } = event.data as RevealingSpend;
  const valid = 'The maker spends only what it found valid.';
  const seen = 'The taker saw the spend on the chain; how deep it lay is not known.';
  say(scene, event, [
    { type: 'TakerPaymentValidatedAndConfirmed', certainty: 'certain', because: valid },
    {
      type: 'TakerPaymentSpent',
      data: bareTransaction(transaction),
      certainty: 'certain',
      because: 'Only the maker knew the secret.',
    },
    { type: 'TakerPaymentSpendConfirmStarted', certainty: 'certain', because: 'It follows at once.' },
    { type: 'TakerPaymentSpendConfirmed', certainty: 'assumed', because: seen },
    FINISHED,
  ]);
}
