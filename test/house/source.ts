import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from '../../scripts/read-imports.mjs';

const ROOT = fileURLToPath(new URL('../../src/', import.meta.url));

/** One file of src, by its path from there, such as `schema/codec.ts`. */
export interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  /** Paths from src of the project's own files that it imports, re-exports or names as a type. */
  readonly imports: readonly string[];
  /** Those of them that are more than types: what runs with it. */
  readonly values: readonly string[];
}

/** A specifier as the path from src that it stands for. */
function resolved(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

/** How a file is parsed. */
export const langOf = (path: string): 'ts' | 'tsx' => (path.endsWith('x') ? 'tsx' : 'ts');

const isSource = (path: string): boolean => /\.tsx?$/.test(path);

function readSource(): SourceFile[] {
  const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  return paths
    .filter(isSource)
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const own = (imports: readonly { readonly specifier: string }[]): string[] =>
        imports.map(({ specifier }) => resolved(path, specifier)).filter(isSource);
      const imports = readImports(text, langOf(path));
      const lines = text.replace(/\n$/, '').split('\n');
      return { path, lines, imports: own(imports), values: own(imports.filter(({ type }) => !type)) };
    });
}

/** Every file of src. */
export const source: readonly SourceFile[] = readSource();

/** The folder that a file stands in, or its own name at the top: `schema`, `import`, `index`. */
export function roomOf(path: string): string {
  const [first = ''] = path.split('/');
  return dirname(path) === '.' ? first.replace(/\.ts$/, '') : first;
}

/** Groups of files that import each other in a circle, by Tarjan's strongly connected components. */
export function circles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const edges = new Map(files.map(({ path, imports }) => [path, imports]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): number => {
    const own = index.size;
    index.set(path, own);
    low.set(path, own);
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      const reach = !index.has(next) ? visit(next) : stack.includes(next) ? (index.get(next) ?? own) : own;
      low.set(path, Math.min(low.get(path) ?? own, reach));
    }
    if (low.get(path) === own) {
      const circle = stack.splice(stack.indexOf(path)).sort();
      if (circle.length > 1 || (edges.get(path) ?? []).includes(path)) found.push(circle);
    }
    return low.get(path) ?? own;
  };
  for (const { path } of files) if (!index.has(path)) visit(path);
  return found;
}
