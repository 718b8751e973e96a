import type { HoldingProxy } from '../evm/holding-proxy.ts';
import { type AskingDevice, PLACES } from '../evm-wallets/asking-device.ts';
import type { Followed } from './followed.ts';

/** What a task meets outside of its node. */
export type Outside = { readonly proxy: HoldingProxy; readonly asking: AskingDevice };

/** Whoever has begun a task and sits before the device. */
export type TaskUser = {
  /** Answers what the device asks until one of these is told. */
  readonly until: (...statuses: readonly string[]) => Promise<string>;
  readonly enter: (passphrase: string) => Promise<unknown>;
};

/** A status in which a task with a device stands still, and how it comes there. */
export type TaskPlace = {
  readonly status: string;
  readonly when?: string;
  /** Before the task is begun. */
  readonly before?: (outside: Outside) => Promise<void> | void;
  readonly reach: (outside: Outside, user: TaskUser) => Promise<unknown>;
  /** Before the next task. */
  readonly after?: (outside: Outside) => Promise<void> | void;
};

/** All but the last one, in which nothing outside is asked any more. */
export const TASK_PLACES: readonly TaskPlace[] = [
  {
    status: 'ActivatingCoin',
    when: 'before the device is asked',
    before: ({ proxy }) => proxy.hold(),
    reach: ({ proxy }) => proxy.held(),
  },
  {
    status: 'WaitingForDeviceToConnect',
    before: ({ asking }) => asking.device.unplug(),
    reach: (_, { until }) => until('WaitingForDeviceToConnect'),
    after: ({ asking }) => asking.device.plugIn(),
  },
  { status: 'EnterTrezorPin', reach: (_, { until }) => until('EnterTrezorPin') },
  { status: 'EnterTrezorPassphrase', reach: (_, { until }) => until('EnterTrezorPassphrase') },
  {
    status: 'FollowHwDeviceInstructions',
    before: ({ asking }) => asking.press(false),
    reach: (_, { until }) => until('FollowHwDeviceInstructions'),
    after: ({ asking }) => asking.press(true),
  },
  {
    status: 'ActivatingCoin',
    when: 'after the device has answered',
    async reach({ proxy }, { until, enter }) {
      await until('EnterTrezorPassphrase');
      proxy.hold();
      await enter('');
      await until('ActivatingCoin');
      await proxy.held();
    },
  },
  {
    status: 'RequestingWalletBalance',
    before: ({ proxy }) => proxy.hold(['eth_getBalance']),
    async reach({ proxy }, { until }) {
      await until('RequestingWalletBalance');
      await proxy.held();
    },
  },
];

type Acting = { readonly stream: Followed; readonly act: (user_action: object) => Promise<unknown> };

/** Follows a task by what is pushed of it. */
export function taskUser({ stream, act }: Acting): TaskUser {
  const enter = (passphrase: string) => act({ action_type: 'TrezorPassphrase', passphrase });
  return {
    enter,
    async until(...statuses) {
      for (;;) {
        const status = await stream.until('EnterTrezorPin', 'EnterTrezorPassphrase', ...statuses);
        if (statuses.includes(status)) return status;
        await (status === 'EnterTrezorPin' ? act({ action_type: 'TrezorPin', pin: PLACES }) : enter(''));
      }
    },
  };
}
