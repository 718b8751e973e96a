import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressText } from '../../../src/chains/evm/address.ts';
import { accountOf } from '../../../src/chains/evm/transaction.ts';
import { connectDaemon } from '../../../src/chains/utxo/daemon/client.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode, type NodeOptions, type TradingNode } from '../../../src/node/node.ts';
import { openNodeLog } from '../../../src/node/node-log.ts';
import { createInProcessNetwork, createOrderNetwork } from '../../../src/peers/in-process/index.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { createAccess } from '../../../src/rpc/framework/access.ts';
import { dispatchFramework } from '../../../src/rpc/framework/dispatch.ts';
import { frameworkMethods } from '../../../src/rpc/framework/method.ts';
import { FRAMEWORK_METHODS } from '../../../src/rpc/framework/methods.ts';
import { rounds } from '../litecoin/line.ts';
import { createScanner, type Scanner, watchNode } from '../scanner.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../utxo/embedded-chain.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { CHAIN_ID, EvmTestChain } from './adapter-chain.ts';

export type EvmSide = 'maker' | 'taker';
export type Answered = { readonly http: number } & { readonly [member: string]: unknown };

export type EvmParty = {
  /** Account of the wallet, 40 hex digits. */
  readonly account: string;
  readonly key: Uint8Array;
  readonly node: () => TradingNode;
  readonly call: (request: object) => Promise<Answered>;
  /** Activates the coin of outputs, then ether with the tokens, by a task. */
  readonly activate: () => Promise<void>;
  /** Closes the node; another one over the same log takes its place. */
  readonly reopen: () => Promise<void>;
};

