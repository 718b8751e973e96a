import type { AwaitingStatus, EnableEthContext } from '../../../machines/activation/enable-eth/context.ts';
import {
  activationError,
  type ErrorDataOf,
  hwErrorOf,
  hwErrorTexts,
  requestWithheld,
  wrongUserAction,
} from '../../../machines/activation/enable-eth/errors.ts';
import { phaseOf } from '../../../machines/activation/enable-eth/status.ts';
import type { EnableEthEffect } from '../../../machines/activation/enable-eth/wants.ts';
import { withheldIn } from '../../../machines/activation/enable-eth/wants.ts';
import type { EnableEthEvent, UserActionType } from '../../events/enable-eth.ts';
import type { EnableEthRequest, LoggedEnableEthRequest } from '../../events/enable-eth-request.ts';
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
import type { TaskPosition, TaskRun, TaskWorker } from '../../runtime/tasks/kind.ts';
import { ReportUnwritten } from '../../runtime/tasks/report-error.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { coinsOf } from './after-restart.ts';
import { ethDetails } from './eth-details.ts';
import { EthFailure, ethOrder } from './eth-order.ts';
import type { EvmCoins } from './evm-coins.ts';
import type { Turns } from './turns.ts';

/** What a process holds of a task beside its log. */
export type EthSession = {
  /** The request with its secrets; undefined in a process that has it from the log. */
  readonly request?: Secret<EnableEthRequest>;
  /** Takes the answer to what the device asks for. */
  answer: ((value: Secret<string>) => void) | null;
};

export type EthWorkerOptions = {
  readonly activator: EvmActivator;
  readonly coins: CoinsFile;
  readonly active: EvmCoins;
  /** Of each coin one activation is under way at a time. */
  readonly turns: Turns;
  readonly sessionOf: (stream: string) => EthSession;
  /** A text of somebody else without passwords. */
  readonly clean: (text: string) => string;
  readonly compatibility: Compatibility;
  readonly tradingProtoV2: boolean;
  readonly logger: Logger;
};

type Run = TaskRun<EnableEthEvent>;
type Position = TaskPosition<EnableEthContext>;

/** The work was ended: nobody waits for what comes of it. */
class WorkEnded extends Error {}

/** A coin that was in use is not active again yet: who uses it waits, and the work is done anew after a rest. */
class NotBackYet extends Error {
  constructor() {
    super('a coin that was in use is not active again yet');
    this.name = 'NotBackYet';
  }
}

/** Performs what activation tasks want. */
export function ethWorker(options: EthWorkerOptions): TaskWorker<EnableEthContext, EnableEthEvent> {
  return async (run, position) => {
    switch (run.want.effect as EnableEthEffect) {
      case 'activateCoin':
        return activate(run, position, options);
      case 'abortActivation':
        await run.others();
        await run.report((at) => ({ type: 'Cancelled', at, data: null }));
        return;
      case 'reportWrongUserAction':
        return fail(run, wrongUserAction(position.context.wrongAction?.expected ?? 'TrezorPin'));
      case 'reportWithheldRequest':
        return reportWithheld(run, position, options);
      case 'registerCoins':
        return register(run, position, options.active);
    }
  };
}

async function register(run: Run, { state, context }: Position, active: EvmCoins): Promise<void> {
  // The outcome may have come to the log without its worker knowing, which has the coin and is about to.
  await run.others();
  const held = active.holds(run.stream);
  // The coin became active in the moment in which the task succeeded; without it this is another process.
  if (held === null) await run.report((at) => ({ type: 'SessionLost', at, data: null }));
  // Something else has brought the coin back, and the task its tokens.
  const type = phaseOf(state) === 'unknown' ? 'KeptCoinPassivated' : 'CoinPassivated';
  if (held === 'tokens' && !context.passive) await run.report((at) => ({ type, at, data: null }));
}

async function fail(run: Run, error: TaskError): Promise<void> {
  await run.report((at) => ({ type: 'Failed', at, data: error }));
}

async function reportWithheld(run: Run, position: Position, { logger }: EthWorkerOptions): Promise<void> {
  const withheld = withheldIn(position.context);
  await fail(run, requestWithheld(withheld));
  const text = position.context.resumes
    ? 'a coin that was in use is not activated again: the log has no secrets of urls'
    : 'an activation does not go on: the log has no secrets of urls';
  const coins = coinsOf(position).join(', ');
  logger.warn(text, { coins, withheld: withheld.join(', '), call: 'task::enable_eth::init' });
}

async function activate(run: Run, position: Position, options: EthWorkerOptions): Promise<void> {
  const { turns, logger } = options;
  const { started } = position.context;
  if (started === null) return;
  const leave = await turns.enter(started.params.ticker, run.signal);
  if (leave === null) return;
  try {
    // What came to nothing before may have left it anywhere.
    if (!FIRST.has(position.state) && !(await run.report((at) => ({ type: 'ActivatingCoin', at, data: null })))) return;
    const session = options.sessionOf(run.stream);
    const request = session.request?.reveal() ?? requestOf(started.params);
    await make(run, without(request, position.context.released), { ...options, session, context: position.context });
  } catch (error) {
    if (error instanceof WorkEnded || run.signal.aborted) return;
    // It says nothing about the coin: the work is done anew.
    if (error instanceof ReportUnwritten) throw error;
    if (!(error instanceof EthFailure)) {
      const { name } = error as { readonly name?: unknown };
      logger.error('an activation failed inside of the node', { stream: run.stream, error: String(name) });
    }
    const task = cleaned(error instanceof EthFailure ? error.task : activationError('Internal', INSIDE), options.clean);
    if (position.context.resumes && (!(error instanceof EthFailure) || error.passing)) {
      logger.warn('a coin that was in use is not active again yet', {
        coin: started.params.ticker,
        reason: task.error,
      });
      throw new NotBackYet();
    }
    await fail(run, task);
  } finally {
    leave();
  }
}

