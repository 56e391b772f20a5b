import { describe, expect, test } from 'vitest';
import { newPackages, openWorld } from './world.ts';

const HEADER = ['ProductID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'];

describe('a dry run sends nothing but reads, and shows every change that the import would make (6)', () => {
  test('of packages, recipes and events: old and new are what the service held and holds', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const borrel = service.add.package({ OmschrijvingIntern: 'Borrel klassiek', Verkoopprijs: 15 });
    const soup = service.add.recipe({ OmschrijvingIntern: 'Uiensoep', OPK: 4 });
    const event = service.add.event({ PartijOmschrijving: 'Ledendag', AantalGasten: 40 });
    const files: [string, readonly (readonly (string | number)[])[]][] = [
      [
        'packages',
        [
          ['ProductID', 'Verkoopprijs'],
          [borrel, '21,5'],
        ],
      ],
      [
        'recipes',
        [
          ['ProductID', 'OmschrijvingIntern', 'OPK'],
          [soup, 'Uiensoep met kaas', 6],
        ],
      ],
      [
        'events',
        [
          ['PartijID', 'AantalGasten'],
          [event, 61],
        ],
      ],
    ];
    for (const [as, rows] of files) {
      const file = sheet(rows);
      const options = { ...machine(), as };
      const planned = await importWorkbook(file, { ...options, dryRun: true });
      expect(service.journal.writes).toEqual([]);
      const before = service.journal.ours.length;
      await importWorkbook(file, options);
      const [commit] = service.journal.ours.slice(before);
      const fields = Object.keys(commit?.after ?? {}).filter(
        (name) => name !== 'LMT' && commit?.before?.[name] !== commit?.after?.[name],
      );
      expect(planned.rows[0]?.changes).toEqual(
        fields.map((field) => ({ field, from: commit?.before?.[field], to: commit?.after?.[field] })),
      );
      expect(fields.length).toBeGreaterThan(0);
      service.journal.requests.length = 0;
    }
  });
});

describe('a row that asks for what is there sends nothing (8)', () => {
  test.each([
    ['as it was sent', {}],
    ['rounded', { rounding: 'half up', places: 1 }],
    ['cut off', { cutAt: 5 }],
    ['in capitals', { upperCase: true }],
    ['with escaped signs', { escapeHtml: true }],
  ] as const)('a value that the service stores %s from the second time on', async (_, values) => {
    const { service, sheet, machine, importWorkbook } = openWorld({
      values: { externalId: 'kept', ...values },
    });
    const rows = newPackages(3).map((row, at) =>
      at === 0 ? row : [row[0] ?? 0, `Kaas & ham ${at}`, 1, '12,36'],
    );
    const options = machine();
    expect((await importWorkbook(sheet(rows), options)).counts.created).toBe(3);
    // A record that is stored in its own way may cost one update.
    await importWorkbook(sheet(rows), options);
    const { length } = service.journal.writes;
    const again = await importWorkbook(sheet(rows), options);
    expect([again.counts.unchanged, service.journal.writes.length]).toEqual([3, length]);
  });
});

describe('what someone else changed after the plan was made is a conflict with all three values, and stays (7, 9)', () => {
  test.each([
    ['packages', 'package', 'ProductID', 'Verkoopprijs', 15, 21.5, 18.25],
    ['recipes', 'recipe', 'ProductID', 'OPK', 4, 6, 5],
    ['events', 'event', 'PartijID', 'AantalGasten', 40, 61, 55],
  ] as const)('of %s', async (as, kind, id, field, was, mine, theirs) => {
    const { service, sheet, machine, planImport, applyPlan } = openWorld();
    const record = service.add[kind]({ [field]: was });
    const { allRows: _, ...options } = machine();
    const { run } = await planImport(
      sheet([
        [id, field],
        [record, String(mine).replace('.', ',')],
      ]),
      { ...options, as },
    );
    service.other.change(kind, record, { [field]: theirs });
    const { rows } = await applyPlan(run, { ...options, allRows: true });
    expect(rows[0]?.status).toBe('conflict');
    const [issue] = rows[0]?.issues ?? [];
    const told = `${issue?.message}`.replaceAll(',', '.');
    for (const value of [was, mine, theirs]) expect(told).toContain(String(value));
    expect(service.journal.writes).toEqual([]);
  });
});

describe('deleting needs #action delete and --allow-delete (11)', () => {
  test.each([
    ['neither', null, false, 'unchanged'],
    ['#action alone', 'delete', false, 'invalid'],
    ['--allow-delete alone', null, true, 'unchanged'],
    ['both', 'delete', true, 'deleted'],
  ] as const)('%s', async (_, action, allowDelete, status) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 15, ProductTypeID: 1 });
    const file = sheet([
      ['#action', ...HEADER],
      [action, id, 'Borrel', 1, '15', null],
    ]);
    const { rows } = await importWorkbook(file, { ...machine(), as: 'packages', allowDelete });
    expect(rows.map((row) => row.status)).toEqual([status]);
    expect(service.journal.ours.filter(({ what }) => what === 'deleted')).toHaveLength(
      status === 'deleted' ? 1 : 0,
    );
  });
});

test('a name is resolved to exactly one id, or is an issue with the nearest names (12)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const [type, name] = [3, 'Ingrediënt'];
  const file = sheet([
    ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    [900_001, 'Lunch', name.toUpperCase(), '12,5'],
    [900_002, 'Brunch', `${name}x`, '12,5'],
  ]);
  const { rows } = await importWorkbook(file, machine());
  expect(rows.map(({ status }) => status)).toEqual(['created', 'invalid']);
  expect(rows[1]?.issues?.[0]?.message).toContain(name);
  expect(service.journal.of('package.create').map(({ body }) => body)).toMatchObject([
    { ProductTypeID: type },
  ]);
});
