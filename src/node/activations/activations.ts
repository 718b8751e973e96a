import type { Clock, Random } from '../../ports/clock.ts';
import type { Balances, HeldBy } from '../../ports/coin-wallet.ts';
import type { EventLog, NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { JsonObject } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { ActiveCoin } from '../active-coin.ts';
import { newUuid } from '../orders/parts.ts';
import {
  ACTIVATION_MACHINE,
  type Activation,
  type ActivationEnd,
  type ActivationMethod,
  activationCompleted,
  activationEnded,
  activationFailed,
  activationRequested,
  BALANCE_MACHINE,
  balanceChanged,
  foldActivation,
} from './events.ts';
import { loggedRequest, loggedText } from './logged-request.ts';

export type ActivationsOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Texts that are never written. */
  readonly hide: readonly string[];
};

/**
 * A coin that this process made active: its stream, and how many records it has. What a task activates stands in the stream of the task; here its
 * balances alone.
 */
type Session = {
  readonly stream: string;
  length: number;
  /** What was told last, by address. */
  readonly shown: Map<string, string>;
  looking: boolean;
  again: boolean;
};

/**
 * The activations of a node in its log, of which this is the only writer.
 *
 * - J8: a request is durable before any connection, and its result before the coin counts as active.
 * - J9: a balance is reported once it is durable, and once for each change, for every active coin and every address of its wallet. An address other
 *   than the coin's own is not reported before it holds something.
 * - J10: what was active when the node was ended is known until it is activated anew; no key and no password of a request is in the log, nor in
 *   the text of a failure.
 */
export class Activations {
  readonly #options: ActivationsOptions;
  readonly #sessions = new Map<string, Session>();
  /** Streams of earlier processes that have no end, by coin; the latest last. */
  readonly #before = new Map<string, Activation[]>();
  readonly #lengths = new Map<string, number>();
  #closed = false;

  constructor(options: ActivationsOptions) {
    this.#options = options;
  }

  /** Reads what earlier processes left. A stream that cannot be read is omitted. @throws LogError */
  async open(): Promise<void> {
    const { log, logger } = this.#options;
    const damaged = new Set(log.quarantined().map(({ stream }) => stream));
    for (const { stream } of await log.find({ machine: ACTIVATION_MACHINE, finished: false })) {
      if (damaged.has(stream)) continue;
      const records = await log.read(stream);
      try {
        const found = foldActivation(stream.slice(ACTIVATION_MACHINE.length + 1), records);
        this.#before.set(found.coin, [...(this.#before.get(found.coin) ?? []), found]);
        this.#lengths.set(found.uuid, records.length);
      } catch {
        logger.warn('an activation in the log cannot be read', { stream });
      }
    }
  }

  /** What was active when the last process ended and has not been activated since, in the order of their activation. */
  before(): readonly Activation[] {
    const open = [...this.#before.values()].flatMap((found) =>
      found.filter(({ state }) => state === 'active').slice(-1),
    );
    return open.sort((left, right) => left.at - right.at);
  }

  /** Activates by `create`. @throws what it throws, and LogError where the log does not take what was asked or what came of it */
  async run(
    asked: { readonly coin: string; readonly method: ActivationMethod; readonly request: JsonObject },
    create: () => Promise<ActiveCoin>,
  ): Promise<ActiveCoin> {
    const { hide } = this.#options;
    const { coin, method, request } = asked;
    const session = this.#newSession(ACTIVATION_MACHINE);
    const logged = { coin, method, request: loggedRequest(request, hide) };
    await this.#append(session, { record: activationRequested(logged, this.#now()), state: 'asked' });
    let made: ActiveCoin | null = null;
    try {
      made = await create();
      await this.#append(session, { record: activationCompleted(made, this.#now()), state: 'active' });
      await this.#endEarlier(coin);
      this.#sessions.set(coin, session);
      return made;
    } catch (error) {
      made?.close();
      const shown = this.#shown(error);
      await this.#fail(session, coin, shown);
      throw shown;
    }
  }

  /** What someone else said of a failure may quote the request, passwords in addresses among it. */
  #shown(error: unknown): unknown {
    if (!(error instanceof ActivationFailure)) return error;
    const text = loggedText(error.message, this.#options.hide);
    return text === error.message ? error : new ActivationFailure(error.kind, text);
  }

