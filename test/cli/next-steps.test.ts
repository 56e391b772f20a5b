import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { PACKAGE_HEADER } from '../helpers/make-workbook.ts';
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

const CORRECT = 'Correct the rows of prijzen mei.result.csv that are invalid or failed and import that file:';
const OTHERS = 'To send the other rows exactly so:';
const UNDO = 'To take this run back:';

/** Its shells take a line apart in another way. */
test.skipIf(process.platform === 'win32')(
  'the commands that runs suggest plan, correct, send and undo what was asked for',
  async () => {
    const service = await openTestService();
    const rows = [
      [610_001, 'Soepbuffet', 1, '12,5'],
      [610_002, 'Saladebuffet', 1, 'veel'],
    ];
    const file = join(service.folder, 'prijzen mei.csv');
    writeFileSync(file, [PACKAGE_HEADER.slice(0, 4), ...rows].map((row) => row.join(';')).join('\n'));
    const given = ['--as', 'packages', '--set', 'Actief=Ja', '--base-url', service.url];
    const planned = await service.run(['import', 'prijzen mei.csv', '--dry-run', ...given]);
    expect(planned.code).toBe(EXIT.rows);
    const first = stepsIn(planned.stdout);
    expect([...first.keys()]).toEqual([CORRECT, OTHERS]);

    const sent = await service.run([...(first.get(OTHERS) ?? []), '--yes']);
    const second = stepsIn(sent.stdout);
    expect([...second.keys()]).toEqual([CORRECT, UNDO]);

    const result = join(service.folder, 'prijzen mei.result.csv');
    writeFileSync(result, readFileSync(result, 'utf8').replace('veel', '14'));
    const corrected = await service.runJson([...(second.get(CORRECT) ?? []), '--yes']);
    expect(corrected.document.counts).toMatchObject({ created: 1, unchanged: 1, invalid: 0 });
    expect(await service.records('package')).toContainEqual(
      expect.objectContaining({ ExternalID: 610_002, Actief: true }),
    );

    const undone = stepsIn((await service.run(second.get(UNDO) ?? [])).stdout);
    const [back = []] = undone.values();
    expect(back.slice(0, 1)).toEqual(['import']);
    expect(undone.has('Look at the file and import it:')).toBe(true);

    await service.run([...back.filter((word) => word !== '--dry-run'), '--yes']);
    const [, run = ''] = second.get(UNDO) ?? [];
    const again = await service.run(['apply', run, '--yes', ...given.slice(-2)]);
    expect(again.stdout).toContain(`Run ${run} is finished, and was taken back by run `);
    expect(stepsIn(again.stdout).has(UNDO)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'what a row asks for and is not done unasked is a command to give: to delete it, and to create those without a key',
  async () => {
    const service = await openTestService();
    const [header, rows] = [
      [...PACKAGE_HEADER.slice(0, 4), '#action'],
      [610_003, 'Lunch', 1, 9, 'delete'],
    ];
    const lines = [header, rows, ['', 'Taart', 1, '3', '']].map((row) => row.join(';'));
    writeFileSync(join(service.folder, 'week.csv'), lines.join('\n'));
    const given = ['--as', 'packages', '--set', 'Actief=Ja', '--base-url', service.url];
    const { stdout } = await service.run(['import', 'week.csv', '--dry-run', ...given]);
    const steps = stepsIn(stdout);
    const [create, remove] = [
      'To create all rows without a key as new:',
      'To delete what #action asks for too:',
    ];
    expect(steps.get(create)).toEqual(expect.arrayContaining(['week.csv', '#action=create', '--dry-run']));
    expect(steps.get(remove)).toEqual(expect.arrayContaining(['--allow-delete', '--dry-run']));
    const { document } = await service.runJson(steps.get(create) ?? []);
    expect(document.counts).toMatchObject({ created: 1, invalid: 1 });
    const deleting = await service.runJson(steps.get(remove) ?? []);
    expect(deleting.document.counts).toMatchObject({ unchanged: 1, invalid: 1 });
  },
);
