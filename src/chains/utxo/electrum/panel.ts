import type { ElectrumAnswer, ElectrumCall } from './connection.ts';

/** One server that can be asked by itself. */
export type ElectrumVoice = {
  readonly url: string;
  /** @throws ConnectionLost */
  readonly batch: (calls: readonly ElectrumCall[]) => Promise<readonly ElectrumAnswer[]>;
};

/** The answer of one server. */
export type Told = { readonly voice: ElectrumVoice; readonly answers: readonly ElectrumAnswer[] };

/** Several servers that get the same questions, so that money depends on no single one. */
export type Panel = {
  /** How many servers must agree: 2 if more than one is configured. */
  readonly quorum: number;
  /**
   * Asks as many as the quorum, the best first and others in the place of those that are slow, or all that are connected. Fewer
   * answers come where fewer are there.
   *
   * @throws BackendSilent when none answers
   */
  readonly survey: (calls: readonly ElectrumCall[], of: 'quorum' | 'all') => Promise<readonly Told[]>;
  /** A server gave a false answer: disconnects it, reports it, and avoids it for a while. */
  readonly distrust: (url: string, why: string) => void;
};

/** A source of answers in the Electrum protocol. */
export type ElectrumBackend = {
  readonly batch: (calls: readonly ElectrumCall[]) => Promise<readonly ElectrumAnswer[]>;
  /** Called when a server has sent a notification. */
  readonly onNews: (told: () => void) => { readonly close: () => void };
  /** @defaultValue one trusted server, that of `batch` */
  readonly panel?: Panel;
};

/** A server contradicts what is proven. */
export class VoiceAtFault extends Error {
  readonly url: string;

  constructor({ url }: Pick<ElectrumVoice, 'url'>, why: string) {
    super(`${url} ${why}`);
    this.url = url;
  }
}

/** Something changed between two questions: repeat the whole look. */
export class Unsteady extends Error {
  /** Whose answers changed; null where it is none's alone. */
  readonly url: string | null;

  constructor(message: string, voice: Pick<ElectrumVoice, 'url'> | null = null) {
    super(message);
    this.url = voice?.url ?? null;
  }
}

/** The panel of a backend; a panel of one if it has none. */
export function panelOf({ batch, panel }: ElectrumBackend): Panel {
  const voice: ElectrumVoice = { url: 'an Electrum server', batch };
  return (
    panel ?? {
      quorum: 1,
      survey: async (calls) => [{ voice, answers: await batch(calls) }],
      distrust() {},
    }
  );
}
