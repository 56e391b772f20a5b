import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasLinks } from '../../helpers/symlinks.ts';
import { put } from '../document/fixtures.ts';
import { ends, openKind, type Row } from '../open-kind.ts';

const PDF = '%PDF-1.4\nfactuur\n%%EOF';

/** Invoices that are fetched into a folder; `answers`: what comes for each in turn, the last one from then on. */
function openInvoices(...answers: readonly unknown[]) {
  const kind = openKind('invoices');
  const { service, folder, command } = kind;
  const to = `${folder}/f`;
  let at = 0;
  service.set({
    failures: {
      choose: () => {
        const body = answers[at++] ?? answers.at(-1);
        return body === undefined ? undefined : { kind: 'answer', when: 'before', status: 200, body };
      },
    },
  });
  return {
    ...{ ...kind, to },
    fetch: (rows: readonly Row[], more: object = {}) =>
      command('invoices', rows, to, { retries: 0, ...more }),
    files: () => (existsSync(to) ? readdirSync(to).sort() : []),
  };
}

const base64 = { data: Buffer.from(PDF).toString('base64') };
const idsOf = (...ids: readonly (string | number)[]): Row[] => ids.map((id) => ({ id }));

it('invoices are fetched once, each to a name of its own, and asked for by what stands in the cell', async () => {
  const { fetch, files, service, to } = openInvoices(base64);
  const rows = [
    ...idsOf('F 1%2F#?', '00123', 'a1', 'A1', 'A1', '../../x'),
    { id: 'A1', extension: '../x' },
    { id: 'A1', extension: '.PDF' },
  ];
  expect(ends(await fetch(rows, { dryRun: true })).join()).not.toContain('failed');
  expect(files()).toEqual([]);
  const expected = [
    ...['created', 'created', 'created', 'created', 'skipped'],
    ...['invalid id name-unsafe', 'invalid extension name-unsafe', 'skipped'],
  ];
  expect(ends(await fetch(rows))).toEqual(expected);
  expect(service.journal.requests.map(({ path }) => path).toSorted()).toEqual([
    'api/v1/invoice/file/00123/pdf',
    'api/v1/invoice/file/A1/pdf',
    'api/v1/invoice/file/F%201%252F%23%3F/pdf',
    'api/v1/invoice/file/a1/pdf',
  ]);
  // A disk that knows no capitals holds all of them.
  expect(new Set(files().map((name) => name.toUpperCase())).size).toBe(4);
  expect(readFileSync(`${to}/A1.pdf`, 'utf8')).toBe(PDF);
  expect(ends(await fetch(rows))).toEqual(expected.map((end) => end.replace('created', 'unchanged')));
  expect(service.journal.requests).toHaveLength(4);
});

it('what is no invoice is written to no file, is said, and is fetched the next time', async () => {
  const { fetch, files } = openInvoices({ success: false }, '<html>Inloggen</html>', base64);
  const first = await fetch(idsOf('F-1', 'F-2'), { concurrency: 1 });
  expect([ends(first), files()]).toEqual([['failed', 'failed'], []]);
  expect(first.rows[1]?.message).toContain('what came is no whole pdf');
  expect(ends(await fetch(idsOf('F-1', 'F-2')))).toEqual(['created', 'created']);
});

it('invoices never take the place of another file', async () => {
  const { fetch, to } = openInvoices(base64);
  const own = put(`${to}/1.pdf`, 'boodschappen');
  mkdirSync(`${to}/2.pdf`);
  put(`${to}/3.pdf`, '%PDF-1.4 half');
  const ids = [1, 2, 3];
  // Read as a file, the second of these would never end.
  for (const [id, target] of [
    [4, `${to}/nergens.pdf`],
    [5, '/dev/zero'],
  ] as const) {
    if (!hasLinks) continue;
    symlinkSync(target, `${to}/${id}.pdf`);
    ids.push(id);
  }
  const done = await fetch(idsOf(...ids));
  expect(ends(done)).toEqual(ids.map(() => 'conflict'));
  expect(done.rows[2]?.message).toMatch(/no whole pdf; move or rename it/);
  expect(readFileSync(own, 'utf8')).toBe('boodschappen');
});
