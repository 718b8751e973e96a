import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import type { Compatibility } from '../../../src/node/node.ts';
import { initParams } from '../../../src/node/tasks/eth-params.ts';
import { createEthTasks } from '../../../src/node/tasks/eth-tasks.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { EvmActivator } from '../../../src/ports/evm-activator.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { virtualClock } from '../virtual-clock.ts';
import { EvmDouble } from './evm-double.ts';

export const CONTRACT = `0x${'24'.repeat(20)}`;
const TOKEN = `0x${'57'.repeat(20)}`;

export const coins = coinsOf(
  [
    { coin: 'ETH', trezor_coin: 'Ethereum', protocol: { type: 'ETH', protocol_data: { chain_id: 1 } } },
    { coin: 'MATIC', protocol: { type: 'ETH', protocol_data: { chain_id: 137 } } },
    { coin: 'ONE', protocol: { type: 'ETH', protocol_data: { chain_id: 1666600000 } } },
    { coin: 'AVAX', protocol: { type: 'ETH', protocol_data: { chain_id: 43114 } } },
    { coin: 'BNB', protocol: { type: 'ETH', protocol_data: { chain_id: 56 } } },
    { coin: 'FTM', protocol: { type: 'ETH', protocol_data: { chain_id: 250 } } },
    { coin: 'ETH-ARB20', protocol: { type: 'ETH', protocol_data: { chain_id: 42161 } } },
    { coin: 'OTHER', protocol: { type: 'ETH', protocol_data: { chain_id: 99 } } },
    { coin: 'TOK', protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: TOKEN } } },
    { coin: 'DOC', protocol: { type: 'UTXO' } },
    { coin: 'BAD', protocol: { type: 'ETH' } },
    { coin: 'BADTOK', protocol: { type: 'ERC20' } },
  ],
  'the suite',
);

export const least = {
  ticker: 'ETH',
  swap_contract_address: CONTRACT,
  erc20_tokens_requests: [],
  nodes: [{ url: 'http://node.example' }],
};

/** As a client would send it, read. */
export function asked(members: object = {}) {
  return initParams.specification.parse({ ...least, ...members });
}

/** One log and clock, and processes over them, of which one runs at a time. */
export function taskBench(log: EventLog = createMemoryLog()) {
  const clock = virtualClock();
  const lines: string[] = [];
  const say = (text: string, fields: object = {}) => void lines.push(`${text} ${JSON.stringify(fields)}`);
  const logger = { info: say, warn: say, error: say };
  /** A process that has not opened its log. */
  const make = <A extends EvmActivator = EvmDouble>(
    evm: A = new EvmDouble() as EvmActivator as A,
    compatibility: Compatibility = 'specification',
  ) => {
    const tasks = createEthTasks({ activator: evm, coins, log, clock, logger, hide: ['hunter2'], compatibility });
    return {
      tasks,
      evm,
      async idOf(members: object = {}): Promise<number> {
        const answer = await tasks.init(asked(members));
        if (!answer.ok || typeof answer.result !== 'object' || !('task_id' in answer.result)) {
          throw new Error(`no task: ${JSON.stringify(answer)}`);
        }
        return answer.result.task_id;
      },
      /** What `status` tells, without forgetting. */
      async seen(id: number): Promise<unknown> {
        await clock.advance(0);
        const answer = await tasks.status(id, false);
        return answer.ok ? answer.result : answer.error.error_type;
      },
      pin: (id: number, value: string) => tasks.userAction(id, { action_type: 'TrezorPin', value: new Secret(value) }),
      passphrase: (id: number, value: string) =>
        tasks.userAction(id, { action_type: 'TrezorPassphrase', value: new Secret(value) }),
    };
  };
  return {
    log,
    clock,
    lines,
    settle: () => clock.advance(0),
    make,
    /** A process: its tasks, and the outside world as it meets it. */
    async start<A extends EvmActivator = EvmDouble>(evm?: A, compatibility?: Compatibility) {
      const made = make(evm, compatibility);
      await made.tasks.open();
      return made;
    },
    async typesOf(id: number): Promise<readonly string[]> {
      return (await log.read(`enable-eth/${id}`)).map(({ type }) => type);
    },
  };
}
