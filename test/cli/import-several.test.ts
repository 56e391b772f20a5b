import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { openTestService } from '../helpers/test-service.ts';

const HEADERS = 'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs';

async function withFiles(files: Readonly<Record<string, string>>) {
  const service = await openTestService();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(service.folder, name), text);
  return service;
}

test('several files are imported one after the other, and one that can not be read keeps none from its turn', async () => {
  const service = await withFiles({
    'a-pakketten.csv': `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n`,
    'b.xlsx': 'geen werkmap',
    'c-pakketten.csv': `${HEADERS}\n9002;Buffet;Zomerbuffet;?\n`,
  });
  const args = [
    'import',
    'a-pakketten.csv',
    'b.xlsx',
    'c-pakketten.csv',
    '--as',
    'packages',
    '--yes',
    '--json',
  ];
  const { code, stdout } = await service.run(args);
  const { imports, exit } = JSON.parse(stdout) as { imports: object[]; exit: number };
  expect([code, exit]).toEqual([EXIT.rows, EXIT.rows]);
  expect(imports).toMatchObject([
    { file: 'a-pakketten.csv', exit: EXIT.ok, counts: { created: 1 } },
    { file: 'b.xlsx', error: { exit: EXIT.file } },
    { file: 'c-pakketten.csv', exit: EXIT.rows, counts: { invalid: 1 } },
  ]);
  // A second time nothing is sent again.
  const again = await service.run([
    'import',
    'a-pakketten.csv',
    'a-pakketten.csv',
    '--as',
    'packages',
    '--yes',
    '--json',
  ]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    imports: [{ counts: { unchanged: 1 } }, { counts: { unchanged: 1 } }],
    exit: EXIT.ok,
  });
});

test('of a file that is not there no command is proposed that names another one twice', async () => {
  const service = await withFiles({ 'a.csv': `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n` });
  const { code, stderr } = await service.run(['import', 'a.csv', 'weg.csv', '--as', 'packages', '--yes']);
  expect([code, stderr]).toEqual([EXIT.file, expect.stringContaining('weg.csv does not exist')]);
  expect(stderr).not.toContain('catersheet import');
});

test('a service that is away ends it at the first file, and the rest is not begun', async () => {
  const service = await withFiles({ 'a.csv': `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n` });
  const away = ['--base-url', 'http://127.0.0.1:9', '--retries', '0'];
  const { code, stdout } = await service.run([
    'import',
    'a.csv',
    'b.csv',
    '--as',
    'packages',
    '--yes',
    '--json',
    ...away,
  ]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    EXIT.service,
    { imports: [], exit: EXIT.service, error: { exit: EXIT.service } },
  ]);
});

test.each([
  [['--out', 'uit.xlsx'], '--out names one file'],
  [['--report', 'uit.html'], '--report names one file'],
  [['--done-to', 'klaar', '--dry-run'], '--dry-run sends nothing'],
  [['--done-to', '.'], 'would be moved to'],
  [['--set', 'Nergens=1'], 'No sheet has a column Nergens'],
])('%j is refused for several files before any is read', async (flags, words) => {
  const service = await withFiles({ 'a.csv': HEADERS, 'b.csv': HEADERS });
  const { code, stderr } = await service.run(['import', 'a.csv', 'b.csv', '--yes', ...flags]);
  expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
});

test('without a terminal or --yes, --done-to is refused and every file stays where it is', async () => {
  const service = await withFiles({ 'a.csv': `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n` });
  const args = ['import', 'a.csv', '--done-to', 'klaar', '--as', 'packages', '--json'];
  const { code, stdout } = await service.run(args);
  const next = expect.stringContaining('--yes');
  expect([code, JSON.parse(stdout)]).toMatchObject([EXIT.usage, { error: { exit: EXIT.usage, next } }]);
  expect(readdirSync(service.folder)).toContain('a.csv');
  expect(readdirSync(service.folder)).not.toContain('klaar');
});

test.skipIf(!existsSync('/proc'))('--done-to in a folder that takes no others is refused', async () => {
  const service = await withFiles({ 'a.csv': HEADERS });
  const { code, stderr } = await service.run(['import', 'a.csv', '--done-to', '/proc/klaar', '--yes']);
  expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('the folder /proc/klaar')]);
});
