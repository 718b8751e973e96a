/** Whether a process of this machine has that id now, whoever runs it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is alive, too.
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}
