import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the papers stand. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Written in other ways than by hand: their words come from the definitions that the program itself uses. */
const MADE = ['docs/api.md', 'docs/commands.md', 'docs/interface.md', 'docs/licences.md'];

/** One page. */
export interface Paper {
  /** Its path from the root, such as `docs/import.md`. */
  readonly path: string;
  readonly text: string;
  /** Made by a script. */
  readonly made: boolean;
}

/** The README, and every page in docs/. */
export const papers: readonly Paper[] = [
  'README.md',
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
].map((path) => ({
  path,
  text: readFileSync(`${ROOT}${path}`, 'utf8').replaceAll('\r\n', '\n'),
  made: MADE.includes(path),
}));

/** A page by its path. Throws where there is none. */
export function paper(path: string): Paper {
  const found = papers.find((one) => one.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}.`);
  return found;
}

const FENCE = /^```[^\n]*\n([\s\S]*?)^```$/gm;

/** What stands between fences. */
export const fences = ({ text }: Paper): string[] =>
  [...text.matchAll(FENCE)].map(([, inside = '']) => inside);

/** The text outside fences and comments. */
export const outsideFences = ({ text }: Paper): string =>
  text.replace(FENCE, '\n').replace(/<!--[\s\S]*?-->/g, '\n');

/** The anchors of a page's headings, as code hosts make them. */
export function anchors(page: Paper): string[] {
  const seen = new Map<string, number>();
  return [...outsideFences(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** Where a page's links and pictures lead. */
export const links = (page: Paper): string[] =>
  [
    ...outsideFences(page)
      .replace(/`[^`]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, to = '']) => to);
