/** What the suites use of two clients for Bitcoin's JSON-RPC, which bring no types. */
declare module 'bitcoin-core' {
  type Options = {
    readonly host: string;
    readonly username: string;
    readonly password: string;
    readonly timeout?: number;
  };
  class Client {
    constructor(options: Options);
    command(method: string, ...params: readonly unknown[]): Promise<unknown>;
    command(batch: readonly { readonly method: string; readonly parameters: readonly unknown[] }[]): Promise<unknown>;
  }
  export = Client;
}

declare module 'bitcoind-rpc' {
  type Reply = { readonly result: unknown };
  type Failure = { readonly code: number; readonly message: string };
  type Method = (...paramsAndCallback: readonly unknown[]) => void;
  class RpcClient {
    constructor(url: string);
    batch(calls: () => void, done: (failure: Failure | undefined, replies: readonly Reply[]) => void): void;
    readonly [method: string]: Method;
  }
  export = RpcClient;
}
