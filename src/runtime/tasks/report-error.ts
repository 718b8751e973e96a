/** Work reported what the state of its task cannot accept: a bug of the worker. Nothing was written. */
export class ReportRefused extends Error {
  constructor(type: string, state: string) {
    super(`a task in the state ${state} takes no ${type}`);
    this.name = 'ReportRefused';
  }
}

/** No log accepts what work reported, or its listener failed. */
export class ReportUnwritten extends Error {
  constructor(cause: unknown) {
    super('the log did not take a report', { cause });
    this.name = 'ReportUnwritten';
  }
}
