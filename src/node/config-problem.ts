import { NodeError } from './error.ts';

/** A member of the configuration that is wrong, with what was expected. */
export function invalidConfig(
  facts: Readonly<Record<string, string>>,
  next = 'Correct the member; nothing was started.',
): NodeError {
  return new NodeError('The configuration of the node cannot be used.', {
    code: 'NODE_CONFIG_INVALID',
    facts,
    next,
    retry: 'operator',
  });
}
