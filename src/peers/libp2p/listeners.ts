/** Who listens to which topic in this node. */
export type Listeners<Envelope> = {
  readonly add: (topic: string, onMessage: (envelope: Envelope) => void) => { readonly close: () => void };
  readonly has: (topic: string) => boolean;
  /** Gives each listener its own copy. An error of a listener affects no other. */
  readonly tell: (topic: string, envelope: Envelope) => void;
  readonly topics: () => readonly string[];
  readonly clear: () => void;
};

export type ListenersOptions = {
  /** Reports a topic that gets its first listener, or loses its last one. */
  readonly onChange: (topic: string, listens: boolean) => void;
  readonly onFault: (topic: string, error: unknown) => void;
};

export function createListeners<Envelope>({ onChange, onFault }: ListenersOptions): Listeners<Envelope> {
  type Listener = { readonly onMessage: (envelope: Envelope) => void };
  const topics = new Map<string, Set<Listener>>();

  const remove = (topic: string, listener: Listener): void => {
    const known = topics.get(topic);
    if (known?.delete(listener) !== true || known.size > 0) return;
    topics.delete(topic);
    onChange(topic, false);
  };
  return {
    add(topic, onMessage) {
      const listener = { onMessage };
      const known = topics.get(topic);
      if (known !== undefined) known.add(listener);
      else {
        topics.set(topic, new Set([listener]));
        onChange(topic, true);
      }
      return { close: () => remove(topic, listener) };
    },
    has: (topic) => topics.has(topic),
    tell(topic, envelope) {
      for (const listener of [...(topics.get(topic) ?? [])]) {
        if (topics.get(topic)?.has(listener) !== true) continue;
        try {
          listener.onMessage(structuredClone(envelope));
        } catch (error) {
          onFault(topic, error);
        }
      }
    },
    topics: () => [...topics.keys()],
    clear: () => topics.clear(),
  };
}
