import { expect, test } from 'vitest';
import { source } from './source.ts';

const RECORDS = /^(?:pipeline\/)?records\//;
const KINDS = /^(?:pipeline\/)?kinds\//;
/** What stands above the kinds of resources: the steps of an import, and exports. */
const ABOVE = /^(?:pipeline|import|export)\/(?!records\/|kinds\/|context\.ts)/;

const edges = source.flatMap(({ path, imports }) => imports.map((to) => ({ path, to })));

test('what all kinds of records share knows no kind, and no step of an import or export', () => {
  const wrong = edges.filter(({ path, to }) => RECORDS.test(path) && (KINDS.test(to) || ABOVE.test(to)));
  expect(wrong).toEqual([]);
});

test('a kind of resource knows no step of an import or export', () => {
  expect(edges.filter(({ path, to }) => KINDS.test(path) && ABOVE.test(to))).toEqual([]);
});

test('nothing outside the kinds asks of which kind a resource is', () => {
  const names = 'catalogue|event|link|trip|posting|count|document|download|refresh';
  const asks = new RegExp(`\\bkind\\b[^;\\n]*[!=]== '(?:${names})'`);
  const wrong = source.flatMap(({ path, lines }) =>
    KINDS.test(path) || /^sandbox\//.test(path)
      ? []
      : lines.filter((line) => asks.test(line)).map((line) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});
