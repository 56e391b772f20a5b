import { describe, expect, it } from 'vitest';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { openGatedService, openTestService, type TestService } from '../../helpers/test-service.ts';

const ours = async (service: TestService, kind: string): Promise<number[]> =>
  (await service.records(kind))
    .map(({ OmschrijvingIntern }) => String(OmschrijvingIntern))
    .filter((name) => /^Lunchbuffet 6/.test(name))
    .map((_, index) => index);

describe('a run that is stopped', () => {
  it('stops when the service stays away, and sends the rest the next time', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(80) });
    await service.faults({ status503: 1, retryAfter: 0, onlyWrites: true });
    const first = await service.runJson(['import', file, '--yes', '--retries', '0', '--out', 'r.xlsx']);
    // What was answered with 503 may be there.
    expect(first.code).toBe(6);
    expect(first.document.counts.notSent).toBeGreaterThan(30);
    expect(first.stderr).toMatch(/could not be reached/);
    const { run } = first.document;
    const said = {
      message: expect.stringMatching(/could not be reached/),
      next: expect.stringContaining(run),
    };
    expect(first.document).toMatchObject({ exit: 6, error: { exit: 4, ...said } });
    const unknown = first.document.rows.filter(({ status }) => status === 'unknown');
    expect(unknown.length).toBeGreaterThan(5);
    for (const { message } of unknown)
      expect(message).toContain(`catersheet apply ${first.document.run}, looks whether it is there`);
    await service.faults({ status503: 0 });
    const second = await service.runJson(['import', file, '--yes', '--out', 'r.xlsx']);
    expect(second.document.counts).toMatchObject({ created: 80 });
    expect(await ours(service, 'package')).toHaveLength(80);
  });

  it.skipIf(process.platform === 'win32')(
    'shows the command to give again at Ctrl-C while planning',
    async () => {
      const service = await openGatedService();
      const isReading = service.gate.shut(0, { of: 'reads' });
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
      let kill: (signal: NodeJS.Signals) => void = () => {};
      const running = service.run(['import', 'a.xlsx', '--yes'], { onStart: (send) => (kill = send) });
      await isReading;
      kill('SIGINT');
      service.gate.open();
      const { code, stderr } = await running;
      expect(code).toBe(130);
      expect(stderr).toContain('catersheet import a.xlsx --yes --doubt 1\n');
      expect(await ours(service, 'package')).toEqual([]);
    },
  );

  // Windows has no signal that one program gives another: it would end at once.
  it.skipIf(process.platform === 'win32')(
    'stops in good order at Ctrl-C and goes on where it was',
    async () => {
      const service = await openGatedService();
      const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(120) });
      const isHalfway = service.gate.shut(40);
      let kill: (signal: NodeJS.Signals) => void = () => {};
      const running = service.runJson(['import', file, '--yes', '--out', 'r.xlsx'], {
        onStart: (send) => (kill = send),
      });
      await isHalfway;
      kill('SIGINT');
      service.gate.open();
      const first = await running;
      expect(first.code).toBe(130);
      const { created = 0, notSent = 0 } = first.document.counts;
      expect(created + notSent).toBe(120);
      expect(notSent).toBeGreaterThan(30);
      expect(await ours(service, 'package')).toHaveLength(created);
      expect(first.stderr).toContain(`catersheet apply ${first.document.run} --yes\n`);
      const second = await service.runJson(['apply', first.document.run, '--yes', '--out', 'r.xlsx']);
      expect(second.code).toBe(0);
      expect(second.document.counts).toMatchObject({ created: 120, failed: 0, notSent: 0 });
      expect(await ours(service, 'package')).toHaveLength(120);
      // Also those whose create was in flight when it stopped have their key.
      const keyed = (await service.records('package')).filter(
        ({ ExternalID }) => Number(ExternalID) >= 600_000,
      );
      expect(keyed).toHaveLength(120);
    },
  );
});
