import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

/** The commands that a run suggests, each as a shell takes it apart, by the line that says why. */
function stepsIn(stdout: string): Map<string, string[]> {
  const found = stdout.matchAll(/^(.+:)\n {2}catersheet (.*)$/gm);
  return new Map(
    [...found].map(([, why = '', line = '']) => {
      const shell = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`]).stdout.toString();
      return [why, shell.split('\0').slice(0, -1)];
    }),
  );
}

const CORRECT = 'Correct the red cells in prijzen mei.result.xlsx and import that file:';
const OTHERS = 'To send the other rows exactly so:';
const UNDO = 'To take this run back:';

/** Its shells take a line apart in another way. */
test.skipIf(process.platform === 'win32')(
  'the commands that runs suggest plan, correct, send and undo what was asked for',
  async () => {
    const service = await openTestService();
    const rows = [
      [610_001, 'Soepbuffet', 1, 12.5],
      [610_002, 'Saladebuffet', 1, 'veel'],
    ];
    await makeWorkbook(join(service.folder, 'prijzen mei.xlsx'), {
      'Prijzen 2026': [PACKAGE_HEADER.slice(0, 4), ...rows],
    });
    const given = ['--as', 'packages', '--set', 'Actief=Ja', '--base-url', service.url];
    const planned = await service.run(['import', 'prijzen mei.xlsx', '--dry-run', ...given]);
    expect(planned.code).toBe(EXIT.rows);
    const first = stepsIn(planned.stdout);
    expect([...first.keys()]).toEqual([CORRECT, OTHERS]);

    const sent = await service.run([...(first.get(OTHERS) ?? []), '--yes']);
    const second = stepsIn(sent.stdout);
    expect([...second.keys()]).toEqual([CORRECT, UNDO]);

    const result = join(service.folder, 'prijzen mei.result.xlsx');
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(result);
    const cell = book.getWorksheet('Prijzen 2026')?.getCell('D3');
    if (cell !== undefined) cell.value = 14;
    await book.xlsx.writeFile(result);
    const corrected = await service.runJson([...(second.get(CORRECT) ?? []), '--yes']);
    expect(corrected.document.counts).toMatchObject({ created: 1, unchanged: 1, invalid: 0 });
    expect(await service.records('package')).toContainEqual(
      expect.objectContaining({ ExternalID: 610_002, Actief: true }),
    );

    const undone = stepsIn((await service.run(second.get(UNDO) ?? [])).stdout);
    expect([...undone.values()][0]?.slice(0, 1)).toEqual(['import']);
    expect(undone.has('Look at the file and import it:')).toBe(true);
  },
);
