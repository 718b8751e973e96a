import type { TaskError } from '../../events/task-error.ts';

/** An activation that came to nothing. It ends in the outcome of its task. */
export class TaskFailure extends Error {
  readonly task: TaskError;
  /** Whether the same activation may succeed later. */
  readonly passing: boolean;

  constructor(task: TaskError, { passing = false }: { readonly passing?: boolean } = {}) {
    super(task.error);
    this.name = 'TaskFailure';
    this.task = task;
    this.passing = passing;
  }
}
