import { expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { Failure } from '../../second-service/knobs.ts';
import { ends, openKind, type Row } from '../open-kind.ts';
import { put } from './fixtures.ts';

/** Two events and a folder of files, which rows send to the first event unless they say otherwise. */
function openFolder(...files: readonly (readonly [name: string, content: string])[]) {
  const kind = openKind('documents');
  const { service, folder, command } = kind;
  const [PartijID, other] = [
    service.add.event({ ExternalID: 7001 }),
    service.add.event({ Datum: '2027-02-12' }),
  ];
  for (const [name, content] of files) put(`${folder}/map/${name}`, content);
  return {
    ...kind,
    ...{ PartijID, other },
    row: (Document: string, more: Row = {}): Row => ({ PartijID, Submap: 'Offertes', Document, ...more }),
    upload: (rows: readonly Row[], more: object = {}) => command('documents', rows, `${folder}/map`, more),
    held: () =>
      service.documents.all().map((one) => ({
        ...{ event: one.PartijID, folder: one.Submap },
        text: Buffer.from(String(one.Document), 'base64').toString(),
      })),
  };
}

test('documents go whole to their events, each once to a folder, told by what is in them', async () => {
  const long = 'x'.repeat(300_000);
  const { upload, row, other, PartijID, held } = openFolder(
    ['offerte é.pdf', '%PDF-1.4'],
    ['sub/plan.png', long],
    ['leeg.txt', ''],
    ['kopie.pdf', '%PDF-1.4'],
  );
  const rows = ['offerte é.pdf', 'sub/plan.png', 'leeg.txt', 'kopie.pdf'].map((name) => row(name));
  const first = await upload([...rows, row('kopie.pdf', { PartijID: other })]);
  expect(ends(first)).toEqual(['created', 'created', 'created', 'skipped', 'created']);
  expect(first.rows[3]?.message).toContain('the same as row 2');
  expect(held()).toHaveLength(4);
  for (const text of ['%PDF-1.4', long, ''])
    expect(held()).toContainEqual({ event: PartijID, folder: 'Offertes', text });
  const named = [row('kopie.pdf'), row('kopie.pdf', { '#key': 'nog eens' })];
  const again = await upload(named);
  expect(ends(again)).toEqual(['unchanged', 'created']);
  expect(again.rows[0]?.message).toContain(`uploaded before, in run ${first.run}`);
  expect(ends(await upload(named))).toEqual(['unchanged', 'unchanged']);
});

test('documents that can’t be sent are named by their cells, and the rest is sent', async () => {
  const { upload, row, PartijID, other, folder, held } = openFolder(['a.pdf', 'a'], ['b.pdf', 'b']);
  put(`${folder}/geheim.pdf`, 'geheim');
  const byKey = (more: Row): Row => ({ ...row('b.pdf'), PartijID: null, 'Event.ExternalID': 7001, ...more });
  const rows = [
    row('../geheim.pdf'),
    row(`${folder}/geheim.pdf`),
    row('weg.pdf'),
    row('a.pdf', { PartijID: 777_777 }),
    row('a.pdf', { PartijID: null }),
    row('a.pdf', { Submap: null }),
    row('a.pdf', { '#action': 'delete' }),
    row('a.pdf', { Submap: '../../evil' }),
    row('a.pdf', { Submap: 'Offertes\\..\\..' }),
    row('a.pdf', { Submap: '.. /x' }),
    row('a.pdf'),
    byKey({}),
    byKey({ 'Event.ExternalID': 123_456 }),
    byKey({ PartijID: other }),
  ];
  const planned = await upload(rows, { dryRun: true });
  const done = await upload(rows);
  expect(ends(done)).toEqual([
    'invalid Document file-outside',
    'invalid Document file-outside',
    'invalid Document file-missing',
    'invalid PartijID record-missing',
    'invalid Event.ExternalID key-missing',
    'invalid Submap required-missing',
    'invalid #action action-not-possible',
    'invalid Submap folder-unsafe',
    'invalid Submap folder-unsafe',
    'invalid Submap folder-unsafe',
    'created',
    'created',
    'invalid Event.ExternalID record-missing',
    'invalid Event.ExternalID keys-differ',
  ]);
  expect(planned.counts).toEqual(done.counts);
  expect(
    held()
      .map(({ event, text }) => `${event} ${text}`)
      .toSorted(),
  ).toEqual([...[`${PartijID} a`, `${PartijID} b`]]);
});

test.each<[string, Failure]>([
  ['that was lost', { kind: 'reset', when: 'after' }],
  ['of a proxy that turned it away', { kind: 'status', status: 503, when: 'before' }],
  ...['fout', null, '', { status: 'error', message: 'schijf vol' }, { id: 0, success: null }].map(
    (body): [string, Failure] => [
      JSON.stringify(body),
      { kind: 'answer', when: 'before', status: 200, body },
    ],
  ),
])(
  'a document with an answer %s is unknown, says where to look, and is never sent again by itself',
  async (_, failure) => {
    const { upload, row, service, PartijID } = openFolder(['a.pdf', 'a']);
    service.failNext(failure, ({ endpoint }) => endpoint === 'event.upload');
    const first = await upload([row('a.pdf')], { retries: 0 });
    expect(ends(first)).toEqual(['unknown']);
    expect(first.rows[0]?.message).toContain(`event ${PartijID}, folder Offertes: is a.pdf there?`);
    const again = await upload([row('a.pdf')]);
    expect(again.rows[0]).toMatchObject({
      ...{ status: 'unknown', message: expect.stringContaining(`catersheet apply ${first.run} --resend`) },
    });
    expect(service.journal.of('event.upload')).toHaveLength(1);
  },
);

test('a document that changed after it was planned is not sent', async () => {
  const { upload, row, apply, folder, held } = openFolder(['a.pdf', 'a'], ['b.pdf', 'b']);
  const { run } = await upload([row('a.pdf'), row('b.pdf')], { dryRun: true });
  put(`${folder}/map/a.pdf`, 'een ander');
  expect(ends(await apply(run))).toEqual(['conflict', 'created']);
  expect(held().map(({ text }) => text)).toEqual(['b']);
});

test('documents go as text to a service that takes no forms', async () => {
  const { upload, row, service, PartijID } = openFolder(['a.pdf', 'inhoud']);
  expect(ends(await upload([row('a.pdf')], { dialect: { upload: 'base64' } }))).toEqual(['created']);
  expect(service.journal.of('event.upload')[0]?.body).toEqual({
    ...{ PartijID, Submap: 'Offertes', Document: 'aW5ob3Vk' },
  });
});

test('documents are no sheet of an import, which says whose they are, nor an import’s sheet one of theirs', async () => {
  const { importWorkbook, own, folder, service, row, PartijID } = openFolder(['a.pdf', 'a']);
  const documents = [Object.keys(row('')), Object.values(row('a.pdf'))];
  const trip = service.add.trip({ PartijID });
  const Ritten = [
    ['RitID', 'Chauffeur'],
    [trip, 'Een ander'],
  ];
  const both = await makeWorkbook(`${folder}/b.xlsx`, { Ritten, Documenten: documents });
  const { sheets } = await importWorkbook(both, own);
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Ritten']);
  const alone = await makeWorkbook(`${folder}/c.xlsx`, { Documenten: documents });
  await expect(importWorkbook(alone, own)).rejects.toMatchObject({
    ...{ exit: 3, message: expect.stringContaining('catersheet documents') },
  });
});