export type TradingEvm = {
  readonly clock: VirtualClock;
  readonly evm: EvmTestChain;
  readonly outputs: EmbeddedChain;
  readonly parties: Readonly<Record<EvmSide, EvmParty>>;
  readonly tokens: Readonly<Record<string, string>>;
  readonly scanner: Scanner;
  /** Lets time pass, with the blocks of both chains. False when the condition does not hold within so many minutes. */
  readonly until: (condition: () => boolean | Promise<boolean>, minutes?: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const PASSWORD = new Secret('a password of the RPC');
const METHODS = frameworkMethods(FRAMEWORK_METHODS);
const CALLER = { address: '127.0.0.1', local: true };
/** Seconds between two blocks. */
export const EVM_BLOCK = 15;
export const DOC_BLOCK = 60;

/** Calls over HTTP that are under way, with the bodies of their answers. */
function countingFetch() {
  const plain = globalThis.fetch;
  let busy = 0;
  globalThis.fetch = async (...given) => {
    busy += 1;
    try {
      const answer = await plain(...given);
      return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
    } finally {
      busy -= 1;
    }
  };
  return {
    busy: () => busy,
    restore() {
      globalThis.fetch = plain;
    },
  };
}

/** Two trading nodes in this process between a chain of outputs and a node of an EVM chain, with tokens of so many digits, and timings of swaps. */
export async function tradingEvm(
  tokenDigits: Readonly<Record<string, number>>,
  policy: NonNullable<NodeOptions['policy']> = {},
): Promise<TradingEvm> {
  // What is three blocks deep is final.
  const evm = await EvmTestChain.start(['--slots-in-an-epoch=1']);
  const outputs = await startEmbeddedChain();
  const calls = countingFetch();
  const scanner = createScanner();
  scanner.hideText('the password of the RPC', PASSWORD.reveal());
  let asked = 0;
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 3; ) {
      await rounds(1);
      calm = asked + calls.busy() === 0 ? calm + 1 : 0;
    }
  };
  const clock = virtualClock((outputs.now() + 60) * 1000, settle);
  const seconds = (): number => Math.floor(clock.now() / 1000);
  await evm.mineAt(seconds());
  const tokens: Record<string, string> = {};
  for (const [ticker, decimals] of Object.entries(tokenDigits)) tokens[ticker] = await evm.token({ decimals });
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-evm-'));
  const confpath = join(folder, 'DOC.conf');
  writeFileSync(confpath, outputs.conf);
  const coins = coinsOf(entriesOf({ confpath, tokens }), 'the coins of the pair');
  const connect: NodeOptions['connect'] = (access) => {
    const client = connectDaemon(access);
    return {
      async batch(all) {
        asked += 1;
        try {
          return await client.batch(all);
        } finally {
          asked -= 1;
        }
      },
    };
  };
  const network = createInProcessNetwork();
  const orderNetwork = createOrderNetwork();
  const partyOf = async (side: EvmSide): Promise<EvmParty> => {
    const phrase = `the passphrase of the ${side} of ether`;
    scanner.hidePhrase(`the phrase of the ${side}`, phrase);
    const wallet = walletOfPassphrase(new Secret(phrase));
    const { key } = wallet.coins;
    const see = (message: string, fields?: object) => void scanner.see('log', `${message} ${JSON.stringify(fields)}`);
    const logger = { info: see, warn: see, error: see };
    const peers = network.peer(bytesToHex(key.subarray(1)));
    const orders = orderNetwork.node(bytesToHex(key.subarray(1)));
    const open = async (): Promise<TradingNode> => {
      const log = await openNodeLog({ dbdir: join(folder, side), key });
      const made = createNode({ coins, signer: wallet, log, peers, orders, clock, connect, logger, policy });
      watchNode(scanner, made);
      await made.start();
      return made;
    };
    let node = await open();
    const access = createAccess({ password: PASSWORD, localOnly: true });
    const call = async (request: object): Promise<Answered> => {
      const body = JSON.stringify({ userpass: PASSWORD.reveal(), ...request });
      const context = { node, version: 'a test', datetime: 'now', stop() {} };
      const terms = { methods: METHODS, node: context, access, logger };
      const answer = await dispatchFramework({ body, httpMethod: 'POST', caller: CALLER }, terms);
      scanner.see('answer', answer.body);
      return { http: answer.status, ...(JSON.parse(answer.body) as object) };
    };
    return {
      ...{ account: accountOf(key), key, call },
      node: () => node,
      async activate() {
        const enabled = await call({ method: 'enable', coin: 'DOC' });
        if (enabled['result'] !== 'success') throw new Error(`DOC was not activated: ${String(enabled['error'])}`);
        const begun = await call({
          ...{ mmrpc: '2.0', method: 'task::enable_eth::init' },
          params: {
            ...{ ticker: 'ETH', nodes: [{ url: evm.url }], swap_contract_address: addressText(evm.contract) },
            erc20_tokens_requests: Object.keys(tokens).map((ticker) => ({ ticker })),
          },
        });
        // The node activates again what was active before it was closed.
        if (begun['error_type'] === 'PlatformIsAlreadyActivated') return;
        const { task_id } = begun['result'] as { readonly task_id: number };
        const status = { mmrpc: '2.0', method: 'task::enable_eth::status', params: { task_id } };
        for (;;) {
          await clock.advance(0);
          const told = (await call(status))['result'] as { readonly status: string };
          if (told.status === 'Ok') return;
          if (told.status !== 'InProgress') throw new Error(`ETH was not activated: ${JSON.stringify(told)}`);
        }
      },
      async reopen() {
        await node.close();
        node = await open();
      },
    };
  };
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker') };
  const mined = { evm: seconds(), outputs: seconds() };
  const mineDue = async (): Promise<void> => {
    for (; mined.evm + EVM_BLOCK <= seconds(); mined.evm += EVM_BLOCK) await evm.mineAt(mined.evm + EVM_BLOCK);
    for (; mined.outputs + DOC_BLOCK <= seconds(); mined.outputs += DOC_BLOCK) {
      outputs.setTime(mined.outputs + DOC_BLOCK);
      await outputs.mine(1);
    }
  };
  return {
    ...{ clock, evm, outputs, parties, tokens, scanner },
    async until(condition, minutes = 240) {
      for (let halves = 0; halves < 2 * minutes; halves++) {
        await clock.advance(0);
        if (await condition()) return true;
        await clock.advance(30_000);
        await mineDue();
      }
      return condition();
    },
    async close() {
      for (const party of Object.values(parties)) await party.node().close();
      await outputs.close();
      calls.restore();
      evm.stop();
      scanner.requireNone();
    },
  };
}

function entriesOf({ confpath, tokens }: { confpath: string; tokens: Readonly<Record<string, string>> }): JsonObject[] {
  return [
    {
      ...{ coin: 'DOC', mm2: 1, txversion: 4, overwintered: 1, mature_confirmations: 1, required_confirmations: 2 },
      ...{ avg_blocktime: DOC_BLOCK, txfee: 3000, protocol: { type: 'UTXO' }, confpath },
    },
    {
      ...{ coin: 'ETH', mm2: 1, required_confirmations: 3, avg_blocktime: EVM_BLOCK, max_eth_tx_type: 2 },
      protocol: { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } },
    },
    ...Object.entries(tokens).map(([coin, token]) => ({
      ...{ coin, mm2: 1 },
      protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: addressText(token) } },
    })),
  ];
}
