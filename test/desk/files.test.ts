import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanName } from '../../src/desk/server/clean-name.ts';
import { receiveFile } from '../../src/desk/server/uploads.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { openDesk } from './open-desk.ts';

const SAMPLE = 'fixtures/samples/catalogus-voorjaar.xlsx';

describe('the name of a file that is brought', () => {
  test.each([
    ['Catalogus voorjaar – définitif.xlsx', 'Catalogus voorjaar – définitif.xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\Windows\\system.ini', 'system.ini'],
    ['C:\\temp\\a.xlsx', 'a.xlsx'],
    ['..', 'workbook'],
    ['.xlsx', 'xlsx'],
    ['', 'workbook'],
    ['a\u0000b.xlsx', 'a_b.xlsx'],
    ['prijs\u202exslx.exe', 'prijs_xslx.exe'],
    ['NUL', '_NUL'],
    [`${'n'.repeat(500)}.xlsx`, `${'n'.repeat(115)}.xlsx`],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanName(given)).toBe(expected);
  });

  test('is never a path, hidden, empty or too long, whatever is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        const name = cleanName(given);
        expect(basename(resolve('/x', name))).toBe(name);
        expect(name).not.toMatch(/^\.|[/\\\p{Cc}]/u);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255 * 2);
      }),
      { seed: 39, numRuns: 40 },
    );
  });

  test.each([['../../../escaped.xlsx'], ['draft.json'], ['results']])(
    'leads nowhere but into the desk’s own folder: %j',
    async (name) => {
      const desk = await openDesk();
      const draft = await desk.bring(SAMPLE, name);
      const folder = join(desk.service.folder, 'desk', 'files');
      const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(found.every((path) => path.split(/[\\/]/)[0] === draft)).toBe(true);
      expect(existsSync(join(desk.service.folder, 'escaped.xlsx'))).toBe(false);
      expect((await desk.planned(draft)).state).toBe('done');
      const again = await desk.again();
      const { drafts } = await again.ask('listDrafts');
      expect(drafts.map(({ id }) => id)).toEqual([draft]);
    },
  );

  test.each(['..', '..%2f..', 'a/../../b', '%2e%2e', 'draft.json'])(
    'a draft, job or run called %j is not found, and reads no file',
    async (id) => {
      const desk = await openDesk();
      for (const path of [`/api/drafts/${id}`, `/api/jobs/${id}/file`, `/api/runs/${id}/result`]) {
        const response = await fetch(`${desk.origin}${path}`, { headers: desk.headers });
        expect([400, 404]).toContain(response.status);
      }
    },
  );
});

describe('a file that is brought', () => {
  test('is refused where it is empty or too large, and leaves nothing behind', async () => {
    const desk = await openDesk();
    const response = await desk.fetch('addFile', { query: { name: 'leeg.xlsx' }, file: new Uint8Array() });
    expect(response.status).toBe(422);
    expect(readdirSync(join(desk.service.folder, 'desk', 'files'))).toEqual([]);
    const path = join(tempFolder(), 'a.xlsx');
    const body = new Blob(['x'.repeat(2000)]).stream();
    await expect(receiveFile(body, path, { most: 1000 })).rejects.toThrow('larger than');
  });

  test.each([
    ['no workbook', 'notitie.xlsx', 'dit is geen werkmap\u0000\u0001'],
    ['a picture', 'foto.png', '\u0089PNG\r\n\u001a\n'],
  ])('that is %s is told so when it is read, with a way out', async (_, name, text) => {
    const desk = await openDesk();
    const file = new Uint8Array(Buffer.from(text, 'latin1'));
    const { draft } = await desk.ask('addFile', { query: { name }, file });
    const response = await desk.fetch('sheets', { params: { draft: draft.id } });
    const job = await desk.planned(draft.id);
    expect(job.state).toBe('failed');
    expect(job.stop).toMatchObject({ exit: 3, next: expect.any(String) });
    expect(job.stop?.message).not.toContain(desk.service.folder);
    expect([200, 422]).toContain(response.status);
  });
});
