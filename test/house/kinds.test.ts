import { describe, expect, it, test } from 'vitest';
import { source } from './source.ts';

const NAMES = 'catalogue|event|link|trip|posting|count|document|download|refresh';

/** Members that the resources of one kind alone have. */
const OWN = 'parent|child|told|kept|moment|severalDays|modified|folder|file|usual';

const ASKS = new RegExp(
  [
    `\\bkind\\b[^;\\n]*[!=]== '(?:${NAMES})'`,
    `\\bcase '(?:${NAMES})'`,
    '\\bswitch \\((?:[\\w.]*\\bresource\\.)?kind\\)',
    '\\bofKind\\(',
    `'(?:${OWN})' in (?:\\w+\\.)*resource\\b`,
  ].join('|'),
);

/** The sandbox's store has kinds of its own; `defineResource` checks the members of each kind. */
const MAY_ASK = /^(?:kinds|sandbox)\/|^schema\/resource\.ts$/;

describe('the search for who asks of which kind a resource is', () => {
  it.each([
    `if (resource.kind === 'trip') return;`,
    `const found = resources.find(({ kind }) => kind !== 'posting');`,
    'switch (resource.kind) {',
    'switch (mapping.resource.kind) {',
    'switch (kind) {',
    `    case 'event':`,
    `const events = ofKind(resources, 'event');`,
    `const field = 'child' in resource ? resource.child : null;`,
    `return 'told' in mapping.resource;`,
  ])('finds %j', (line) => {
    expect(line).toMatch(ASKS);
  });

  it.each([
    'switch (meaning.kind) {',
    `    case 'percent':`,
    `if (error.kind === 'missing') return null;`,
    `const id = 'id' in resource ? resource.id : null;`,
  ])('passes over %j', (line) => {
    expect(line).not.toMatch(ASKS);
  });
});

test('nothing outside the kinds asks of which kind a resource is', () => {
  const wrong = source.flatMap(({ path, lines }) =>
    MAY_ASK.test(path)
      ? []
      : lines.filter((line) => ASKS.test(line)).map((line) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});