  /** A coin was taken out. Where the log does not take it, the coin counts as one that was active. */
  async end(coin: string): Promise<void> {
    const session = this.#sessions.get(coin);
    this.#sessions.delete(coin);
    if (session === undefined || isOfTask(session)) return;
    const record = activationEnded(coin, 'disabled', this.#now());
    try {
      await this.#append(session, { record, state: 'ended', finished: true });
    } catch {
      this.#options.logger.warn('the end of an activation could not be written', { coin });
    }
  }

  /** What was active in an earlier process is active anew by something that is written elsewhere. */
  #endedByOthers(coin: string): void {
    if (!this.#before.has(coin)) return;
    this.#endEarlier(coin).catch(() => {
      this.#options.logger.warn('the end of an activation could not be written', { coin });
    });
  }

  /** The chain of an active coin, whose news are looked at for its balance too, so that nobody asks twice. */
  tapped({ ticker, address, chain, walletOnly, balances, others }: ActiveCoin): RuntimeChain {
    if (!this.#sessions.has(ticker)) this.#sessions.set(ticker, this.#newSession(BALANCE_MACHINE));
    this.#endedByOthers(ticker);
    const look = (): void => void this.#look({ coin: ticker, address }, { balances, others });
    return {
      ...chain,
      ...(walletOnly ? { traits: { ...chain.traits, walletOnly } } : {}),
      subscribe: (onChange) =>
        chain.subscribe((news = 'changed') => {
          onChange(news);
          if (news === 'changed') look();
        }),
    };
  }

  /** Writes nothing any more. */
  close(): void {
    this.#closed = true;
  }

  async #look({ coin, address }: Own, { balances, others }: Pick<ActiveCoin, 'balances' | 'others'>): Promise<void> {
    const session = this.#sessions.get(coin);
    if (session === undefined) return;
    session.again = true;
    if (session.looking) return;
    session.looking = true;
    try {
      while (session.again) {
        session.again = false;
        const found = await balances();
        if (found.ok) await this.#note(session, { coin, address, balances: found.value });
        const beside = (await others?.()) ?? NO_OTHERS;
        for (const held of beside.ok ? beside.value : []) {
          const holds = session.shown.has(held.address) || !isNothing(held.balances);
          if (holds) await this.#note(session, { coin, ...held });
        }
      }
    } catch (error) {
      this.#options.logger.warn('a balance could not be written', { coin, error: (error as Error).name });
    } finally {
      session.looking = false;
    }
  }

  async #note(session: Session, { coin, address, balances }: HeldBy & { readonly coin: string }): Promise<void> {
    const { spendable, unspendable } = balances;
    const shown = `${spendable} ${unspendable}`;
    // The coin may have been taken out, or the node closed, while its chain was asked.
    if (this.#closed || shown === session.shown.get(address) || this.#sessions.get(coin) !== session) return;
    const record = balanceChanged({ coin, address, spendable, unspendable }, this.#now());
    await this.#append(session, { record, state: 'active', ...(isOfTask(session) ? { finished: true } : {}) });
    session.shown.set(address, shown);
  }

  async #fail(session: Session, coin: string, error: unknown): Promise<void> {
    const { kind, text } = failureOf(error);
    const record = activationFailed({ coin, kind, error: loggedText(text, this.#options.hide) }, this.#now());
    try {
      await this.#append(session, { record, state: 'failed', finished: true });
    } catch {
      // The caller learns why it failed, which says more than that the log refused it.
      this.#options.logger.warn('a failed activation could not be written', { coin, kind });
    }
  }

  async #endEarlier(coin: string): Promise<void> {
    const reason: ActivationEnd = 'activatedAnew';
    const earlier = this.#before.get(coin) ?? [];
    this.#before.delete(coin);
    for (const { uuid } of earlier) {
      const length = this.#lengths.get(uuid) ?? 0;
      const session: Session = { ...sessionOf(`${ACTIVATION_MACHINE}/${uuid}`), length };
      await this.#append(session, {
        record: activationEnded(coin, reason, this.#now()),
        state: 'ended',
        finished: true,
      });
    }
  }

  async #append(session: Session, { record, ...labels }: StreamLabels & { readonly record: NewRecord }): Promise<void> {
    const expected = session.length;
    // Counted before it is durable: what is appended at the same time takes the next place.
    session.length += 1;
    try {
      await this.#options.log.append({ stream: session.stream, expected, records: [record], labels });
    } catch (error) {
      session.length = expected;
      throw error;
    }
  }

  #newSession(machine: string): Session {
    return sessionOf(`${machine}/${newUuid(this.#options)}`);
  }

  #now(): Millis {
    return this.#options.clock.now();
  }
}

function failureOf(error: unknown) {
  if (error instanceof ActivationFailure) return { kind: error.kind, text: error.message } as const;
  return { kind: 'internal', text: 'the activation failed inside the node' } as const;
}

type Own = { readonly coin: string; readonly address: string };

const NO_OTHERS = { ok: true, value: [] } as const;

function isNothing({ spendable, unspendable }: Balances): boolean {
  return spendable === '0' && unspendable === '0';
}

function sessionOf(stream: string): Session {
  return { stream, length: 0, shown: new Map(), looking: false, again: false };
}

function isOfTask({ stream }: Session): boolean {
  return stream.startsWith(`${BALANCE_MACHINE}/`);
}
