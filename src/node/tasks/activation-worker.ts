import { activationError, requestWithheld } from '../../../machines/activation/task/errors.ts';
import { withheldIn } from '../../../machines/activation/task/status.ts';
import type { TaskError } from '../../events/task-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Millis } from '../../primitives/time.ts';
import type { TaskPosition, TaskRun, TaskWorker } from '../../runtime/tasks/kind.ts';
import { ReportUnwritten } from '../../runtime/tasks/report-error.ts';
import type { CoinQueues } from '../coin-queues.ts';
import { coinsOf } from './after-restart.ts';
import type { FamilyTypes, TaskFamily } from './family.ts';
import type { Platform, PlatformCoins } from './platform-coins.ts';
import { TaskFailure } from './task-failure.ts';

/** The work was ended: nobody waits for what comes of it. */
export class WorkEnded extends Error {}

/** A coin that was in use is not active again yet: who uses it waits, and the work is done anew after a rest. */
class NotBackYet extends Error {
  constructor() {
    super('a coin that was in use is not yet active again');
    this.name = 'NotBackYet';
  }
}

/** What an activation is made of. */
export type Making<F extends FamilyTypes> = {
  readonly run: TaskRun<F['event']>;
  readonly session: F['session'];
  readonly context: F['context'];
  /** Whether the tokens alone are to be brought into use. */
  readonly passive: boolean;
};

/** What has been activated, and what its client is told. It is let go of where it is not registered. */
export type Activated<D> = {
  readonly platform: Omit<Platform, 'ticker' | 'stream'>;
  readonly details: D;
};

export type Outcome<D> = { readonly ok: true; readonly details: D } | { readonly ok: false; readonly error: TaskError };

export type WorkerOptions<F extends FamilyTypes> = {
  readonly family: TaskFamily<F>;
  /** Activates. All that can be told without asking anybody is checked first. @throws TaskFailure; WorkEnded; what the log throws */
  readonly make: (making: Making<F>) => Promise<Activated<F['details']>>;
  readonly active: PlatformCoins;
  /** Of each coin one activation is under way at a time. */
  readonly queues: CoinQueues;
  readonly sessionOf: (stream: string) => F['session'];
  /** A text of somebody else without passwords. */
  readonly clean: (text: string) => string;
  readonly logger: Logger;
  /** Wants of the family's own. @defaultValue it has none */
  readonly perform?: (run: TaskRun<F['event']>, position: TaskPosition<F['context']>) => Promise<void>;
  /** Called in the moment in which the outcome of a task is durable. @defaultValue nobody waits for it */
  readonly onOutcome?: (stream: string, outcome: Outcome<F['details']>) => void;
  /** How to report something that no caller can change. @defaultValue as an error of the type Internal */
  readonly internal?: (text: string) => TaskError;
};

/** Performs what activation tasks of a family want. */
export function activationWorker<F extends FamilyTypes>(
  options: WorkerOptions<F>,
): TaskWorker<F['context'], F['event']> {
  const { family } = options;
  return async (run, position) => {
    switch (run.want.effect) {
      case 'activateCoin':
        return activate(run, position, options);
      case 'abortActivation':
        await run.others();
        await run.report((at) => family.event({ type: 'Cancelled', at, data: null }));
        return;
      case 'reportWithheldRequest':
        return reportWithheld(run, position, options);
      case 'registerCoins':
        return register(run, position, options);
      default:
        return options.perform?.(run, position);
    }
  };
}

/** Ends a task in this error. */
export async function reportFailure<F extends FamilyTypes>(
  run: TaskRun<F['event']>,
  error: TaskError,
  { family, onOutcome }: Pick<WorkerOptions<F>, 'family' | 'onOutcome'>,
): Promise<void> {
  await run.report(
    (at) => family.event({ type: 'Failed', at, data: error }),
    () => onOutcome?.(run.stream, { ok: false, error }),
  );
}

async function reportWithheld<F extends FamilyTypes>(
  run: TaskRun<F['event']>,
  { context }: TaskPosition<F['context']>,
  options: WorkerOptions<F>,
): Promise<void> {
  const { family, logger } = options;
  const withheld = withheldIn(context);
  await reportFailure(run, requestWithheld(withheld, family.name), options);
  const text = context.resumes
    ? 'a coin that was in use cannot be activated again: the log holds no secrets of URLs'
    : 'an activation cannot resume: the log holds no secrets of URLs';
  const coins = coinsOf(context, family).join(', ');
  logger.warn(text, { coins, withheld: withheld.join(', '), call: family.callOf(context) });
}

