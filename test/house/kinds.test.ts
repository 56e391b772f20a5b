import { expect, test } from 'vitest';
import { source } from './source.ts';

const KINDS = /^kinds\//;

// The sandbox's store has kinds of its own.
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
