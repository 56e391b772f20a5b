import { expect, test } from 'vitest';
import { source } from './source.ts';

const MOST_LINES = 200;
const MEDIAN_LINES = 80;

/** Loops over bytes, kept in one piece for speed; none is added. */
const LONG: readonly string[] = ['workbook/sheet-scanner.ts', 'workbook/xml-scanner.ts'];

test(`no file is longer than ${MOST_LINES} lines`, () => {
  const long = source.filter(({ path, lines }) => lines.length > MOST_LINES && !LONG.includes(path));
  expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([]);
});

test(`half of the files are shorter than ${MEDIAN_LINES} lines`, () => {
  const lengths = source.map(({ lines }) => lines.length).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(MEDIAN_LINES);
});

test('files are named in kebab case', () => {
  expect(
    source
      .map(({ path }) => path)
      .filter((path) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(path)),
  ).toEqual([]);
});
