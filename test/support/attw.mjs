// Runs `attw`, which asks of every import whether folders exist, and each time compares a path with those of all files of the package. With an index
// of its folders the same answers take an eighth of the time.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cli = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
const core = createRequire(cli).resolve('@arethetypeswrong/core');
const { Package } = await import(pathToFileURL(core));

const indexes = new WeakMap();

function foldersOf(pack) {
  const folders = new Set(['/']);
  for (const file of pack.listFiles()) {
    for (let end = file.indexOf('/', 1); end >= 0; end = file.indexOf('/', end + 1))
      folders.add(file.slice(0, end + 1));
  }
  return folders;
}

Package.prototype.directoryExists = function directoryExists(path) {
  const folders = indexes.get(this) ?? foldersOf(this);
  indexes.set(this, folders);
  return folders.has(path.endsWith('/') ? path : `${path}/`);
};

await import(pathToFileURL(join(cli, '../dist/index.js')));
