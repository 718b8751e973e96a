import type { TaskError } from '../../events/task-error.ts';

/** An activation that came to nothing. It ends in the outcome of its task. */
export class TaskFailure extends Error {
  readonly task: TaskError;
  /** Whether the same activation may succeed later. */
  readonly passing: boolean;
  /** More than the real node says, for callers that do not get its words; null for nothing. */
  readonly why: string | null;

  constructor(task: TaskError, { passing = false, why = null }: Partial<Pick<TaskFailure, 'passing' | 'why'>> = {}) {
    super(task.error);
    this.why = why;
    this.name = 'TaskFailure';
    this.task = task;
    this.passing = passing;
  }
}
