import { describe, expect, test } from 'vitest';
import { issueAt, shorten } from '../../src/core/issue.ts';
import { type Outcome, type PlannedRow, type RowResult, SELF } from '../../src/core/plan.ts';
import { changesText, messageText, statusText, type ValueWording } from '../../src/core/row-text.ts';
import type { Value } from '../../src/core/value.ts';
import { outcomeOf, plannedRow } from '../ledger/fixtures.ts';

const planned = (over: Partial<PlannedRow> = {}): PlannedRow =>
  plannedRow(0, { ...{ changes: [], steps: [], issues: [], message: null }, ...over });

const row = (plan: Partial<PlannedRow>, settled: Partial<Outcome> | null = null): RowResult => ({
  planned: planned(plan),
  outcome: settled && outcomeOf(0, settled),
});

describe('the #status of a row', () => {
  test.each([
    ['create', 'create', 'not sent'],
    ['update', 'update', 'not sent'],
    ['delete', 'delete', 'not sent'],
    ['unchanged', 'unchanged', 'unchanged'],
    ['skip', 'skipped', 'skipped'],
    ['invalid', 'invalid', 'invalid'],
    ['conflict', 'conflict', 'conflict'],
  ] as const satisfies readonly (readonly [PlannedRow['action'], string, string])[])(
    'of a row planned to %s: %s in a dry run, else %s while nothing came of it',
    (action, dry, wet) => {
      expect(statusText(row({ action }), true)).toBe(dry);
      expect(statusText(row({ action }), false)).toBe(wet);
    },
  );
});

describe('the #message of a row', () => {
  const plan = { en: 'marked skip', nl: 'gemarkeerd met skip' };
  const said = { en: 'refused', nl: 'geweigerd' };
  const odd = issueAt(
    { code: 'number-grouping', found: '1.234', hint: '1234' },
    { field: 'Volume', address: 'J2' },
  );
  const refused = issueAt(
    { code: 'service-refused', found: '3', hint: 'te laag' },
    { field: 'Verkoopprijs', address: 'F2' },
  );
  const oddText = 'J2 Volume: “1.234” is read as 1234. To be safe, leave out the mark for thousands.';
  const refusedText =
    'F2 Verkoopprijs: The service refuses this: te laag. Correct it, and import the file again.';

  test.each([
    ['the plan’s word', row({ message: plan }), 'marked skip'],
    ['the outcome’s word takes its place', row({ message: plan }, { message: said }), 'refused'],
    [
      'issues of both, in order',
      row({ issues: [odd] }, { message: said, issues: [refused] }),
      `refused\n${oddText}\n${refusedText}`,
    ],
  ])('%s', (_, result, expected) => {
    expect(messageText(result, 'en')).toBe(expected);
  });
});

describe('the #changes of a row', () => {
  const said = (changes: PlannedRow['changes'], wording: ValueWording): string =>
    changesText(planned({ action: 'update', changes }), wording);
  const nl = { language: 'nl', locale: 'nl' } as const;
  const en = { language: 'en', locale: 'en' } as const;

  test('is one change a line', () => {
    const changes = [
      { field: 'Verkoopprijs', from: 34.5, to: 36 },
      { field: 'Actief', from: true, to: false },
      { field: 'Offertetekst', from: null, to: 'Inclusief servies.' },
    ];
    expect(said(changes, nl)).toBe(
      'Verkoopprijs: 34,5 → 36\nActief: Ja → Nee\nOffertetekst: (leeg) → Inclusief servies.',
    );
    expect(said(changes, en)).toBe(
      'Verkoopprijs: 34.5 → 36\nActief: Yes → No\nOffertetekst: (empty) → Inclusief servies.',
    );
    // Words are the reader's, numbers the file's.
    expect(said(changes, { language: 'en', locale: 'nl' })).toContain('Verkoopprijs: 34,5 → 36\nActief: Yes');
    expect(said([], nl)).toBe('');
  });

  test.each([
    [null, '(leeg)', '(empty)'],
    [true, 'Ja', 'Yes'],
    [1234.5, '1234,5', '1234.5'],
    [-0.25, '-0,25', '-0.25'],
    ['2027-04-28 11:30:00', '28-04-2027 11:30', '28 Apr 2027 11:30'],
  ] as const satisfies readonly (readonly [Value, string, string])[])(
    '%j is %s in nl, %s in en',
    (value, dutch, english) => {
      const changes = [{ field: 'Veld', from: value, to: value }];
      expect(said(changes, nl)).toBe(`Veld: ${dutch} → ${dutch}`);
      expect(said(changes, en)).toBe(`Veld: ${english} → ${english}`);
    },
  );

  test('show an id behind the name of its record', () => {
    const changes = [{ field: 'ProductCategorieID', from: 3, to: 8 }];
    const names = [['ProductCategorieID', 8, 'Hapjes koud']] as const;
    expect(changesText(planned({ action: 'update', changes, names }), nl)).toBe(
      'ProductCategorieID: 3 → Hapjes koud (8)',
    );
  });

  test('of a new record are what it is made with, each field once and long texts shortened', () => {
    const text = `Inclusief servies,\n${'bediening en afwas '.repeat(20)}`;
    const made = { OmschrijvingIntern: 'Diner', Verkoopprijs: 34.5, Offertetekst: text };
    const product = { $ref: 'packages', external: 700 };
    const steps = [
      { purpose: 'create', endpoint: 'packages.create', body: { ...made, BovenliggendID: product } },
      { purpose: 'key', endpoint: 'packages.update', body: { ...made, ProductID: SELF, ExternalID: 12 } },
    ] as const;
    expect(changesText(planned({ steps }), nl)).toBe(
      `OmschrijvingIntern: Diner; Verkoopprijs: 34,5; Offertetekst: ${shorten(text)}; BovenliggendID: ExternalID 700; ExternalID: 12`,
    );
    expect(changesText(planned({ action: 'delete', steps }), nl)).toBe('');
  });
});

test('a change of a no-break space shows it', () => {
  const changes = [
    { field: 'OmschrijvingIntern', from: 'Kerstbuffet Hollands', to: 'Kerstbuffet\u00a0Hollands' },
  ];
  expect(changesText(planned({ action: 'update', changes }), { language: 'nl', locale: 'nl' })).toBe(
    'OmschrijvingIntern: Kerstbuffet Hollands → Kerstbuffet<U+00A0>Hollands',
  );
});
