import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

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

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)(['"])(\.{1,2}\/[^'"]+)\1/g;

/** The relative specifiers in a file's text; what stands in a comment counts for nothing. */
export function importsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(IMPORT)].map((match) => match[2] ?? '');
}

const TYPES_ALONE =
  /\b(?:im|ex)port\s+(?:type\b[^;]*?|\{(?:\s*type\s+[^,}]+,?)+\s*\})\s*from\s*(['"])[^'"]+\1/g;

/** The relative specifiers of what a file imports to run, not for its types alone. */
function valuesIn(text: string): string[] {
  return importsIn(text.replace(TYPES_ALONE, ''));
}

/** A specifier as the path from src that it stands for. */
export function resolved(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

function readSource(): SourceFile[] {
  const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  return paths
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const own = (specifiers: readonly string[]): string[] =>
        specifiers.map((specifier) => resolved(path, specifier)).filter((one) => one.endsWith('.ts'));
      const lines = text.replace(/\n$/, '').split('\n');
      return { path, lines, imports: own(importsIn(text)), values: own(valuesIn(text)) };
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
