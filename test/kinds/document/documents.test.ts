import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importWorkbook, undoRun, uploadDocuments } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { hasLinks } from '../../helpers/symlinks.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { startServer } from '../../service/scripted-server.ts';
import { codesOf, csvOf, fileOptions, put } from './fixtures.ts';

const HEADER = ['PartijID', 'Submap', 'Document'];
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('documents', () => {
  it('go to their events whole and with their names, each once to a folder', async () => {
    const service = await openTestService();
    // No name on Windows has the other kind in it.
    const quote = process.platform === 'win32' ? "'" : '"';
    const names = [`offerte ${quote}Bakker${quote} é.pdf`, 'map/plattegrond.png', 'leeg.txt'];
    const texts = ['%PDF-1.4 offerte', 'x'.repeat(300_000), ''];
    for (const [at, name] of names.entries()) put(`${service.folder}/${name}`, texts[at] ?? '');
    put(`${service.folder}/kopie.pdf`, '%PDF-1.4 offerte');
    const rows = [
      HEADER,
      ...names.map((name) => [9001, 'Offertes', `"${name.replaceAll('"', '""')}"`]),
      [9001, 'Offertes', 'kopie.pdf'],
      [9002, 'Offertes', 'kopie.pdf'],
      [9001, 'Contract', 'kopie.pdf'],
    ];
    const first = await uploadDocuments(csvOf(service, rows), fileOptions(service));
    expect(first.counts).toMatchObject({ read: 6, created: 5, skipped: 1 });
    expect(first.rows[3]?.message).toMatch(/the same as row 2/);
    const held = await service.records('document');
    const offers = held.filter(({ PartijID, Submap }) => PartijID === 9001 && Submap === 'Offertes');
    expect(offers.map(({ Bestandsnaam, sha256: hash }) => [Bestandsnaam, hash]).sort()).toEqual(
      ['leeg.txt', 'offerte %22Bakker%22 é.pdf', 'plattegrond.png'].map((name) => [
        expect.stringMatching(new RegExp(name.replace('%22Bakker%22', `(%22|${quote})Bakker(%22|${quote})`))),
        sha256(texts[name === 'leeg.txt' ? 2 : name === 'plattegrond.png' ? 1 : 0] ?? ''),
      ]),
    );
    // Under other names, in another sheet, with the user's own key: what is in it counts.
    const again = [
      ['#key', ...HEADER],
      ['', 9001, 'Offertes', 'kopie.pdf'],
      ['nog eens', 9001, 'Offertes', 'kopie.pdf'],
    ];
    const file = csvOf(service, again);
    // As options that come from JSON say that nothing is given.
    const nowhere = { from: null } as unknown as { from?: string };
    const second = await uploadDocuments(file, { ...fileOptions(service), ...nowhere });
    expect(second.rows.map(({ status }) => status)).toEqual(['unchanged', 'created']);
    expect(second.rows[0]?.message).toContain(`uploaded before, in run ${first.run}`);
    expect((await uploadDocuments(file, fileOptions(service))).counts).toMatchObject({ unchanged: 2 });
    expect(await service.records('document')).toHaveLength(held.length + 1);
  });

  it('name the cell of what can not be sent, and send the rest', async () => {
    const service = await openTestService();
    put(`${service.folder}/map/a.pdf`, 'a');
    put(`${service.folder}/geheim.pdf`, 'geheim');
    const rows = [
      [...HEADER, '#action'],
      [9001, 'Offertes', '../geheim.pdf'],
      [9001, 'Offertes', `${service.folder}/geheim.pdf`],
      [9001, 'Offertes', 'weg.pdf'],
      [777_777, 'Offertes', 'a.pdf'],
      ['', 'Offertes', 'a.pdf'],
      [9001, '', 'a.pdf'],
      [9001, 'Offertes', 'a.pdf', 'delete'],
      [9001, '../../evil', 'a.pdf'],
      [9001, 'Offertes\\..\\..', 'a.pdf'],
      [9001, '.. /x', 'a.pdf'],
      [9001, 'Offertes', 'a.pdf'],
    ];
    const file = csvOf(service, rows);
    const from = `${service.folder}/map`;
    const planned = await uploadDocuments(file, { ...fileOptions(service), from, dryRun: true });
    const { rows: said, counts } = await uploadDocuments(file, { ...fileOptions(service), from });
    expect(
      said.map((row) => row.issues?.map(({ code, cell }) => `${code} ${cell}`).join() ?? row.status),
    ).toEqual([
      'file-outside C2',
      'file-outside C3',
      'file-missing C4',
      'record-missing A5',
      'key-missing A6',
      'required-missing B7',
      'action-not-possible D8',
      'folder-unsafe B9',
      'folder-unsafe B10',
      'folder-unsafe B11',
      'created',
    ]);
    expect(planned.counts).toEqual(counts);
    expect((await service.records('document')).filter(({ PartijID }) => PartijID === 9001)).toHaveLength(1);
  });

  it('whose answer was lost are unknown, and never go again by themselves', async () => {
    const service = await openTestService();
    put(`${service.folder}/a.pdf`, 'a');
    const file = csvOf(service, [HEADER, [9001, 'Offertes', 'a.pdf']]);
    const before = (await service.records('document')).length;
    await service.faults({ lostAnswer: 1, onlyWrites: true });
    const first = await uploadDocuments(file, fileOptions(service));
    await service.faults({ lostAnswer: 0 });
    expect(first.rows[0]).toMatchObject({ status: 'unknown' });
    expect(first.rows[0]?.message).toContain('event 9001, folder Offertes: is a.pdf there?');
    // Nothing lists documents, and none is taken back.
    const out = `${service.folder}/terug.xlsx`;
    await expect(undoRun(first.run, { ...serviceOnly(fileOptions(service)), out })).rejects.toMatchObject({
      exit: 3,
    });
    const again = await uploadDocuments(file, fileOptions(service));
    expect(again.rows[0]?.message).toContain(`catersheet apply ${first.run} --resend`);
    expect(await service.records('document')).toHaveLength(before + 1);
  });

  it('whose answer does not say that they arrived are unknown too, with what came', async () => {
    const answers = [
      '{"status":"error","message":"schijf vol"}',
      '"fout"',
      '{"id":0,"success":null}',
      'null',
      '',
    ];
    const server = await startServer((response, { method }) =>
      response.end(method === 'GET' ? '{"PartijID":9001,"Datum":null}' : answers.shift()),
    );
    onTestFinished(() => server.stop());
    const service = { folder: tempFolder(), url: server.baseUrl, token: 'geheim' };
    const rows = answers.map((text, at) => {
      put(`${service.folder}/${at}.pdf`, text);
      return [9001, 'Offertes', `${at}.pdf`];
    });
    const file = csvOf(service, [HEADER, ...rows]);
    const first = await uploadDocuments(file, { ...fileOptions(service), concurrency: 1 });
    expect(first.counts).toMatchObject({ read: 5, unknown: 5 });
    expect(first.rows.map(({ message }) => message).join('\n')).toMatch(
      /\(schijf vol\).*event 9001, folder Offertes: is \d.pdf there/,
    );
    const sent = server.received.length;
    expect((await uploadDocuments(file, fileOptions(service))).counts).toMatchObject({ unknown: 5 });
    expect(server.received.slice(sent).map(({ method }) => method)).toEqual(['GET']);
  });

  it('that were answered with 503 may have arrived, and do not go the next time', async () => {
    const service = await openTestService();
    put(`${service.folder}/a.pdf`, 'a');
    const file = csvOf(service, [HEADER, [9001, 'Offertes', 'a.pdf']]);
    await service.faults({ status503: 1, onlyWrites: true });
    expect((await uploadDocuments(file, fileOptions(service))).counts).toMatchObject({ unknown: 1 });
    await service.faults({ status503: 0 });
    const again = await uploadDocuments(file, fileOptions(service));
    expect(again.counts).toMatchObject({ unknown: 1, created: 0 });
  });

  it.skipIf(!hasLinks)('go by the name that the sheet gives a link, with its type', async () => {
    const server = await startServer((response, { method }) =>
      response.end(method === 'GET' ? '{"PartijID":9001,"Datum":null}' : '{"id":7,"success":true}'),
    );
    onTestFinished(() => server.stop());
    const service = { folder: tempFolder(), url: server.baseUrl, token: 'geheim' };
    put(`${service.folder}/opslag/3fa9`, 'a');
    symlinkSync(`${service.folder}/opslag/3fa9`, `${service.folder}/Offerte Jansen.pdf`);
    const file = csvOf(service, [HEADER, [9001, 'Offertes/2027', 'Offerte Jansen.pdf']]);
    expect((await uploadDocuments(file, fileOptions(service))).counts).toMatchObject({ created: 1 });
    const body = String(server.received.at(-1)?.body);
    expect(body).toMatch(/filename="Offerte Jansen.pdf"\r\nContent-Type: application\/pdf\r/);
    expect(body).toContain('Offertes/2027');
  });

  it('find their event by your own number, with or without its day', async () => {
    const service = await openTestService();
    put(`${service.folder}/a.pdf`, 'a');
    const event = (await service.records('event')).find(({ ExternalID }) => ExternalID !== null) ?? {};
    const day = String(event.Datum).slice(0, 10);
    const rows = [
      ['Event.ExternalID', 'Datum', 'PartijID', 'Submap', 'Document'],
      [event.ExternalID, '', '', 'Eerst', 'a.pdf'],
      [event.ExternalID, day, '', 'Offertes', 'a.pdf'],
      [123_456_789, day, '', 'Offertes', 'a.pdf'],
      [event.ExternalID, day, 9001 === event.id ? 9002 : 9001, 'Offertes', 'a.pdf'],
    ];
    const { rows: said } = await uploadDocuments(csvOf(service, rows), fileOptions(service));
    expect(said.map((row) => codesOf(row).join() || row.status)).toEqual([
      'created',
      'created',
      'record-missing',
      'keys-differ',
    ]);
    const made = said.flatMap(({ id }) => id ?? []);
    const documents = (await service.records('document')).filter(({ id }) => made.includes(Number(id)));
    expect(documents.map(({ PartijID }) => PartijID)).toEqual([event.id, event.id]);
    const none = csvOf(service, [HEADER.slice(1), ['Later', 'a.pdf']]);
    await expect(uploadDocuments(none, fileOptions(service))).rejects.toMatchObject({
      ...{ exit: 3, next: expect.stringContaining('PartijID or Event.ExternalID, Submap, Document') },
    });
  });

  it('go as text to a service that takes no forms', async () => {
    const server = await startServer((response, { method }) =>
      response.end(
        JSON.stringify(method === 'GET' ? { PartijID: 9001, Datum: null } : { id: 7, success: true }),
      ),
    );
    onTestFinished(() => server.stop());
    const service = { folder: tempFolder(), url: server.baseUrl, token: 'geheim' };
    put(`${service.folder}/a.pdf`, 'inhoud');
    const file = csvOf(service, [HEADER, [9001, 'Offertes', 'a.pdf']]);
    const done = await uploadDocuments(file, { ...fileOptions(service), dialect: { upload: 'base64' } });
    expect(done.rows[0]).toMatchObject({ status: 'created', id: 7 });
    const { headers, body } = server.received.at(-1) ?? {};
    expect(headers?.['content-type']).toBe('application/json');
    expect(JSON.parse(String(body))).toEqual({ PartijID: 9001, Submap: 'Offertes', Document: 'aW5ob3Vk' });
  });

  it('are no sheet of an import, which says whose they are', async () => {
    const service = await openTestService();
    const documents = [
      ['PartijID', 'Event.ExternalID', 'Datum', 'Submap', 'Document'],
      [9001, null, null, 'Offertes', 'a.pdf'],
    ];
    const file = await makeWorkbook(`${service.folder}/b.xlsx`, {
      Ritten: [
        ['RitID', 'Chauffeur'],
        [8001, 'Een ander'],
      ],
      Documenten: documents,
    });
    const out = `${service.folder}/r.xlsx`;
    const { sheets, counts } = await importWorkbook(file, { ...fileOptions(service), out, dryRun: true });
    expect(counts.read).toBe(1);
    expect(JSON.stringify(sheets)).not.toContain('Documenten');
    const alone = await makeWorkbook(`${service.folder}/c.xlsx`, { Documenten: documents });
    await expect(importWorkbook(alone, { ...fileOptions(service), out })).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('catersheet documents'),
    });
    // And the other way round: what is for an import is left.
    put(`${service.folder}/a.pdf`, 'a');
    const done = await uploadDocuments(file, { ...fileOptions(service), out });
    expect(done.sheets.map(({ sheet }) => sheet)).toEqual(['Documenten']);
    expect(done.counts).toMatchObject({ read: 1, created: 1 });
  });

  it('that changed after they were planned are not sent', async () => {
    const service = await openTestService();
    const path = put(`${service.folder}/a.pdf`, 'a');
    const other = put(`${service.folder}/b.pdf`, 'b');
    const file = csvOf(service, [HEADER, [9001, 'Offertes', 'a.pdf'], [9001, 'Offertes', 'b.pdf']]);
    const before = (await service.records('document')).length;
    const planned = await service.runJson(['documents', file, '--dry-run']);
    expect(planned.code).toBe(0);
    expect(await service.records('document')).toHaveLength(before);
    put(path, 'een ander');
    const { code, document } = await service.runJson(['apply', planned.document.run, '--yes']);
    expect(code).toBe(5);
    expect(document.rows.map(({ status }) => status)).toEqual(['conflict', 'created']);
    expect((await service.records('document')).at(-1)?.sha256).toBe(sha256('b'));
    expect(other).toContain('b.pdf');
  });
});
