import { describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { NamedByRows } from '../../src/desk/server/document-name.ts';
import { draftOn, openDesk, type TestDesk } from './open-desk.ts';

const PDF = '%PDF-1.4\nofferte\n%%EOF\n';

type Draft = Awaited<ReturnType<typeof draftOn>>;

const statuses = async ({ ask }: Pick<Draft, 'ask'>): Promise<string[]> =>
  (await ask('planRows', { body: {} })).rows.map(({ status }) => status);

/** What is planned of the same file again. */
async function plannedAgain(desk: TestDesk, { params }: Draft): Promise<string[]> {
  const { draft } = await desk.ask('again', { params, body: {} });
  await desk.planned(draft.id);
  const ask: Draft['ask'] = (route, asking) => desk.ask(route, { params: { draft: draft.id }, ...asking });
  return await statuses({ ask });
}

const OFFERS = [
  'PartijID;Submap;Document',
  '9001;Offertes;C:\\Users\\jan\\offertes\\Offerte-9001.pdf',
  '9002;Offertes;offertes/offerte-9002.pdf',
  '9002;Menu;menukaart é.pdf',
];

describe('documents', () => {
  test('are brought beside their sheet, matched by name, planned, and uploaded once', async () => {
    const desk = await openDesk();
    const draft = await draftOn(desk, 'Documenten.csv', OFFERS);
    const { ask, params, planned, send } = draft;
    const add = async (name: string, text = PDF): Promise<number> => {
      const file = new Uint8Array(Buffer.from(text));
      return (await desk.fetch('addDocument', { params, query: { name }, file })).status;
    };
    const { use, exact, sheets } = await ask('sheets');
    expect([use, exact, sheets[0]?.resource]).toEqual(['documents', false, 'documents']);
    expect(await ask('documents')).toMatchObject({ brought: [], rows: { all: 3, here: 0 } });

    expect(await add('offerte-9001.PDF')).toBe(200);
    // As macOS writes an é, and with a path that leads nowhere.
    expect(await add('../../menukaart e\u0301.pdf', `${PDF}menu`)).toBe(200);
    await planned();
    expect(await statuses(draft)).toEqual(['create', 'invalid', 'create']);
    const [issue] = (await ask('planRows', { body: {} })).rows[1]?.issues ?? [];
    expect(issue).toMatchObject({ code: 'file-missing', field: 'Document' });
    expect(issue?.message).toContain('isn’t among the documents that were brought');
    expect(issue?.message).not.toContain(desk.service.folder);
    expect((await ask('documents')).missing).toMatchObject([
      { name: 'offertes/offerte-9002.pdf', why: 'missing', rows: [{ sheet: 'Documenten', row: 3 }] },
    ]);

    await add('offerte-9002.pdf', `${PDF}9002`);
    expect([(await ask('plan')).stale, (await ask('sheets')).exact]).toEqual([true, true]);
    await planned();
    expect(await statuses(draft)).toEqual(['create', 'create', 'create']);
    expect((await ask('plan')).sheets[0]?.made).toBe('uploaded');
    expect((await send()).job.state).toBe('done');
    const uploaded = await desk.service.records('document');
    // They go side by side.
    expect(
      uploaded.map((one) => `${one.PartijID} ${one.Submap} ${one.Bestandsnaam} ${one.Grootte}`).sort(),
    ).toEqual([
      `9001 Offertes offerte-9001.PDF ${PDF.length}`,
      `9002 Menu menukaart é.pdf ${PDF.length + 4}`,
      `9002 Offertes offerte-9002.pdf ${PDF.length + 4}`,
    ]);
    expect(await plannedAgain(desk, draft)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    // Sent is sent: its documents stay as they were.
    expect(await add('offerte-9002.pdf')).toBe(409);
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
    const lines = ['id;extension', '2026001;pdf', '2026002;xml', '2026099;'];
    const draft = await draftOn(desk, 'Facturen.csv', lines);
    const { ask, params, planned, send } = draft;
    expect((await ask('sheets')).use).toBe('invoices');
    expect((await desk.fetch('invoicesZip', { params })).status).toBe(404);
    await planned();
    expect((await ask('plan')).sheets[0]?.made).toBe('fetched');
    await send();
    const { files } = await ask('invoices');
    expect(files.map(({ name }) => name)).toEqual(['2026001.pdf', '2026002.xml']);
    const one = await desk.fetch('invoice', { params: { ...params, invoice: '2026001.pdf' } });
    expect(one.headers.get('content-disposition')).toContain('attachment; filename="2026001.pdf"');
    expect((await one.text()).startsWith('%PDF-')).toBe(true);
    for (const invoice of ['../draft.json', '..%2fdraft.json', 'draft.json', '2026099.pdf'])
      expect((await desk.fetch('invoice', { params: { ...params, invoice } })).status).toBe(404);

    const zip = await desk.fetch('invoicesZip', { params });
    expect(zip.headers.get('content-disposition')).toContain('filename="Facturen.zip"');
    const packed = await yauzl.fromBufferPromise(Buffer.from(await zip.arrayBuffer()), { lazyEntries: true });
    const names: string[] = [];
    for await (const entry of packed.eachEntry()) names.push(entry.fileName);
    expect(names).toEqual(['2026001.pdf', '2026002.xml']);

    expect(await plannedAgain(desk, draft)).toEqual(['unchanged', 'unchanged', 'create']);
  });
});
