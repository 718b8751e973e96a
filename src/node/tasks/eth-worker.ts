import type { AwaitingStatus, EnableEthContext } from '../../../machines/activation/enable-eth/context.ts';
import {
  activationError,
  type ErrorDataOf,
  hwErrorOf,
  hwErrorTexts,
  requestWithheld,
  wrongUserAction,
} from '../../../machines/activation/task/errors.ts';
import type { TaskStarted, UserActionType } from '../../events/enable-eth.ts';
import type { EnableEthRequest } from '../../events/enable-eth-request.ts';
import type { TaskError } from '../../events/task-error.ts';
import type {
  EvmActivationFault,
  EvmActivationOrder,
  EvmActivationStep,
  EvmActivationTalk,
  EvmActivator,
} from '../../ports/evm-activator.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Secret } from '../../primitives/secret.ts';
import type { TaskWorker } from '../../runtime/tasks/kind.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import {
  type Activated,
  activationWorker,
  type Making as MakingOf,
  reportFailure,
  WorkEnded,
  type WorkerOptions,
} from './activation-worker.ts';
import { ethDetails } from './eth-details.ts';
import { type EthFamily, type EthSession, ethFamily } from './eth-family.ts';
import { ethOrder } from './eth-order.ts';
import { TaskFailure } from './task-failure.ts';

export type EthWorkerOptions = Pick<
  WorkerOptions<EthFamily>,
  'active' | 'queues' | 'sessionOf' | 'clean' | 'logger'
> & {
  readonly activator: EvmActivator;
  readonly coins: CoinsFile;
  readonly compatibility: Compatibility;
  readonly tradingProtoV2: boolean;
  readonly logger: Logger;
};

/** Performs what tasks want that activate coins of EVM chains. */
export function ethWorker(options: EthWorkerOptions): TaskWorker<EnableEthContext, EthFamily['event']> {
  return activationWorker<EthFamily>({
    ...options,
    family: ethFamily,
    make: (making) => make(making, options),
    // The one want that no other family has.
    perform: async (run, { context }) =>
      reportFailure(run, wrongUserAction(context.wrongAction?.expected ?? 'TrezorPin'), { family: ethFamily }),
  });
}

type Making = MakingOf<EthFamily>;

/** @throws TaskFailure, WorkEnded; what the log throws */
async function make(making: Making, options: EthWorkerOptions): Promise<Activated<EthFamily['details']>> {
  const { run, session, context } = making;
  const { activator, compatibility, active } = options;
  if (context.started === null) throw new WorkEnded();
  const asked = session.request?.reveal() ?? requestOf(context.started);
  const isGone = (token: string) => active.isGone(token, context);
  const order = whole(() => orderOf(without(asked, isGone), making, options), compatibility);
  const talk = talkOf(run, session);
  const result = await activator.activate(order, talk);
  if (!result.ok) {
    talk.rethrow();
    throw new TaskFailure(errorOf(result.fault, compatibility), { passing: result.fault.passing === true });
  }
  const made = result.value;
  const tokens = order.tokens.map((token) => token.ticker);
  const contracts = Object.fromEntries(order.tokens.map((token) => [token.ticker, token.contract]));
  try {
    return { platform: { ...made, tokens, contracts }, details: ethDetails(made, { order, compatibility }) };
  } catch (error) {
    made.close();
    throw error;
  }
}

/** Outside of `--compatibility kdf` a text says all that is known. @throws TaskFailure */
function whole<T>(read: () => T, compatibility: Compatibility): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TaskFailure) || error.why === null || compatibility === 'kdf') throw error;
    const { task, passing, why } = error;
    throw new TaskFailure({ ...task, error: `${task.error}: ${why}` }, { passing });
  }
}

function without(request: EnableEthRequest, isGone: (token: string) => boolean): EnableEthRequest {
  const asked = request.erc20_tokens_requests.filter(({ ticker }) => !isGone(ticker));
  return { ...request, erc20_tokens_requests: asked };
}

