import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchInvoices } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { startServer } from '../../service/scripted-server.ts';
import { csvOf, fileOptions, put } from '../document/fixtures.ts';

const PDF = '%PDF-1.4\nfactuur\n%%EOF';

/** A service that answers every request for a file in this way. */
async function serviceOf(status: number, type: string, body: string) {
  const server = await startServer((response) =>
    response.writeHead(status, { 'content-type': type }).end(body),
  );
  onTestFinished(() => server.stop());
  const folder = tempFolder();
  return { server, service: { folder, url: server.baseUrl, token: 'geheim' } };
}

/** A workbook of ids that a spreadsheet program made something else of. */
async function filledIn(folder: string) {
  const ids = [new Date(Date.UTC(2026, 10, 22)), true, 2026002.5, 1e16, 2026001];
  return { file: await makeWorkbook(`${folder}/a.xlsx`, { Facturen: [['id'], ...ids.map((id) => [id])] }) };
}

describe('invoices', () => {
  it('are fetched once, each to a name of its own, beside one another', async () => {
    const service = await openTestService();
    const to = `${service.folder}/facturen/2026`;
    const rows = [
      ['id', 'extension'],
      [2026001, ''],
      [2026001, 'xml'],
      [2026002, '.PDF'],
      [2026001, 'pdf'],
      ['../../x', 'pdf'],
      [2026003, '../x'],
      [999, 'pdf'],
    ];
    const file = csvOf(service, rows);
    const nameless = fetchInvoices(file, fileOptions(service) as unknown as { to: string });
    await expect(nameless).rejects.toMatchObject({ exit: 2, message: 'to names no folder.' });
    const tried = await fetchInvoices(file, { ...fileOptions(service), to, dryRun: true });
    expect(tried.counts).toMatchObject({ created: 4, skipped: 1, invalid: 2 });
    expect(existsSync(to)).toBe(false);
    const first = await fetchInvoices(file, { ...fileOptions(service), to });
    expect(first.counts).toMatchObject({ created: 3, skipped: 1, invalid: 2, failed: 1 });
    expect(first.rows.slice(4, 6).map(({ issues }) => issues?.[0]?.code)).toEqual([
      'name-unsafe',
      'name-unsafe',
    ]);
    expect(readdirSync(to).sort()).toEqual(['2026001.pdf', '2026001.xml', '2026002.pdf']);
    expect(readFileSync(`${to}/2026001.pdf`, 'latin1')).toMatch(/^%PDF-.*%%EOF\s*$/s);
    expect(readdirSync(service.folder)).not.toContain('x.pdf');
    await service.clearLog();
    const made = statSync(`${to}/2026001.pdf`).mtimeMs;
    const second = await fetchInvoices(file, { ...fileOptions(service), to });
    expect(second.counts).toMatchObject({ unchanged: 3, failed: 1 });
    expect(statSync(`${to}/2026001.pdf`).mtimeMs).toBe(made);
    expect((await service.log()).counts).toEqual({ 'invoices.file': 1 });
  });

  it('that could not be fetched are fetched the next time, and a service that is away stops it', async () => {
    const service = await openTestService();
    const to = `${service.folder}/f`;
    const file = csvOf(service, [['id'], ...[1, 2, 3].map((at) => [2026000 + at])]);
    await service.faults({ truncate: 1 });
    expect((await fetchInvoices(file, { ...fileOptions(service), to })).counts).toMatchObject({ failed: 3 });
    expect(existsSync(to) ? readdirSync(to) : []).toEqual([]);
    await service.faults({ truncate: 0 });
    expect((await fetchInvoices(file, { ...fileOptions(service), to })).counts).toMatchObject({ created: 3 });
  });

  it('never take the place of another file', async () => {
    const service = await openTestService();
    const own = put(`${service.folder}/f/2026001.pdf`, 'boodschappen');
    mkdirSync(`${service.folder}/f/2026002.pdf`);
    put(`${service.folder}/f/2026003.pdf`, '%PDF-1.4 half');
    const ids = [2026001, 2026002, 2026003];
    if (hasLinks) {
      symlinkSync(`${service.folder}/nergens.pdf`, `${service.folder}/f/2026004.pdf`);
      ids.push(2026004);
    }
    // Read as a file, it would never end.
    if (existsSync('/dev/zero')) {
      symlinkSync('/dev/zero', `${service.folder}/f/2026005.pdf`);
      ids.push(2026005);
    }
    const file = csvOf(service, [['id'], ...ids.map((id) => [id])]);
    const { counts, rows } = await fetchInvoices(file, {
      ...fileOptions(service),
      to: `${service.folder}/f`,
    });
    expect(counts).toMatchObject({ conflict: ids.length });
    expect(rows[2]?.message).toMatch(/cut off; delete or move it/);
    expect(readFileSync(own, 'utf8')).toBe('boodschappen');
    const nowhere = fetchInvoices(file, { ...fileOptions(service), to: ' ' });
    await expect(nowhere).rejects.toMatchObject({ exit: 2 });
  });

  it('are told apart by their ids, in whichever run, and what came in place of one is said', async () => {
    const { server, service } = await serviceOf(200, 'application/pdf', PDF);
    const options = { ...fileOptions(service), to: `${service.folder}/f` };
    const fetched = async (id: string) =>
      (await fetchInvoices(csvOf(service, [['id'], [id]]), options)).rows[0];
    const statuses = [];
    for (const id of ['A:b', 'A_b', 'A*b', 'CON', '_CON', 'A:b']) statuses.push((await fetched(id))?.status);
    expect(statuses).toEqual(['created', 'created', 'created', 'created', 'created', 'unchanged']);
    expect(readdirSync(options.to)).toHaveLength(5);
    server.script((response) => response.setHeader('content-type', 'text/plain').end('geen\nfactuur'));
    expect(await fetched('A')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('what came is no pdf: geen factuur'),
    });
    server.script((response) => response.end(PDF));
    const mapped = csvOf(service, [['Factuurnummer'], ['F-9']]);
    const map = put(`${service.folder}/koppen.json`, '{"Factuurnummer":"id"}');
    expect((await fetchInvoices(mapped, { ...options, map })).counts).toMatchObject({ created: 1 });
    const odd = await fetchInvoices(
      csvOf(service, [
        ['id', 'extension'],
        ['B', '../pdf'],
      ]),
      options,
    );
    expect(odd.rows[0]?.issues?.[0]).toMatchObject({ code: 'name-unsafe', found: '../pdf' });
  });

  it.each<[string, number, string, string, object]>([
    ['a login page', 200, 'text/html', '<!doctype html><html><title>Inloggen</title>', { failed: 1 }],
    ['a page that calls itself a PDF', 200, 'application/pdf', '<html>fout</html>', { failed: 1 }],
    ['a refusal', 200, 'application/json', '{"success":false}', { failed: 1 }],
    ['nothing', 200, 'application/pdf', '', { failed: 1 }],
    ['the half of it', 200, 'application/pdf', PDF.slice(0, 15), { failed: 1 }],
    ['a part that nobody asked for', 206, 'application/pdf', PDF, { failed: 1 }],
    [
      'a PDF in JSON',
      200,
      'application/json',
      JSON.stringify({ data: Buffer.from(PDF).toString('base64') }),
      { created: 1 },
    ],
    ['a PDF of no type', 200, 'application/octet-stream', PDF, { created: 1 }],
  ])('are what they should be: %s', async (_, status, type, body, counts) => {
    const { service } = await serviceOf(status, type, body);
    const to = `${service.folder}/f`;
    const done = await fetchInvoices(csvOf(service, [['id'], ['F-1']]), { ...fileOptions(service), to });
    expect(done.counts).toMatchObject(counts);
    const written = existsSync(to) ? readdirSync(to) : [];
    expect(written.map((name) => readFileSync(`${to}/${name}`, 'utf8'))).toEqual(
      'created' in counts ? [PDF] : [],
    );
  });

  it('are asked for by what stands in the cell, as one segment of the path each', async () => {
    const { server, service } = await serviceOf(200, 'application/pdf', PDF);
    const rows = [['id'], ['F 1%2F#?'], ['00123'], ['A1'], ['a1']];
    const done = await fetchInvoices(csvOf(service, rows), {
      ...fileOptions(service),
      to: `${service.folder}/f`,
    });
    expect(server.received.map(({ url }) => url).sort()).toEqual([
      '/api/v1/invoice/file/00123/pdf',
      '/api/v1/invoice/file/A1/pdf',
      '/api/v1/invoice/file/F%201%252F%23%3F/pdf',
      '/api/v1/invoice/file/a1/pdf',
    ]);
    // A disk that knows no capitals holds both.
    expect(new Set(readdirSync(`${service.folder}/f`).map((name) => name.toUpperCase())).size).toBe(4);
    const again = await fetchInvoices(csvOf(service, rows), {
      ...fileOptions(service),
      to: `${service.folder}/f`,
    });
    expect([done.counts.created, again.counts.unchanged]).toEqual([4, 4]);
    const { file } = await filledIn(service.folder);
    server.received.length = 0;
    const numbers = await fetchInvoices(file, { ...fileOptions(service), to: `${service.folder}/g` });
    expect(numbers.rows.map(({ issues }) => issues?.[0]?.code)).toEqual([
      'identifier-expected',
      'identifier-expected',
      'identifier-expected',
      'integer-too-large',
      undefined,
    ]);
    expect(server.received.map(({ url }) => url)).toEqual(['/api/v1/invoice/file/2026001/pdf']);
  });
});
