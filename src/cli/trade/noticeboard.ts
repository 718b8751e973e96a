import { isJsonObject, type JsonObject, type JsonValue } from '../../primitives/json.ts';
import type { Told } from './calls.ts';
import type { Scene } from './scene.ts';

/** After one of them comes nothing. */
const ENDS = ['Finished', 'Stopped'];

const KINDS: Readonly<Record<string, 'swap' | 'order' | 'watch'>> = {
  SWAP_STATUS: 'swap',
  ORDER_STATUS: 'order',
  WATCHER_STATUS: 'watch',
};

type Telling = { readonly who: string; readonly kind: string; readonly name: string; readonly event: JsonObject };
type Waiter = { readonly holds: () => boolean; readonly resolve: () => void };

/** The events of a swap left out of what is shown, since another one beside them says the same. */
const UNSHOWN: ReadonlySet<string> = new Set(['SwapRequested', 'MessageReceived', 'DeadlineReached']);

/** What the nodes have told on their event streams, by name. */
export class Noticeboard {
  readonly #show: (scene: Scene) => void;
  readonly #events = new Map<string, Set<string>>();
  #waiters: readonly Waiter[] = [];

  constructor(show: (scene: Scene) => void) {
    this.#show = show;
  }

  /** Never throws: a reader of the play that went away is told of elsewhere. */
  readonly take = (who: string, { type, message }: Told): void => {
    const kind = KINDS[type];
    const event = kind === undefined ? null : eventIn(kind === 'watch' ? message : message[`${kind}_data`]);
    if (kind === undefined || event === null) return;
    const name = String(event['type']);
    const seen = this.#events.get(who) ?? new Set();
    this.#events.set(who, seen.add(name));
    try {
      this.#tell({ who, kind, name, event });
    } catch {
      // The next scene of the play itself throws as well.
    }
    this.#waiters = this.#waiters.filter(({ holds, resolve }) => {
      if (!holds()) return true;
      resolve();
      return false;
    });
  };

  #tell({ who, kind, name, event }: Telling): void {
    if (kind === 'order') this.#show({ kind: 'line', who, text: `order: ${name}` });
    else if (!UNSHOWN.has(name))
      this.#show({ kind: 'event', who, event: name, detail: detailIn(event['data'] ?? null) });
  }

  /** Waits until each of them has told this event of the swap, or its end; false where one came to its end without it. */
  async until(event: string, ...of: readonly string[]): Promise<boolean> {
    const has = (who: string): boolean => {
      const told = this.#events.get(who);
      return told?.has(event) === true || ENDS.some((end) => told?.has(end) === true);
    };
    const holds = (): boolean => of.every(has);
    if (!holds()) {
      await new Promise<void>((resolve) => {
        this.#waiters = [...this.#waiters, { holds, resolve }];
      });
    }
    return of.every((who) => this.#events.get(who)?.has(event) === true);
  }
}

function eventIn(data: JsonValue | undefined): JsonObject | null {
  const inner = isJsonObject(data) ? data['event'] : undefined;
  const event = isJsonObject(inner) ? inner['event'] : undefined;
  return isJsonObject(event) ? event : null;
}

/** The transaction that an event tells of, or why something failed. */
function detailIn(data: JsonValue): string | null {
  if (!isJsonObject(data)) return null;
  const { tx_hash, transaction, error } = data;
  if (typeof error === 'string') return error;
  if (typeof tx_hash === 'string') return tx_hash;
  return isJsonObject(transaction) && typeof transaction['tx_hash'] === 'string' ? transaction['tx_hash'] : null;
}
