import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Which release answers. */
export const version: FrameworkMethod<FrameworkContext> = {
  name: 'version',
  summary: 'Returns the release of the node.',
  isPublic: true,
  legacy: { run: (_request, { node }) => ({ result: node.version, datetime: node.datetime }) },
};
