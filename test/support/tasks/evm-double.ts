import type { UserActionType } from '../../../src/events/enable-eth.ts';
import type {
  ActivatedEvm,
  EvmActivationOrder,
  EvmActivationResult,
  EvmActivationStep,
  EvmActivationTalk,
  EvmActivator,
} from '../../../src/ports/evm-activator.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { silentCoin } from './silent-coin.ts';

/** What a script of an activation does next. */
export type Deed =
  | { readonly tell: EvmActivationStep }
  | { readonly ask: UserActionType }
  /** Waits until the test lets it go on, or the work is ended. */
  | 'wait'
  /** The same, but it does not look whether the work was ended. */
  | 'hang'
  | { readonly fail: Extract<EvmActivationResult, { readonly ok: false }>['fault'] }
  | 'throw';

export const ADDRESS = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';

const amount = (text: string) => text as DecimalText;

/** What the double finds of an order on its chain. */
export function found(order: EvmActivationOrder, close: () => void): ActivatedEvm {
  const tickers = [order.ticker, ...order.tokens.map(({ ticker }) => ticker)];
  const balance = (place: number) => ({ spendable: amount(`${place + 1}.5`), unspendable: amount('0') });
  const balances = Object.fromEntries(tickers.map((ticker, place) => [ticker, balance(place)]));
  return {
    block: 17,
    wallet: {
      kind: 'address',
      address: ADDRESS,
      pubkey: `04${'ab'.repeat(64)}`,
      balances: order.request.get_balances ? balances : null,
    },
    coins: tickers.flatMap((ticker, place) =>
      (place === 0 ? !order.passive : order.tokens[place - 1]?.kept === undefined)
        ? silentCoin({
            ...{ ticker, address: ADDRESS, balances: balance(place) },
            platform: place === 0 ? null : order.ticker,
          })
        : [],
    ),
    nfts: {},
    close,
  };
}

/**
 * Activates by scripts, with what a real one holds: one session of a device at a time, which a second one would disturb, and connections that are
 * open until they are let go of.
 */
export class EvmDouble implements EvmActivator {
  /** What each activation does before it is done; the last one is repeated. */
  scripts: readonly (readonly Deed[])[];
  readonly orders: EvmActivationOrder[] = [];
  /** Answers of users, as they came. */
  readonly answers: string[] = [];
  /** Activations under way, and coins that are connected. */
  underWay = 0;
  open = 0;
  /** The most of one coin that were under way together. */
  mostOfOne = 0;
  readonly #of = new Map<string, number>();
  #waiting: (() => void)[] = [];

  constructor(scripts: readonly (readonly Deed[])[] = [[]]) {
    this.scripts = scripts;
  }

  /** Lets whatever waits go on. */
  goOn(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async activate(order: EvmActivationOrder, talk: EvmActivationTalk): Promise<EvmActivationResult> {
    const script = this.scripts[Math.min(this.orders.length, this.scripts.length - 1)] ?? [];
    this.orders.push(order);
    this.underWay += 1;
    const together = (this.#of.get(order.ticker) ?? 0) + 1;
    this.#of.set(order.ticker, together);
    this.mostOfOne = Math.max(this.mostOfOne, together);
    try {
      for (const deed of script) {
        const result = await this.#do(deed, talk);
        if (result !== undefined) return result;
      }
      this.open += 1;
      return { ok: true, value: found(order, () => (this.open -= 1)) };
    } finally {
      this.underWay -= 1;
      this.#of.set(order.ticker, (this.#of.get(order.ticker) ?? 1) - 1);
    }
  }

  async #do(deed: Deed, talk: EvmActivationTalk): Promise<EvmActivationResult | undefined> {
    if (deed === 'throw') throw new TypeError('a mistake of the double');
    if (deed === 'wait' || deed === 'hang') {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        if (deed === 'wait') talk.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return undefined;
    }
    if ('fail' in deed) return { ok: false, fault: deed.fail };
    if ('tell' in deed) await talk.tell(deed.tell);
    else this.answers.push((await talk.ask(deed.ask)).reveal());
    return undefined;
  }
}
