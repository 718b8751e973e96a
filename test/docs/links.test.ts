import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** As GitHub names the places of a page: by the text of its headings, and the second of a name with -1 behind it. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const found = [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(found);
}

describe('a page', () => {
  it('is found, as are those of the documentation', () => {
    expect(pages).toContain('README.md');
    expect(pages.length).toBeGreaterThan(50);
  });

  it.each(pages)('%s links to files and headings that exist', (page) => {
    const links = [...textOf(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const lost = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : relative(ROOT, normalize(join(ROOT, dirname(page), path)));
      if (target.startsWith('..') || !existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(lost).toEqual([]);
  });
});