async function register<F extends FamilyTypes>(
  run: TaskRun<F['event']>,
  { context }: TaskPosition<F['context']>,
  { active, family }: WorkerOptions<F>,
): Promise<void> {
  // The outcome may have come to the log without its worker knowing, which has the coin and is about to.
  await run.others();
  const held = active.holds(run.stream);
  // The coin became active in the moment in which the task succeeded; without it this is another process.
  if (held === null) await run.report((at) => family.event({ type: 'SessionLost', at, data: null }));
  // A client may forget the result at any time.
  const isKept = (state: string): boolean => family.phaseOf(state) === 'unknown';
  // Something else has brought the coin back, and the task its tokens.
  if (held === 'tokens' && !context.passive)
    await run.report((at, state) =>
      family.event({ type: isKept(state) ? 'KeptCoinPassivated' : 'CoinPassivated', at, data: null }),
    );
  if (held !== 'coin') return;
  // A token that was active already may have been taken out meanwhile, of which a task that had no outcome yet heard nothing. What comes back may also lack
  // one that the coins file does not have at the moment: that one is still in use.
  const isGone = (token: string) => (context.resumes ? active.isDisabled(token) : !active.has(token));
  for (const ticker of family.tokensHeld(context).filter(isGone)) {
    const type = (state: string) => (isKept(state) ? 'KeptTokenReleased' : 'TokenReleased');
    await run.report((at, state) => family.event({ type: type(state), at, data: { ticker } }));
  }
}

/** States in which nothing has been told of the work. */
const FIRST: ReadonlySet<string> = new Set(['started', 'sessionLost', 'activatingCoin', 'userActionProvided']);

async function activate<F extends FamilyTypes>(
  run: TaskRun<F['event']>,
  { state, context }: TaskPosition<F['context']>,
  options: WorkerOptions<F>,
): Promise<void> {
  const { queues, family, sessionOf } = options;
  const { started } = context;
  if (started === null) return;
  const leave = await queues.enter(started.params.ticker, run.signal);
  if (leave === null) return;
  try {
    // What came to nothing before may have left it anywhere.
    const begun = (at: Millis) => family.event({ type: 'ActivatingCoin', at, data: null });
    if (!FIRST.has(state) && !(await run.report(begun))) return;
    const passive = bringsTokensAlone(started.params.ticker, context, options);
    await makeAndRegister({ run, session: sessionOf(run.stream), context, passive }, options);
  } catch (error) {
    await cameToNothing(error, { run, context }, options);
  } finally {
    leave();
  }
}

const INSIDE = "The activation failed inside the node; see the node's log";

/** @throws NotBackYet; ReportUnwritten */
async function cameToNothing<F extends FamilyTypes>(
  error: unknown,
  { run, context }: Pick<Making<F>, 'run' | 'context'>,
  options: WorkerOptions<F>,
): Promise<void> {
  const { family, logger, clean, internal, active } = options;
  if (error instanceof WorkEnded || run.signal.aborted) return;
  // It says nothing about the coin: the work is done anew.
  if (error instanceof ReportUnwritten) throw error;
  const isKnown = error instanceof TaskFailure;
  if (!isKnown) {
    const { name } = error as { readonly name?: unknown };
    logger.error('an activation failed inside the node', { stream: run.stream, error: String(name) });
  }
  const inside = internal ?? ((text: string) => activationError('Internal', text, { frames: [family.name] }));
  const task = cleaned(isKnown ? error.task : inside(INSIDE), clean);
  const coin = context.started?.params.ticker ?? '';
  if (context.resumes && (!isKnown || error.passing)) {
    logger.warn('a coin that was in use is not yet active again', { coin, reason: task.error });
    throw new NotBackYet();
  }
  if (context.resumes && !active.has(coin)) {
    const coins = coinsOf(context, family).join(', ');
    logger.warn('a coin that was in use could not be activated again', { coins, reason: task.error });
  }
  await reportFailure(run, task, options);
}

/** Whether the tokens of a request are to be brought into use without their coin. @throws TaskFailure for a coin that is active */
function bringsTokensAlone<F extends FamilyTypes>(
  ticker: string,
  context: F['context'],
  { active, family }: WorkerOptions<F>,
): boolean {
  if (context.passive) return true;
  if (!active.has(ticker)) return false;
  // What was in use with it comes back, whatever has brought the coin back meanwhile.
  if (context.resumes && family.tokensHeld(context).some((token) => !active.has(token))) return true;
  throw new TaskFailure(activationError('PlatformIsAlreadyActivated', ticker, { frames: [family.name] }));
}

async function makeAndRegister<F extends FamilyTypes>(
  making: Making<F>,
  { make, active, family, onOutcome }: WorkerOptions<F>,
): Promise<void> {
  const { run, context, passive } = making;
  const ticker = context.started?.params.ticker ?? '';
  const { platform, details } = await make(making);
  let isRegistered = false;
  try {
    await run.report(
      (at) => family.event({ type: 'Completed', at, data: { details } }),
      () => {
        const registered = { ...platform, ticker, stream: run.stream };
        if (passive) active.addTokens(registered);
        else active.add(registered);
        isRegistered = true;
        onOutcome?.(run.stream, { ok: true, details });
      },
    );
  } finally {
    if (!isRegistered) platform.close();
  }
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
