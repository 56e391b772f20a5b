import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../../src/core/codecs/number.ts';
import { exportFinance as exportOf } from '../../../src/finance/export-finance.ts';
import { EXIT, exportFinance, importWorkbook } from '../../../src/index.ts';
import { finance } from '../../../src/resources/finance.ts';
import { openSession } from '../../../src/session/open-session.ts';
import {
  decimal,
  expectLonger,
  expectResult,
  expectTotals,
  office,
  PERIOD,
  recalculated,
  recordsOf,
  SIXTEEN_MONTHS,
  servedPeriod,
  sheetsOf,
} from '../../finance/finance-period.ts';
import { chartFaults, membersOf, packageFaults, WORKSHEET_ORDER } from '../../helpers/excel-rules.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { partsOf, sheetParts, unescaped } from '../../template/fill-in.ts';

describe('the finance workbook of a period', () => {
  test('has the totals of the records to the cent, as written and as LibreOffice calculates them', {
    timeout: 290_000,
  }, async () => {
    const { service, period } = await servedPeriod();
    const out = join(service.folder, 'omzet.xlsx');
    const done = await exportFinance({ ...service.options, ...PERIOD, out, lang: 'nl' });
    expect(decimalOf(done.sums.revenue)).toEqual(decimalOf(decimal(period.sums.get('all') ?? 0n)));
    const sheets = await sheetsOf(out);
    expect([...sheets.keys()]).toEqual([
      ...[
        'Overzicht',
        'Evenementen',
        'Arrangementen',
        'Ritten',
        'Voorraadmutaties',
        'Boekingen',
        'Verantwoording',
      ],
    ]);
    expectTotals(sheets.get('Overzicht'), period);
    const events = recordsOf(sheets.get('Evenementen'));
    expect(events).toHaveLength(50);
    expect(events.find(({ Evenement }) => Evenement === 1)).toMatchObject({
      ...{ Omschrijving: '=1+1', Relatie: '-Jansen', Locatie: 'De *Zaal?', 'Geen omzet': 'Nee' },
      ...{ Dag: '2026-11-28', Maand: '2026-11-01', Budget: 1.1 },
    });
    const trips = recordsOf(sheets.get('Ritten'));
    expect(trips.map(({ Prijs }) => Prijs)).toContain('nader te bepalen');
    expect(trips.map(({ Evenement, Omschrijving }) => [Evenement, Omschrijving])).toEqual(
      trips.map(({ Evenement }) => [Evenement, `Feest ${Evenement}`]),
    );
    const texts = [...(sheets.get('Overzicht')?.values() ?? [])].map((row) => String(row.get(1)));
    const odd = (what: RegExp) => expect(texts).toContainEqual(expect.stringMatching(what));
    odd(/^Prijs: 7 × geen getal, of te groot .*: de eerste is Ritten!N\d+ “nader te bepalen”\.$/);
    odd(/^Prijs: \d × geen getal, of te groot voor een cel, en niet meegeteld: .* Arrangementen!I\d+ “\w+”/);
    odd(/^Regeltotaal: \d × leeg, en niet meegeteld: de eerste is Arrangementen!J\d+\.$/);
    odd(/^Geen omzet: 1 × geen ja en geen nee, .* Evenementen!R\d+ “misschien”/);
    odd(/^Locatienr\.: 5 × geen bruikbaar nummer, .*“\(geen\)”: .* Evenementen!G\d+ “bij de klant”/);
    odd(/^Omschrijving: 1 × langer dan .*: de eerste is Evenementen!D\d+ “x{57}…”/);
    // Each cell that is named holds what is said of it.
    const named = [...texts.join('\n').matchAll(/(\w+)!([A-FH-Z])(\d+) “([^”x]+)”/g)];
    expect(named.length).toBeGreaterThan(2);
    for (const [, sheet = '', letter = '', row, said] of named)
      expect(
        String(
          sheets
            .get(sheet)
            ?.get(Number(row))
            ?.get(letter.charCodeAt(0) - 64),
        ),
      ).toMatch(said === 'true' ? /^Ja$/ : String(said));
    const free = [...(sheets.get('Overzicht')?.values() ?? [])].find(
      (row) => row.get(2) === 'Af: evenementen zonder omzet',
    );
    expect(free?.get(3)).toBe(5);

    const parts = await partsOf(readFileSync(out));
    expect(packageFaults(parts)).toEqual([]);
    for (const [name, xml] of parts) {
      if (/charts\/|drawing\d+\.xml$/.test(name)) expect(chartFaults(xml), name).toEqual([]);
      if (!name.includes('worksheets/sheet')) continue;
      const places = membersOf(xml).map((member) => WORKSHEET_ORDER.indexOf(member));
      expect(places, name).toEqual([...places].sort((a, b) => a - b));
    }
    const [[, first = ''] = [], [, second = ''] = []] = sheetParts(parts);
    expect(parts.get(second)).toContain(
      '<oddFooter>&amp;L&amp;8 Evenementen&amp;R&amp;8 &amp;P / &amp;N</oddFooter>',
    );
    expect(parts.get('xl/workbook.xml')).toMatch(/Print_Titles" localSheetId="1">[^<]*!\$1:\$1</);
    const overview = parts.get(first) ?? '';
    // Where amounts stand, nothing but the months above them is typed.
    const typed = [...overview.matchAll(/<c r="[C-Z]\d+"[^>]*><v>([^<]*)</g)].map((match) =>
      Number(match[1]),
    );
    const months = [10, 11, 12, 13].map((month) => Date.UTC(2026, month) / 86_400_000 + 25_569);
    expect(typed.filter((serial) => !months.includes(serial))).toEqual([]);
    expect(overview.match(/<f>/g)?.length).toBeGreaterThan(40);
    expect(unescaped(overview)).toContain("SUMIFS('Evenementen'!");
    // Once more over longer periods; with few rows to a sheet, each list goes on to others.
    const session = await openSession(service.options);
    const longer = async (name: string, days: typeof PERIOD, rows?: number): Promise<string> => {
      const request = { ...days, out: join(service.folder, name), definition: finance };
      const { file } = await exportOf(session.context, {
        ...{ ...request, language: 'nl', ...(rows && { rows }) },
      });
      return file;
    };
    const files = [out, await longer('maanden.xlsx', SIXTEEN_MONTHS, 21)];
    await session.close();
    const checks = [expectTotals, expectLonger];
    const expectAll = async (made: readonly string[]): Promise<void> => {
      for (const [at, file] of made.entries()) {
        const overview = (await sheetsOf(file)).get('Overzicht');
        checks[at]?.(overview, period);
        expectResult(overview);
      }
    };
    await expectAll(files);
    const lists = [...(await sheetsOf(files[1] ?? ''))].filter(([name]) => name.startsWith('Evenementen'));
    expect(lists.map(([, rows]) => recordsOf(rows).length)).toEqual([20, 20, 10]);
    if (office !== undefined) await expectAll(await recalculated(service.folder, files));
  });

  test('holds all events with --all, and leaves the file as it was when a request fails', async () => {
    const { service, period } = await servedPeriod();
    const out = join(service.folder, 'alle.xlsx');
    const options = { ...service.options, ...PERIOD, out, lang: 'en' as const };
    const all = await exportFinance({ ...options, all: true });
    expect(all.sheets.map(({ rows }) => rows)).toEqual([60, 90, 30, 0, 109]);
    writeFileSync(out, 'van gisteren');
    const answer = service.onRequest;
    service.onRequest = (path, ...more) =>
      path === 'event/44/packages' ? { status: 500, body: { message: 'stuk' } } : answer(path, ...more);
    await expect(exportFinance({ ...options, overwrite: true })).rejects.toMatchObject({
      exit: EXIT.service,
    });
    for (const more of [{}, { out: '-' }, { out: 'a.ndjson' }, { from: '2027-03-01' }])
      await expect(exportFinance({ ...options, ...more })).rejects.toMatchObject({ exit: EXIT.usage });
    expect(readFileSync(out, 'utf8')).toBe('van gisteren');
    expect(readdirSync(service.folder).filter((name) => name.includes('.part'))).toEqual([]);
    service.onRequest = answer;
    // What was not put in place counts for nothing.
    const changes = async (more = {}) =>
      (await exportFinance({ ...options, overwrite: true, ...more })).changes;
    expect(await changes()).toBeNull();
    expect(await changes()).toMatchObject({ records: [] });
    expect(await changes({ to: '2027-02-09' })).toBeNull();
    expect(period.events).toHaveLength(60);
  });
});

test('a finance export holds the stock mutations that were sent, and is no workbook to import', async () => {
  const service = await openTestService({ dialect: { types: 'mixed' } });
  const mutations = await makeWorkbook(join(service.folder, 'mutaties.xlsx'), {
    Voorraadmutaties: [
      ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
      [7001, 12, '2026-03-31 07:45', -2.5, 4902, '=derving'],
      [7002, 12, '2026-03-31 07:46', 3, 4904, 'levering'],
    ],
  });
  expect((await service.run(['import', mutations, '-y'])).code).toBe(EXIT.ok);
  const days = ['--from', '2026-01-01', '--to', '2027-12-31'];
  const out = join(service.folder, 'omzet.xlsx');
  const told = await service.run(['export', 'finance', ...days, ...['--all', '-o', out, '--json']]);
  expect({ ...told, stdout: '' }).toEqual({ code: EXIT.ok, stdout: '', stderr: '' });
  const document = JSON.parse(told.stdout) as Awaited<ReturnType<typeof exportFinance>>;
  expect(document).toMatchObject({
    resource: 'finance',
    all: true,
    changes: null,
    period: { to: '2027-12-31' },
  });
  const sheets = await sheetsOf(out);
  expect(recordsOf(sheets.get('Stock mutations'))).toMatchObject([
    {
      ...{ Reason: '=derving', Category: 'Derving', 'Units of calculation': -2.5, Outcome: 'sent' },
      ...{ 'Count or mutation': 'mutation', Sheet: 'Voorraadmutaties', Row: 2 },
    },
    { 'Product no.': 7002, 'Booked at': '2026-03-31 07:46:00', Product: expect.stringMatching(/\w/) },
  ]);
  expect(recordsOf(sheets.get('Events'))).toContainEqual(
    expect.objectContaining({ Event: 9001, Location: 'Hoeve Wilgenoord', 'No revenue': 'No' }),
  );
  const own = { baseUrl: service.url, token: service.token, ledger: join(service.folder, 'ander.db') };
  const dry = importWorkbook(out, { ...own, log: join(service.folder, 'log') });
  await expect(dry).rejects.toMatchObject({ exit: EXIT.file });
  const refused = await service.run(['export', 'finance', ...days, '--since', 'last', '--out', '-']);
  expect(refused).toMatchObject({
    code: EXIT.usage,
    stderr: expect.stringMatching(/takes no --since/),
  });
});
