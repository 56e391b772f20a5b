import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { langOf, source } from './source.ts';

const MOST_LINES = 400;
const MOST_FUNCTION_LINES = 60;

/** A loop over bytes, kept in one piece for speed; none is added. */
const LONG_LOOPS: readonly string[] = ['xlsx/read/plain-cells.ts: takePlainCells'];

/** The functions of a file that are longer than a screen, as `path: name`, with their lines. */
function longFunctions(path: string, text: string, most = MOST_FUNCTION_LINES): string[] {
  const found: string[] = [];
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const visit = (node: unknown, name: string | undefined): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, name);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, start, end, id, key, body } = node as Record<string, unknown> & {
      start: number;
      end: number;
    };
    const own = nameOf(id) ?? nameOf(key) ?? name;
    if (/Function/.test(String(type)) && body) {
      const lines = lineOf(end) - lineOf(start) + 1;
      if (lines > most) found.push(`${path}: ${own ?? `line ${lineOf(start)}`} (${lines})`);
    }
    for (const value of Object.values(node)) visit(value, own);
  };
  visit(parseAst(text, { lang: langOf(path) }), undefined);
  return found;
}

function nameOf(node: unknown): string | undefined {
  const name = (node as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

describe('the measuring of functions', () => {
  const lines = (count: number): string => '\n'.repeat(count);
  test.each([
    [`function a() {${lines(3)}}`, ['x.ts: a (4)']],
    [`function a() {${lines(2)}}`, []],
    [`export const a = async (b: string) => {${lines(3)}};`, ['x.ts: a (4)']],
    [`class A { #b(): void {${lines(3)}} }`, ['x.ts: b (4)']],
    [`const a = { b() {${lines(5)}} };`, ['x.ts: b (6)']],
    [`interface A {${lines(5)}}`, []],
  ])('%j holds the long functions %j', (text, expected) => {
    expect(longFunctions('x.ts', text, 3)).toEqual(expected);
  });
});

test(`no file is longer than ${MOST_LINES} lines`, () => {
  const long = source.filter(({ lines }) => lines.length > MOST_LINES);
  expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([]);
});

// A bound to be raised knowingly: 54,500 lines before any service's lists, values and clocks were met, 57,000 before
// cut lists, settings of strangers and damaged ledgers, 60,750 before names, next steps and the words of this trade,
// 66,000 before sheets to look up numbers in, names that a workbook remembers and words on every
// member of a document, 67,000 before whole commands for what a stop finds wrong, 68,000 before changed keys and
// where numbers stand, 68,500 before the page; 680 files before runs that are watched while they are sent,
// 690 before the ledger in a database, 730 before night work and exports by workers,
// 780 before the page had every command; 100,000 lines before the page handed over to workers, 800 files and
// 101,000 lines before old runs were pruned, 808 files and 102,000 lines before compiled code was kept.
test('the house stays small enough to know: at most 809 files, 102,250 lines and 770 exported types', () => {
  const lines = source.flatMap((file) => file.lines);
  const types = lines.filter((line) => /^export (interface|type) /.test(line));
  expect(source.length).toBeLessThanOrEqual(809);
  expect(lines.length).toBeLessThanOrEqual(102_250);
  expect(types.length).toBeLessThanOrEqual(770);
});

test(`no function but one loop over bytes is longer than ${MOST_FUNCTION_LINES} lines`, () => {
  const long = source.flatMap(({ path, lines }) => longFunctions(path, lines.join('\n')));
  expect(long.filter((entry) => !LONG_LOOPS.some((loop) => entry.startsWith(`${loop} (`)))).toEqual([]);
});

test('files are named in kebab case', () => {
  expect(
    source
      .map(({ path }) => path)
      .filter((path) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(path)),
  ).toEqual([]);
});
