import { expect, test } from 'vitest';
import { source } from './source.ts';

const KINDS = /^kinds\//;

// The sandbox has kinds of its own, and a declaration is checked by its kind.
test('nothing outside the kinds asks of which kind a resource is', () => {
  const names = 'catalogue|event|link|trip|posting|count|document|download|refresh';
  const asks = new RegExp(`\\bkind\\b[^;\\n]*[!=]== '(?:${names})'`);
  const wrong = source.flatMap(({ path, lines }) =>
    KINDS.test(path) || /^(?:sandbox|schema)\//.test(path)
      ? []
      : lines.filter((line) => asks.test(line)).map((line) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});
