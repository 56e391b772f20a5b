import { dirname, relative } from 'node:path/posix';

/**
 * The name in the zip that a relationship's target means, seen from the part that holds it (OPC part 2, annex A): absolute or relative,
 * with `.` and `..`, with `\` for `/`, percent-encoded or not.
 */
export function resolveTarget(source: string, target: string): string {
  const path = target.replaceAll('\\', '/').replace(/[?#].*$/, '');
  const steps = path.startsWith('/') ? [] : source.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** The name of the part that holds another part's relationships; `''` stands for the package. */
export function relationshipsName(source: string): string {
  const slash = source.lastIndexOf('/') + 1;
  return `${source.slice(0, slash)}_rels/${source.slice(slash)}.rels`;
}

/** A part's name as a relationship of another part says it; the other way round than `resolveTarget`. */
export function targetFrom(source: string, name: string): string {
  return relative(dirname(`/${source}`), `/${name}`);
}
