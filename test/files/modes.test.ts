import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeAtomically } from '../../src/files/write-aside.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

/** Every file and folder below one, with its mode. */
const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
      name,
      modeOf(join(folder, name)),
    ]),
  );

describe.skipIf(process.platform === 'win32')('the mode of a file that is written', () => {
  it.each<[string, number, string | null, string | null, string]>([
    ['as usual where it is new', 0o022, null, null, '644'],
    ['that of the file it replaces', 0o022, '600', null, '600'],
    ['that of its input', 0o022, null, '600', '600'],
    ['that its owner may write, where its input is read-only', 0o022, null, '444', '644'],
  ])('is %s', async (_, mask, old, input, expected) => {
    const folder = tempFolder();
    const [target, like] = [join(folder, 'out.csv'), join(folder, 'in.csv')];
    for (const [file, mode] of [[target, old] as const, [like, input] as const])
      if (mode !== null) {
        writeFileSync(file, '');
        chmodSync(file, Number.parseInt(mode, 8));
      }
    withUmask(mask);
    await writeAtomically(target, async (stream) => void stream.write('x'), { like });
    expect(modeOf(target)).toBe(expected);
  });

  it('is the owner’s alone for all that the program keeps', async () => {
    const service = await openTestService();
    const [input, home] = [join(service.folder, 'soep.csv'), join(service.folder, 'home')];
    writeFileSync(input, 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n1;Soep;1;2,5\n');
    chmodSync(input, 0o640);
    withUmask(0o022);
    const env = { CATERSHEET_HOME: home };
    const sent = await service.run(
      ['import', 'soep.csv', '--as', 'packages', '--yes', '--report', 'verslag.html'],
      { env },
    );
    expect(sent.code).toBe(0);
    expect((await service.run(['ledger', 'backup'], { env })).code).toBe(0);
    const run = (/\d{8}-\d{6}-\w{4}/.exec(sent.stdout) ?? [''])[0];
    expect((await service.run(['undo', run, '-o', 'terug.xlsx'], { env })).code).toBe(0);
    expect((await service.run(['export', 'packages', '-o', 'alle.csv'], { env })).code).toBe(0);
    expect(modeOf(home)).toBe('700');
    for (const [name, mode] of Object.entries(modesIn(home)))
      expect([name, mode]).toEqual([name, statSync(join(home, name)).isDirectory() ? '700' : '600']);
    expect(
      ['soep.result.csv', 'verslag.html', 'terug.xlsx', 'alle.csv'].map((name) =>
        modeOf(join(service.folder, name)),
      ),
    ).toEqual(['640', '640', '640', '644']);
  });
});
