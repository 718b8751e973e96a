/** Work reported what the state of its task cannot take: a mistake of whoever works. Nothing was written. */
export class ReportRefused extends Error {
  constructor(type: string, state: string) {
    super(`a task in the state ${state} takes no ${type}`);
    this.name = 'ReportRefused';
  }
}

/** No log takes what work reported, or whoever was to be told of it failed. */
export class ReportUnwritten extends Error {
  constructor(cause: unknown) {
    super('the log did not take a report', { cause });
    this.name = 'ReportUnwritten';
  }
}
