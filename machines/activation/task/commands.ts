import type { TaskLimits } from '../../../src/events/task-payloads.ts';

/** Starts a task. The call carries what a pure function cannot know. */
export type InitCommand<R> = {
  readonly method: 'init';
  /** A shared count for all task families, from 0. */
  readonly task_id: number;
  readonly request: R;
  readonly client_id: number;
  /** The platform coin is active in this session. */
  readonly platformActive: boolean;
  /** @defaultValue 300 s for a user action, 300 s for a device, none for the whole activation */
  readonly limits?: TaskLimits;
};

export type StatusCommand = {
  readonly method: 'status';
  readonly task_id: number;
  readonly forget_if_finished: boolean;
};

/** An answer to a request for input, in the family's form. */
export type UserActionCommand<A> = { readonly method: 'user_action'; readonly task_id: number; readonly action: A };

export type CancelCommand = { readonly method: 'cancel'; readonly task_id: number };

/** A call of `task::<family>::{init,status,user_action,cancel}` with its parameters read. */
export type TaskCommand<R, A> = InitCommand<R> | StatusCommand | UserActionCommand<A> | CancelCommand;
