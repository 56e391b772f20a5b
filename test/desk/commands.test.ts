import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { NamedByRows } from '../../src/desk/server/document-name.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const PDF = '%PDF-1.4\nofferte\n%%EOF\n';

/** Brings a CSV of these lines. */
async function bringLines(desk: TestDesk, name: string, lines: readonly string[]): Promise<string> {
  const file = join(desk.service.folder, name);
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  return await desk.bring(file);
}

async function addDocument(desk: TestDesk, draft: string, name: string, text = PDF): Promise<Response> {
  const file = new Uint8Array(Buffer.from(text));
  return await desk.fetch('addDocument', { params: { draft }, query: { name }, file });
}

async function sent(desk: TestDesk, draft: string) {
  const params = { draft };
  const { run, deletes } = await desk.ask('plan', { params });
  return await desk.ended((await desk.ask('send', { params, body: { run, deletes } })).job);
}

const statuses = async (desk: TestDesk, draft: string): Promise<string[]> =>
  (await desk.ask('planRows', { params: { draft }, body: {} })).rows.map(({ status }) => status);

const OFFERS = [
  'PartijID;Submap;Document',
  '9001;Offertes;C:\\Users\\jan\\offertes\\Offerte-9001.pdf',
  '9002;Offertes;offertes/offerte-9002.pdf',
  '9002;Menu;menukaart é.pdf',
];

describe('documents', () => {
  test('are brought beside their sheet, matched by name, planned, and uploaded once', async () => {
    const desk = await openDesk();
    const draft = await bringLines(desk, 'Documenten.csv', OFFERS);
    const params = { draft };
    expect((await desk.ask('draft', { params })).draft.use).toBe('documents');
    const sheets = await desk.ask('sheets', { params });
    expect(sheets).toMatchObject({ use: 'documents', exact: false });
    expect(sheets.sheets[0]).toMatchObject({ kind: 'import', resource: 'documents' });
    expect(await desk.ask('documents', { params })).toMatchObject({ brought: [], rows: { all: 3, here: 0 } });

    expect((await addDocument(desk, draft, 'offerte-9001.PDF')).status).toBe(200);
    // As macOS writes an é, and with a path that leads nowhere.
    expect((await addDocument(desk, draft, '../../menukaart e\u0301.pdf', `${PDF}menu`)).status).toBe(200);
    await desk.planned(draft);
    expect(await statuses(desk, draft)).toEqual(['create', 'invalid', 'create']);
    const { rows } = await desk.ask('planRows', { params, body: {} });
    expect(rows[1]?.issues?.[0]).toMatchObject({ code: 'file-missing', field: 'Document' });
    expect(rows[1]?.issues?.[0]?.message).toContain('isn’t among the documents that were brought');
    expect(rows[1]?.issues?.[0]?.message).not.toContain(desk.service.folder);
    expect((await desk.ask('documents', { params })).missing).toMatchObject([
      { name: 'offertes/offerte-9002.pdf', why: 'missing', rows: [{ sheet: 'Documenten', row: 3 }] },
    ]);

    await addDocument(desk, draft, 'offerte-9002.pdf', `${PDF}9002`);
    expect((await desk.ask('plan', { params })).stale).toBe(true);
    expect((await desk.ask('sheets', { params })).exact).toBe(true);
    await desk.planned(draft);
    expect(await statuses(desk, draft)).toEqual(['create', 'create', 'create']);
    expect((await desk.ask('plan', { params })).sheets[0]?.made).toBe('uploaded');
    expect((await sent(desk, draft)).state).toBe('done');
    const uploaded = await desk.service.records('document');
    const said = uploaded.map(
      ({ PartijID, Submap, Bestandsnaam, Grootte }) => `${PartijID} ${Submap} ${Bestandsnaam} ${Grootte}`,
    );
    // They go side by side.
    expect(said.sort()).toEqual([
      `9001 Offertes offerte-9001.PDF ${PDF.length}`,
      `9002 Menu menukaart é.pdf ${PDF.length + 4}`,
      `9002 Offertes offerte-9002.pdf ${PDF.length + 4}`,
    ]);

    const again = (await desk.ask('again', { params, body: {} })).draft;
    expect(again.use).toBe('documents');
    await desk.planned(again.id);
    expect(await statuses(desk, again.id)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    // Sent is sent: its documents stay as they were.
    expect((await addDocument(desk, draft, 'offerte-9002.pdf')).status).toBe(409);
  });

  test('that differ in their capitals alone are never taken for each other', () => {
    const named = new NamedByRows(['a/x.pdf', 'A.pdf', 'a.pdf', 'b.PDF'], ['x.pdf', 'a.pdf', 'B.pdf']);
    expect(named.find('a/x.pdf')).toEqual({ name: 'x.pdf' });
    expect(named.find('a.pdf')).toEqual({ name: 'a.pdf' });
    expect(named.find('A.pdf')).toBe('missing');
    expect(named.find('b.PDF')).toEqual({ name: 'B.pdf' });
    for (const odd of ['', '..', 'x/..', '/']) expect(named.find(odd)).toBe('missing');
  });
});

describe('invoices', () => {
  test('are fetched into the private folder, and come one by one and as one zip', async () => {
    const desk = await openDesk();
    const draft = await bringLines(desk, 'Facturen.csv', [
      'id;extension',
      '2026001;pdf',
      '2026002;xml',
      '2026099;',
    ]);
    const params = { draft };
    expect((await desk.ask('sheets', { params })).use).toBe('invoices');
    expect((await desk.fetch('invoicesZip', { params })).status).toBe(404);
    await desk.planned(draft);
    expect((await desk.ask('plan', { params })).sheets[0]?.made).toBe('fetched');
    await sent(desk, draft);
    const { files } = await desk.ask('invoices', { params });
    expect(files.map(({ name }) => name)).toEqual(['2026001.pdf', '2026002.xml']);
    const one = await desk.fetch('invoice', { params: { draft, invoice: '2026001.pdf' } });
    expect(one.headers.get('content-disposition')).toContain('attachment; filename="2026001.pdf"');
    expect((await one.text()).startsWith('%PDF-')).toBe(true);
    for (const invoice of ['../draft.json', '..%2fdraft.json', 'draft.json', '2026099.pdf'])
      expect((await desk.fetch('invoice', { params: { draft, invoice } })).status).toBe(404);

    const zip = await desk.fetch('invoicesZip', { params });
    expect(zip.headers.get('content-disposition')).toContain('filename="Facturen.zip"');
    const packed = await yauzl.fromBufferPromise(Buffer.from(await zip.arrayBuffer()), { lazyEntries: true });
    const names: string[] = [];
    for await (const entry of packed.eachEntry()) names.push(entry.fileName);
    expect(names).toEqual(['2026001.pdf', '2026002.xml']);

    const again = (await desk.ask('again', { params, body: {} })).draft;
    await desk.planned(again.id);
    expect(await statuses(desk, again.id)).toEqual(['unchanged', 'unchanged', 'create']);
  });
});
