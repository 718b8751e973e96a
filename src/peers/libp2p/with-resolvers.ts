type Resolvers = {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
};

/** `Promise.withResolvers`, which libp2p uses and Node has from 22 on. Changes nothing if it exists. */
export function provideWithResolvers(): void {
  if ('withResolvers' in Promise) return;
  Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, configurable: true, writable: true });
}

function withResolvers(this: PromiseConstructor): Resolvers {
  let resolve: Resolvers['resolve'] = () => {};
  let reject: Resolvers['reject'] = () => {};
  const promise = new this<unknown>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