/** States in which nothing has been told of the work. */
const FIRST: ReadonlySet<string> = new Set(['started', 'sessionLost', 'activatingCoin', 'userActionProvided']);

function without(request: EnableEthRequest, released: readonly string[]): EnableEthRequest {
  if (released.length === 0) return request;
  const asked = request.erc20_tokens_requests.filter(({ ticker }) => !released.includes(ticker));
  return { ...request, erc20_tokens_requests: asked };
}

const INSIDE = 'The activation failed inside of the node; its log tells where';

/** The request of a log that lacks nothing of it. */
function requestOf({ priv_key_policy, ...params }: LoggedEnableEthRequest): EnableEthRequest {
  return { ...params, priv_key_policy: { type: priv_key_policy.type, session: null } };
}

type Making = EthWorkerOptions & { readonly session: EthSession; readonly context: EnableEthContext };

/** Whether the tokens of a request are to be brought into use without their coin. @throws EthFailure for a coin that is active */
function bringsTokensAlone({ ticker, erc20_tokens_requests }: EnableEthRequest, { context, active }: Making): boolean {
  if (context.passive) return true;
  if (!active.has(ticker)) return false;
  // What was in use with it comes back, whatever has brought the coin back meanwhile.
  if (context.resumes && erc20_tokens_requests.some((token) => !active.has(token.ticker))) return true;
  throw new EthFailure(activationError('PlatformIsAlreadyActivated', ticker));
}

/**
 * What was in use in an earlier process waits for a coins file that has it again; a token that this one lacks keeps the others of its chain from nothing.
 *
 * @throws EthFailure
 */
function orderOf(request: EnableEthRequest, passive: boolean, options: Making): EvmActivationOrder {
  const { coins, active, tradingProtoV2, context, logger } = options;
  const terms = { inUse: active.tokensInUse(), passive, tradingProtoV2 };
  if (!context.resumes) return ethOrder(request, coins, terms);
  const isThere = ({ ticker, protocol }: TokenAsked): boolean =>
    protocol !== undefined || coins.entryOf(ticker) !== undefined;
  const lacking = request.erc20_tokens_requests.filter((token) => !isThere(token)).map(({ ticker }) => ticker);
  if (lacking.length > 0) logger.warn('the coins file lacks tokens that were in use', { tokens: lacking.join(', ') });
  try {
    return ethOrder(without(request, lacking), coins, terms);
  } catch (error) {
    throw error instanceof EthFailure ? new EthFailure(error.task, { passing: true }) : error;
  }
}

type TokenAsked = EnableEthRequest['erc20_tokens_requests'][number];

/** @throws EthFailure, WorkEnded; what the log throws */
async function make(run: Run, request: EnableEthRequest, options: Making): Promise<void> {
  const { activator, active, compatibility } = options;
  const { ticker } = request;
  const passive = bringsTokensAlone(request, options);
  const order = orderOf(request, passive, options);
  const talk = talkOf(run, options.session);
  const result = await activator.activate(order, talk);
  if (!result.ok) {
    talk.rethrow();
    throw new EthFailure(errorOf(result.fault, compatibility), { passing: result.fault.passing === true });
  }
  const made = result.value;
  const tokens = order.tokens.map((token) => token.ticker);
  const contracts = Object.fromEntries(order.tokens.map((token) => [token.ticker, token.contract]));
  let isRegistered = false;
  try {
    const details = ethDetails(made, { order, compatibility });
    await run.report(
      (at) => ({ type: 'Completed', at, data: { details } }),
      () => {
        const platform = { ...made, ticker, tokens, contracts, stream: run.stream };
        if (passive) active.addTokens(platform);
        else active.add(platform);
        isRegistered = true;
      },
    );
  } finally {
    if (!isRegistered) made.close();
  }
}

/**
 * The real node's method has no errors of devices: they are told as internal ones, a device that is not there by its text and all others by name.
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

function cleaned(error: TaskError, clean: (text: string) => string): TaskError {
  const { error_data } = error;
  return {
    ...error,
    error: clean(error.error),
    ...(error_data === undefined ? {} : { error_data: cleanedData(error_data, clean) }),
  };
}

/** Each text of it, however deep; names of members are the node's own. */
function cleanedData(data: unknown, clean: (text: string) => string): TaskError['error_data'] {
  if (typeof data === 'string') return clean(data);
  if (Array.isArray(data)) return data.map((each) => cleanedData(each, clean));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cleanedData(value, clean)]));
}

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
      // It is there before anybody can see the question, and so before anybody can answer it.
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
