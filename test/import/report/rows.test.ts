import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome, PlannedRow } from '../../../src/core/plan.ts';
import { type RowWish, rowSearch } from '../../../src/import/report/browser/row-search.ts';
import { escapeHtml, toHtml, toScriptJson } from '../../../src/import/report/page-html.ts';
import { element } from '../../../src/import/report/piece.ts';
import type { ReportHead, ReportRow } from '../../../src/import/report/report-row.ts';
import { pageWords } from '../../../src/import/report/report-words.ts';
import {
  NameNumbers,
  outcomeNumber,
  outcomeWords,
  toReportRow,
} from '../../../src/import/report/survey-rows.ts';
import { resources } from '../../../src/resources/registry.ts';
import { madeIn } from '../../../src/schema/made.ts';

const PLANNED: PlannedRow = {
  ...{ seq: 0, sheet: 'Pakketten', row: 7, resource: 'packages', action: 'unchanged', key: null },
  ...{ id: null, external: null, lmt: null, changes: [], steps: [], needs: [], issues: [], message: null },
};
const OUTCOME: Outcome = { seq: 0, status: 'created', id: 5012, message: null, issues: [], at: null };
const wording = { language: 'nl', locale: 'nl', madeBy: madeIn(resources) } as const;
const name = { OmschrijvingIntern: 'Buffet', Verkoopprijs: 12.5 };
const create = { purpose: 'create', endpoint: 'packages.create', body: name } as const;

const inPlain = (planned: Partial<PlannedRow>, outcome: Partial<Outcome> | null, dryRun = false): unknown => {
  const fields = new NameNumbers();
  const row = toReportRow(
    { planned: { ...PLANNED, ...planned }, outcome: outcome === null ? null : { ...OUTCOME, ...outcome } },
    {
      ...{ sheets: new NameNumbers(), fields, wording: { ...wording, dryRun } },
      resources,
    },
  );
  if (row === null) return null;
  const [, number, outcomeAt, id, external, label, message, changes] = row;
  const word = outcomeWords({ ...wording, dryRun })[outcomeAt]?.text;
  const changed = changes.map(([field, from, to]) => `${fields.all[field]} ${from ?? '-'} ${to}`);
  return [number, word, id, external, label, message, ...changed];
};

describe('a report shows a row that is', () => {
  test.each<[string, unknown, unknown]>([
    ['plainly unchanged', inPlain({}, null), null],
    [
      'unchanged with a remark',
      inPlain({ message: { en: 'already gone', nl: 'al verwijderd' } }, null),
      [7, 'ongewijzigd', null, '', '', 'al verwijderd'],
    ],
    [
      'to be created',
      inPlain({ action: 'create', external: 31, steps: [create] }, null, true),
      [7, 'aan te maken', null, 'ExternalID 31', 'Buffet', '', 'Verkoopprijs - 12,5'],
    ],
    [
      'changed',
      inPlain(
        {
          action: 'update',
          id: 4,
          steps: [{ ...create, purpose: 'update' }],
          changes: [{ field: 'Verkoopprijs', from: null, to: 12.5 }],
        },
        { status: 'updated', id: 4 },
      ),
      [7, 'gewijzigd', 4, '', 'Buffet', '', 'Verkoopprijs (leeg) 12,5'],
    ],
    ['not sent', inPlain({ action: 'delete', id: 4 }, null), [7, 'niet verstuurd', 4, '', '', '']],
    [
      'invalid, by its name and keys',
      inPlain(
        { action: 'invalid', about: { key: { ProductID: 4, ExternalID: 31 }, label: 'Kaasplank' } },
        null,
      ),
      [7, 'ongeldig', null, 'ProductID 4, ExternalID 31', 'Kaasplank', ''],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

const HEAD: ReportHead = {
  ...{ language: 'nl', sheets: ['Pakketten', 'Recepten'], fields: ['Verkoopprijs'] },
  ...{ outcomes: outcomeWords({ ...wording, dryRun: true }), words: pageWords('nl') },
};
const ROWS: ReportRow[] = [
  [0, 2, 0, null, 'ExternalID 31', 'Crème Brûlée', '', [[0, null, '12,50']]],
  [0, 12, outcomeNumber('updated'), 5012, 'ExternalID 32', 'Soep', '', [[0, '10', '11']]],
  [1, 12, outcomeNumber('invalid'), 5013, '', '', 'F12 Verkoopprijs: gevonden "abc"', []],
];
const ALL: RowWish = { text: '', sheet: null, outcome: null };

describe('the rows that a search finds', () => {
  const search = rowSearch(ROWS, HEAD);
  test.each<[Partial<RowWish>, number[]]>([
    [{}, [0, 1, 2]],
    [{ text: 'creme' }, [0]],
    [{ text: '10 → 11' }, [1]],
    [{ text: '#12' }, [1, 2]],
    [{ text: 'ExternalID\u00a031' }, [0]],
    [{ sheet: 0 }, [0, 1]],
    [{ outcome: 'remarks' }, [2]],
  ])('are those that match %j', (wish, expected) => {
    expect(search({ ...ALL, ...wish })).toEqual(expected.map((at) => ROWS[at]));
  });
});

describe('a text of a report, whatever stands in it', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>&"'\0\r/!a-]{0,12}$/));
  const SIGNS = ['&amp;', '&lt;', '&gt;', '&quot;', '&#39;', '&#13;'];

  test('is the same text in a page', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const html = escapeHtml(text);
        expect(html).not.toMatch(/[<>"'\r\0]/);
        const back = html.replace(/&[^;]+;/g, (sign) => '&<>"\'\r'[SIGNS.indexOf(sign)] ?? '?');
        expect(back).toBe(text.replaceAll('\0', '\ufffd'));
        const page = toHtml(element('b', { title: text }, text));
        expect(page).toBe(`<b title="${html}">${html}</b>`);
      }),
      { numRuns: 50, seed: 39 },
    );
  });

  test('ends no script that holds it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const json = toScriptJson([text]);
        expect(json).not.toContain('<');
        expect(JSON.parse(json)).toEqual([text]);
      }),
      { numRuns: 50, seed: 39 },
    );
  });
});