/**
 * The request of a log that lacks nothing of it. A log may have taken the beginning of a task although it failed to say so: then this process has no more
 * than the log.
 *
 * @throws TaskFailure where that lacks something
 */
function requestOf({ params: logged, withheld }: TaskStarted): EnableEthRequest {
  if (withheld.length > 0) throw new TaskFailure(requestWithheld(withheld));
  const { priv_key_policy, ...params } = logged;
  return { ...params, priv_key_policy: { type: priv_key_policy.type, session: null } };
}

/**
 * What was in use in an earlier process waits for a coins file that has it again; a token that this one lacks keeps the others of its chain from nothing.
 *
 * @throws TaskFailure
 */
function orderOf(
  request: EnableEthRequest,
  { passive, context }: Making,
  options: EthWorkerOptions,
): EvmActivationOrder {
  const { coins, active, tradingProtoV2, logger } = options;
  const terms = { inUse: active.tokensInUse(), passive, tradingProtoV2 };
  if (!context.resumes) return ethOrder(request, coins, terms);
  const isThere = ({ ticker, protocol }: TokenAsked): boolean =>
    protocol !== undefined || coins.entryOf(ticker) !== undefined;
  const lacking = request.erc20_tokens_requests.filter((token) => !isThere(token)).map(({ ticker }) => ticker);
  if (lacking.length > 0) logger.warn('the coins file lacks tokens that were in use', { tokens: lacking.join(', ') });
  try {
    return ethOrder(
      without(request, (token) => lacking.includes(token)),
      coins,
      terms,
    );
  } catch (error) {
    throw error instanceof TaskFailure ? new TaskFailure(error.task, { passing: true, why: error.why }) : error;
  }
}

type TokenAsked = EnableEthRequest['erc20_tokens_requests'][number];

/**
 * The real node's method has no errors of devices: it reports them as internal ones, a missing device by its text and all others by name.
 */
function errorOf({ type, data, text }: EvmActivationFault, compatibility: Compatibility): TaskError {
  if (type !== 'HwError') {
    const usual = activationError(type, data as ErrorDataOf<typeof type>);
    return text === undefined || compatibility === 'kdf' ? usual : { ...usual, error: text };
  }
  const name = hwErrorOf(data);
  if (name !== null && compatibility === 'specification') return activationError('HwError', name);
  return activationError('Internal', data === 'NoTrezorDeviceAvailable' ? hwErrorTexts[data] : String(data));
}

type Run = Making['run'];

const QUESTIONS: Readonly<Record<UserActionType, AwaitingStatus>> = {
  TrezorPin: 'EnterTrezorPin',
  TrezorPassphrase: 'EnterTrezorPassphrase',
};

/** `rethrow` throws what kept a report from being made, for an adapter that has taken it for a fault of its own. */
function talkOf(run: Run, session: EthSession): EvmActivationTalk & { readonly rethrow: () => void } {
  let kept: unknown;
  const report = async (type: EvmActivationStep | AwaitingStatus): Promise<void> => {
    try {
      const taken = await run.report((at) => ({ type, at, data: null }));
      if (!taken) throw new WorkEnded();
    } catch (error) {
      kept ??= error;
      throw error;
    }
  };
  return {
    rethrow: () => {
      if (kept !== undefined) throw kept;
    },
    signal: run.signal,
    tell: report,
    async ask(what) {
      // It is there before anyone can see the question, and so before anyone can answer it.
      const answered = answerOf(run.signal, session);
      answered.catch(() => {});
      await report(QUESTIONS[what]);
      return answered;
    },
  };
}

function answerOf(signal: AbortSignal, session: EthSession): Promise<Secret<string>> {
  return new Promise((resolve, reject) => {
    const ended = (): void => {
      session.answer = null;
      reject(new WorkEnded());
    };
    session.answer = (value) => {
      session.answer = null;
      signal.removeEventListener('abort', ended);
      resolve(value);
    };
    signal.addEventListener('abort', ended, { once: true });
    if (signal.aborted) ended();
  });
}
