import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportRecords, importWorkbook, undoRun } from '../../../src/index.ts';
import { isByHand } from '../../../src/records/value-habits.ts';
import { packages } from '../../../src/resources/packages.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { editBook } from '../../import/baseline/fixtures.ts';
import type { Knobs, ValueKnobs } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';

type Value = string | number | boolean | null;
type Cells = readonly Value[];
type Sheets = Readonly<Record<string, readonly Cells[]>>;

/** A second service with these habits, and imports of workbooks into it. */
async function open(values: Partial<ValueKnobs> = {}) {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  service.set({ values });
  const folder = tempFolder();
  const options = optionsFor({ folder, url: service.url, token: service.token });
  let made = 0;
  const importFile = async (file: string, more: object = {}) => {
    const [writes, requests] = [service.journal.writes.length, service.journal.requests.length];
    const out = `${folder}/result-${++made}.xlsx`;
    const done = await importWorkbook(file, { ...options, out, allowDelete: true, ...more });
    return {
      ...{ run: done.run, rows: done.rows, notes: done.notes ?? [] },
      statuses: done.rows.map(({ status }) => status),
      writes: service.journal.writes.length - writes,
      requests: service.journal.requests.length - requests,
    };
  };
  const importing = async (sheets: Sheets, more: object = {}) =>
    await importFile(await makeWorkbook(`${folder}/file-${++made}.xlsx`, sheets), more);
  const undo = async (run: string) => {
    const { file } = await undoRun(run, { ...serviceOnly(options), out: `${folder}/undo-${++made}.xlsx` });
    return await importFile(file);
  };
  const exported = async (): Promise<string> => {
    const out = `${folder}/export-${++made}.xlsx`;
    await exportRecords(packages, { ...serviceOnly(options), out });
    return out;
  };
  return { service, importing, importFile, exported, undo };
}

const LONG = 'Een heel lange omschrijving van wat er allemaal op tafel komt, met & en "zo"';
const TEXTS = [
  'Soep',
  'Crème brûlée',
  'Brood  en boter',
  'A & B <"x"> \'y\'',
  'één\ntwee\r\ndrie',
  'Taart 🍰 met ‘room’',
  'Cre\u0300me <b>anglaise</b>',
  '  los ',
  LONG,
];
const PRICES = [10.125, 10.135, 4.5, 3.999, 0, 12, 0.005];

const HEADS = {
  Pakketten: [
    'ExternalID',
    'ProductTypeID',
    'OmschrijvingIntern',
    'Offertetekst',
    'Verkoopprijs',
    'Volume',
    'OpnemenInOfferte',
  ],
  Recepten: [
    'ExternalID',
    'OmschrijvingIntern',
    'ProductCategorieID',
    'ProductEenheidWaardeID',
    'Gewicht',
    'OPK',
    'Verkoopprijs',
    'MinimaalVoorraad',
  ],
  Evenementen: [
    'ExternalID',
    'RelatieID',
    'ContactpersoonID',
    'Datum',
    'Starttijd',
    'Eindtijd',
    'PartijOmschrijving',
    'Opmerkingen',
    'AantalKinderen',
  ],
  Arrangementen: ['PartijID', 'ArrangementID', 'OfferteOmschrijving', 'Aantal', 'Datum'],
} as const;

/** A row for each text in a sheet, with all that a service may make something else of. */
function everything(event: number): Sheets {
  const rows = (row: (at: number) => Cells): Cells[] => TEXTS.map((_, at) => row(at));
  const text = (at: number): string => TEXTS[at % TEXTS.length] ?? '';
  const price = (at: number): number => PRICES[at % PRICES.length] ?? 0;
  return {
    Pakketten: [
      HEADS.Pakketten,
      ...rows((at) => [7100 + at, 1, `${text(at)} ${at}`, text(at + 1), price(at), price(at + 1), at > 2]),
    ],
    Recepten: [
      HEADS.Recepten,
      ...rows((at) => [7200 + at, `${text(at)} ${at}`, 11, 501, price(at) + 1, 1, price(at), at % 2]),
    ],
    Evenementen: [
      HEADS.Evenementen,
      ...rows((at) => [
        7300 + at,
        4001,
        6001,
        `2027-03-0${at + 1} 10:15:30`,
        '10:15',
        '17:00',
        `${text(at)} ${at}`,
        text(at + 2),
        at % 3,
      ]),
    ],
    Arrangementen: [
      HEADS.Arrangementen,
      ...rows((at) => [event, 1001 + (at % 3), text(at), at + 1, `2027-03-0${at + 1} 10:15:30`]).slice(0, 3),
    ],
  };
}

const HABITS: Readonly<Record<string, Partial<ValueKnobs>>> = {
  'rounds half up': { rounding: 'half up', roundedFields: ['Verkoopprijs', 'Volume', 'Gewicht'] },
  'rounds half even': { rounding: 'half even', roundedFields: ['Verkoopprijs', 'Volume', 'Gewicht'] },
  'cuts decimals off': { rounding: 'truncate' },
  'has float noise': { noise: true },
  'holds single floats': { floats: 'single' },
  'rounds and holds single floats': { rounding: 'half even', places: 1, floats: 'single' },
  'trims texts': { trim: true },
  'strips tags': { stripTags: true },
  'has no signs of four bytes': { characters: 'no four bytes: ?' },
  'ends texts at signs of four bytes': { characters: 'no four bytes: cut' },
  'has no signs but those of latin1': { characters: 'latin1: ?' },
  'folds blanks': { foldBlanks: true },
  'cuts texts at 10 characters': { cutAt: 10 },
  'escapes HTML': { escapeHtml: true },
  'escapes HTML and cuts at 20 characters': { escapeHtml: true, cutAt: 20 },
  'stores capitals': { upperCase: true },
  'ends lines with CR and LF': { lineEnds: '\r\n' },
  'composes accents': { normalise: 'NFC' },
  'takes accents apart': { normalise: 'NFD' },
  'stores nothing for empty texts and zero': { emptyAsNull: true, zeroAsNull: true },
  'cuts moments to minutes': { datetimes: 'minutes' },
  'cuts moments to days': { datetimes: 'days' },
  'shows moments of another zone': { shiftMinutes: -60 },
  'shows moments of a zone far away': { shiftMinutes: 345, datetimes: 'minutes' },
  'keeps nothing of some fields': {
    ignored: ['Volume', 'Offertetekst', 'MinimaalVoorraad'],
  },
  'keeps nothing of fields that a second request brings': {
    ignored: ['Opmerkingen', 'AantalKinderen', 'OfferteOmschrijving'],
  },
  'rounds, trims, escapes, folds and composes': {
    rounding: 'half up',
    trim: true,
    escapeHtml: true,
    foldBlanks: true,
    normalise: 'NFC',
  },
};

/** Refuses each read that comes after so many writes: what was written can't be read back. */
function noReadsAfter(writes: number): Knobs['failures']['choose'] {
  let written = 0;
  return ({ write }) => {
    if (write) written += 1;
    return written >= writes && !write ? { kind: 'status', status: 400, when: 'before' } : undefined;
  };
}

describe('a second import of the same file', () => {
  it.each(Object.keys(HABITS))(
    'is unchanged for every row and sends no write on a service that %s',
    async (habit) => {
      const { service, importing } = await open(HABITS[habit]);
      const event = service.add.event();
      const sheets = everything(event);
      const first = await importing(sheets);
      expect(new Set(first.statuses)).toEqual(new Set(['created']));
      const second = await importing(sheets);
      expect({ statuses: [...new Set(second.statuses)], writes: second.writes }).toEqual({
        statuses: ['unchanged'],
        writes: 0,
      });
    },
  );

  it('is unchanged where no LMT moves with an update', async () => {
    const { service, importing } = await open({ characters: 'latin1: ?' });
    service.set({ clock: { moves: 'never' } });
    const ids = [service.add.recipe(), service.add.recipe()];
    const names = ['Een lange naam met "alles" & nog meer', 'Taart 🍰'];
    const rows = ids.map((id, at) => [id, names[at] ?? '']);
    const sheets = { Recepten: [['ProductID', 'OmschrijvingIntern'], ...rows] };
    service.set({ failures: { choose: noReadsAfter(ids.length) } });
    expect((await importing(sheets)).statuses).toEqual(['updated', 'updated']);
    service.set({ failures: { choose: undefined } });
    const second = await importing(sheets);
    expect([second.statuses, second.writes]).toEqual([['unchanged', 'unchanged'], 0]);
  });

  it('is unchanged for trips that have no LMT, whose texts are stored in capitals', async () => {
    const { service, importing } = await open({ upperCase: true });
    service.set({ clock: { lmt: 'null' } });
    const id = service.add.trip({ Datum: '2026-10-02', Chauffeur: 'Een ander' });
    const sheets = {
      Ritten: [
        ['RitID', 'Datum', 'Chauffeur'],
        [id, '2026-10-02', 'W. Bos'],
      ],
    };
    expect((await importing(sheets)).statuses).toEqual(['updated']);
    const second = await importing(sheets);
    expect([second.statuses, second.writes]).toEqual([['unchanged'], 0]);
  });

  it('is unchanged where packages keep no ExternalID and the profile says that nothing stores it', async () => {
    const { service, importing } = await open({ externalId: 'never' });
    const sheets = everything(service.add.event());
    const options = { dialect: { externalId: 'never' } };
    expect(new Set((await importing(sheets, options)).statuses)).toEqual(new Set(['created']));
    const second = await importing(sheets, options);
    expect([[...new Set(second.statuses)], second.writes]).toEqual([['unchanged'], 0]);
  });

  it.each(['package', 'recipe'] as const)(
    'deletes no %s again that the service keeps and flags, unless someone put it in use again',
    async (kind) => {
      const { service, importing } = await open({ deletes: 'flagged' });
      const [id, other] = [service.add[kind](), service.add[kind]()];
      const sheet = kind === 'package' ? 'Pakketten' : 'Recepten';
      const sheets = { [sheet]: [['ProductID', '#action'], ...[id, other].map((one) => [one, 'delete'])] };
      expect((await importing(sheets)).statuses).toEqual(['deleted', 'deleted']);
      const second = await importing(sheets);
      expect([second.statuses, second.writes]).toEqual([['unchanged', 'unchanged'], 0]);
      expect(second.rows[0]?.message).toMatch(/^already gone, done by run /);
      service.other.change(kind, other, { Actief: true });
      expect((await importing(sheets)).statuses).toEqual(['unchanged', 'deleted']);
    },
  );

  it('deletes a record that it flags, where the answer to that is lost', async () => {
    const { service, importing } = await open({ deletes: 'flagged' });
    const id = service.add.package();
    let left = 1;
    const choose: Knobs['failures']['choose'] = ({ write }) =>
      write && left-- > 0 ? { kind: 'empty 200', when: 'after' } : undefined;
    service.set({ failures: { choose } });
    const { statuses } = await importing({
      Pakketten: [
        ['ProductID', '#action'],
        [id, 'delete'],
      ],
    });
    expect([statuses, service.packages.get(id)?.Actief]).toEqual([['deleted'], false]);
  });

  it('deletes a record that is out of use and that no import deleted', async () => {
    const { service, importing } = await open({ deletes: 'flagged' });
    const id = service.add.package({ Actief: false });
    const sheets = {
      Pakketten: [
        ['ProductID', '#action'],
        [id, 'delete'],
      ],
    };
    expect((await importing(sheets)).statuses).toEqual(['deleted']);
  });
});

const PACKAGES = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];
const three = (name = 'Soep van de dag', price = 10.125): Sheets => ({
  Pakketten: [
    PACKAGES,
    [7001, 1, name, price],
    [7002, 1, 'Brood met kruidenboter', 4.5],
    [7003, 1, 'Kaas', 12],
  ],
});

describe('a change that a colleague made', () => {
  it.each<[string, Partial<ValueKnobs>, Record<string, string | number>]>([
    ['to another price', { rounding: 'half up' }, { Verkoopprijs: 10.5 }],
    ['to a price that is near', { rounding: 'half up' }, { Verkoopprijs: 10.12 }],
    ['to another text', { escapeHtml: true, trim: true }, { OmschrijvingIntern: 'Soep van gisteren' }],
    ['to the beginning of the text, where nothing is cut', {}, { OmschrijvingIntern: 'Soep' }],
    ['to a shorter text than is cut', { cutAt: 10 }, { OmschrijvingIntern: 'Soep' }],
    ['to capitals, where they are not the service’s', {}, { OmschrijvingIntern: 'SOEP VAN DE DAG' }],
    ['to a round price, where nothing is rounded', {}, { Verkoopprijs: 10 }],
  ])('%s is seen, and the file brings its own value back', async (_, habit, change) => {
    const { service, importing } = await open(habit);
    const { rows } = await importing(three());
    service.other.change('package', rows[0]?.id ?? 0, change);
    const second = await importing(three());
    expect(second.statuses).toEqual(['updated', 'unchanged', 'unchanged']);
    expect((await importing(three())).statuses).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });
});

describe('what a colleague made of two records, after a run that could read nothing back, is no habit', () => {
  const field = (name: string, mine: readonly Value[], theirs: readonly Value[], old: Value, own: Value) =>
    ({ name, mine, theirs, old, own }) as const;

  it.each([
    ['prices that are rounded', field('Verkoopprijs', [9.95, 4.95], [10, 5], 15, 14.95)],
    [
      'names in capitals',
      field('OmschrijvingIntern', ['Soep', 'Brood'], ['SOEP', 'BROOD'], 'TAART', 'Taart'),
    ],
    [
      'names without accents',
      field('OmschrijvingIntern', ['Crème', 'Purée'], ['Creme', 'Puree'], 'Pate', 'Paté'),
    ],
    [
      'texts without tags',
      field('Offertetekst', ['<b>Kip</b>', 'Vis <i>y</i>'], ['Kip', 'Vis y'], 'Kaas', '<b>Kaas</b>'),
    ],
    ['texts that are emptied', field('Offertetekst', ['Bij het buffet', 'Vis'], [null, null], null, 'Kaas')],
  ])('on a service without LMT: %s', async (_, { name, mine, theirs, old, own }) => {
    const { service, importing } = await open();
    service.set({ clock: { lmt: 'absent' } });
    const [one, two, other] = [1, 2, 3].map(() => service.add.package({ [name]: old })) as [
      number,
      number,
      number,
    ];
    const head = ['ProductID', name];
    const file = { Pakketten: [head, [one, mine[0] ?? null], [two, mine[1] ?? null]] };
    service.set({ failures: { choose: noReadsAfter(2) } });
    await importing(file);
    service.set({ failures: { choose: undefined } });
    service.other.change('package', one, { [name]: theirs[0] ?? null });
    service.other.change('package', two, { [name]: theirs[1] ?? null });
    const second = await importing(file);
    expect([second.statuses, second.notes]).toEqual([['updated', 'updated'], []]);
    const held = [one, two].map((id) => service.packages.get(id)?.[name]);
    expect(held).toEqual(mine);
    expect((await importing({ Pakketten: [head, [other, own]] })).statuses).toEqual(['updated']);
    expect((await importing(file)).statuses).toEqual(['unchanged', 'unchanged']);
  });
});

describe('a price that is rounded, of which no read told anything yet,', () => {
  const HEAD = [...PACKAGES, 'Offertetekst'];
  const prices: Sheets = {
    Pakketten: [
      HEAD,
      [7001, 1, 'Crème "brûlée" & koffie met iets erbij', 9.5, 'Een  lange tekst\nover twee <b>regels</b>'],
      [7002, 1, 'Brood', 10.25, ''],
      [7003, 1, 'Kaas', 12, ''],
    ],
  };

  it.each([0, 60_000])(
    'is what the file says to a colleague who rounds it: lists lag %i ms behind',
    async (lagMs) => {
      const { service, importing } = await open();
      service.set({ speed: { lagMs } });
      const { rows } = await importing(prices);
      service.set({ speed: { lagMs: 0 } });
      await pause(20);
      service.other.change('package', rows[1]?.id ?? 0, { Verkoopprijs: 10.3 });
      const second = await importing(prices);
      expect(second.statuses).toEqual(['unchanged', 'updated', 'unchanged']);
      expect(service.packages.get(rows[1]?.id ?? 0)).toMatchObject({ Verkoopprijs: 10.25 });
      expect((await importing(prices)).statuses).toEqual(['unchanged', 'unchanged', 'unchanged']);
    },
  );

  it('is sent once more where the run that sent it could read nothing back, and is the service’s then', async () => {
    const { service, importing } = await open({ rounding: 'half up', places: 1 });
    service.set({ failures: { choose: noReadsAfter(1) } });
    expect((await importing(prices)).notes).toEqual([]);
    service.set({ failures: { choose: undefined } });
    const second = await importing(prices);
    expect([second.statuses, second.writes]).toEqual([['unchanged', 'updated', 'unchanged'], 1]);
    const third = await importing(prices);
    expect([third.statuses, third.writes]).toEqual([['unchanged', 'unchanged', 'unchanged'], 0]);
  });

  it('is like a text without its tags: that is known where reads show a change of the run late', async () => {
    const { service, importing } = await open({ stripTags: true });
    const ids = [1, 2].map((at) => service.add.package({ OmschrijvingIntern: `Oud ${at}`, Volume: at }));
    await importing({ Pakketten: [PACKAGES, [6001, 1, 'Diner', 14]] });
    service.set({ speed: { lagMs: 250, detailLags: true } });
    const change: Sheets = {
      Pakketten: [
        ['ProductID', 'OmschrijvingIntern'],
        [ids[0] ?? 0, 'Soep met een lange naam, groente en brood'],
        [ids[1] ?? 0, 'Lunch op <maat>'],
      ],
    };
    await importing(change);
    service.set({ speed: { lagMs: 0 } });
    const second = await importing(change);
    expect([second.statuses, second.writes]).toEqual([['unchanged', 'unchanged'], 0]);
  });

  it('is like a zero that is stored as nothing: that is known by one record, though nothing could be read back', async () => {
    const { service, importing } = await open({ zeroAsNull: true });
    const zero: Sheets = {
      Pakketten: [
        [...PACKAGES, 'Volume'],
        [7001, 1, 'Crème', 9.5, 0],
      ],
    };
    service.set({ failures: { choose: noReadsAfter(1) } });
    await importing(zero);
    service.set({ failures: { choose: undefined } });
    const second = await importing(zero);
    expect([second.statuses, second.writes]).toEqual([['unchanged'], 0]);
  });

  it.each([
    ['in the same run', [14.5, 9]],
    ['in an earlier run', [9]],
  ])('is not the service’s where another was kept exactly %s', async (_, others) => {
    const { service, importing } = await open();
    const old = service.add.package({ OmschrijvingIntern: 'Oud', Verkoopprijs: 20 });
    if (!others.includes(14.5))
      await importing({ Pakketten: [PACKAGES, [6001, 1, 'Diner met een lange naam', 14.25]] });
    const rows = [12.95, ...others].map((price, at) => [7001 + at, 1, `Lunch ${at}`, price]);
    const round = () => {
      const [mine] = service.packages.where({ ExternalID: 7001 });
      service.other.change('package', Number(mine?.ProductID), { Verkoopprijs: 13 });
    };
    // After the last key.
    service.at(2 * rows.length, round, { side: 'after' });
    await importing({ Pakketten: [PACKAGES, ...rows] }, { concurrency: 1 });
    expect(service.packages.where({ ExternalID: 7001 })).toMatchObject([{ Verkoopprijs: 13 }]);
    const head = ['ProductID', 'Verkoopprijs'];
    expect((await importing({ Pakketten: [head, [old, 19.95]] })).statuses).toEqual(['updated']);
    expect(service.packages.get(old)).toMatchObject({ Verkoopprijs: 19.95 });
  });

  it('is told by the other records that were written, which one list shows', async () => {
    const { importing } = await open({ rounding: 'half up', places: 1 });
    const first = await importing(prices);
    expect(first.notes.join()).toContain('Verkoopprijs 10.25 was stored as 10.3');
    const second = await importing(prices);
    expect([second.statuses, second.writes]).toEqual([['unchanged', 'unchanged', 'unchanged'], 0]);
  });
});

describe('numbers are compared exactly, so that', () => {
  it.each([
    ['a price of 12345678.90 that becomes 12345678.91', 'Verkoopprijs', 12345678.9, 12345678.91],
    ['a stock that becomes one more than 2000000000', 'MinimaalVoorraad', 2000000000, 2000000001],
  ])('%s is sent', async (_, field, from, to) => {
    const { importing } = await open();
    const recipe = (value: number): Sheets => ({
      Recepten: [
        [
          'ExternalID',
          'OmschrijvingIntern',
          'ProductCategorieID',
          'ProductEenheidWaardeID',
          'Gewicht',
          'OPK',
          field,
        ],
        [7001, 'Soep', 11, 501, 1, 1, value],
      ],
    });
    await importing(recipe(from));
    expect((await importing(recipe(to))).statuses).toEqual(['updated']);
  });

  it('an ExternalID and a relation that become one more are sent', async () => {
    const { service, importing } = await open();
    service.add.relation(4000000002, { Bedrijfsnaam: 'Gemeente Veldhoek' });
    const event = service.add.event({ ExternalID: 8712345678901, RelatieID: 4000000001 });
    const sheets = {
      Evenementen: [
        ['PartijID', 'ExternalID', 'RelatieID'],
        [event, 8712345678902, 4000000002],
      ],
    };
    expect((await importing(sheets)).statuses).toEqual(['updated']);
    expect(service.events.get(event)).toMatchObject({ ExternalID: 8712345678902, RelatieID: 4000000002 });
  });
});

describe('an ExternalID that the service does not have', () => {
  it.each([null, '', 0, '0'] as const)('is none, also where it is answered as %j', async (noExternalId) => {
    const { service, importing } = await open();
    service.set({ answers: { noExternalId } });
    const other = service.add.package();
    const sheets = {
      Pakketten: [
        ['ProductID', 'ExternalID', 'Verkoopprijs'],
        [other, 7001, 13],
      ],
    };
    expect((await importing(sheets)).statuses).toEqual(['updated']);
    expect((await importing(sheets)).statuses).toEqual(['unchanged']);
    expect((await importing(three())).statuses).toEqual(['updated', 'created', 'created']);
  });
});

describe('a workbook that was exported, beside what the service makes of values', () => {
  it('is merged with what someone else changed, field by field', async () => {
    const { service, importing, importFile, exported } = await open({
      rounding: 'half up',
      escapeHtml: true,
    });
    const { rows } = await importing(three('Soep & brood'));
    const id = rows[0]?.id ?? 0;
    const file = await exported();
    service.other.change('package', id, { Offertetekst: 'Van een ander' });
    const ids = rows.map((row) => row.id ?? 0);
    await editBook(file, (set, [first = 2]) => set(first, 'Verkoopprijs', 11.125), ids);
    expect((await importFile(file)).statuses).toEqual(['updated', 'unchanged', 'unchanged']);
    const kept = {
      OmschrijvingIntern: 'Soep &amp; brood',
      Verkoopprijs: 11.13,
      Offertetekst: 'Van een ander',
    };
    expect(service.packages.get(id)).toMatchObject(kept);
  });
});

describe('what the service makes of a value', () => {
  it('is told once, in the run that finds it out', async () => {
    const { importing } = await open({ rounding: 'half up', cutAt: { OmschrijvingIntern: 10 } });
    const { notes, rows } = await importing(three());
    expect(notes).toEqual([
      'Pakketten: OmschrijvingIntern was cut at 10 characters: the service keeps no more.',
      'Pakketten: Verkoopprijs 10.125 was stored as 10.13; on this service that counts as the same.',
    ]);
    expect(rows[0]?.issues).toMatchObject([{ code: 'text-cut', field: 'OmschrijvingIntern', cell: 'C2' }]);
    expect(rows[2]).not.toHaveProperty('issues');
    expect((await importing(three())).notes).toEqual([]);
  });

  it('is told of each thing that becomes of a field: that its texts are cut, and that they are escaped', async () => {
    const { importing } = await open({ escapeHtml: true, cutAt: { OmschrijvingIntern: 10 } });
    const rows = [
      ['ExternalID', 'ProductTypeID', 'Verkoopprijs', 'OmschrijvingIntern'],
      [5001, 1, 5, 'Een heel lange naam'],
      [5002, 1, 5, 'A & B'],
    ];
    const done = await importing({ Pakketten: rows });
    expect(done.notes.toSorted()).toEqual([
      'Pakketten: OmschrijvingIntern A & B was stored as A &amp; B; on this service that counts as the same.',
      'Pakketten: OmschrijvingIntern was cut at 10 characters: the service keeps no more.',
    ]);
    expect(done.rows[0]?.issues).toMatchObject([{ code: 'text-cut', cell: 'D2' }]);
    expect((await importing({ Pakketten: rows })).statuses).toEqual(['unchanged', 'unchanged']);
  });

  it('is a warning on each row with a text that is cut', async () => {
    const { importing } = await open({ cutAt: { OmschrijvingIntern: 10 } });
    await importing(three());
    const { rows } = await importing(three());
    const [first] = rows[0]?.issues ?? [];
    expect(first).toMatchObject({
      code: 'text-cut',
      severity: 'warning',
      field: 'OmschrijvingIntern',
      cell: 'C2',
    });
    expect(rows.map(({ issues = [] }) => issues.length)).toEqual([1, 1, 0]);
  });

  it('takes one request more at most for each resource to find out', async () => {
    const { service, importing } = await open({ rounding: 'half up', escapeHtml: true });
    const event = service.add.event();
    await importing(everything(event));
    const last = service.journal.requests.findLastIndex(({ write }) => write);
    const after = service.journal.requests.slice(last + 1).map(({ endpoint }) => endpoint);
    expect(after.length).toBeLessThanOrEqual(4);
    expect(new Set(after).size).toBe(after.length);
  });

  it('is not told by a read that lags behind an update: the old price is not the new one rounded', async () => {
    const { service, importing } = await open();
    const { rows } = await importing(three('Soep van de dag', 10));
    await pause(600);
    service.set({ speed: { lagMs: 500, detailLags: true } });
    await importing(three('Soep van de dag', 10.45));
    service.set({ speed: { lagMs: 0 } });
    service.other.change('package', rows[0]?.id ?? 0, { Verkoopprijs: 10 });
    await importing(three('Soep van de dag', 10.45));
    expect(service.packages.get(rows[0]?.id ?? 0)).toMatchObject({ Verkoopprijs: 10.45 });
  });

  it('is kept in an update that must send the field along: nothing is escaped twice', async () => {
    const { service, importing } = await open({ escapeHtml: true });
    const { rows } = await importing(three('Soep & brood'));
    const id = rows[0]?.id ?? 0;
    const price = {
      Pakketten: [
        ['ProductID', 'Verkoopprijs'],
        [id, 11],
      ],
    };
    expect((await importing(price)).statuses).toEqual(['updated']);
    expect(service.packages.get(id)).toMatchObject({
      OmschrijvingIntern: 'Soep &amp; brood',
      Verkoopprijs: 11,
    });
  });

  it('is no change of someone else for an undo of the run', async () => {
    const { service, importing, undo } = await open({
      rounding: 'half up',
      escapeHtml: true,
      upperCase: true,
    });
    const { rows } = await importing(three('Soep & brood'));
    const { run } = await importing(three('Soep & kaas', 11.335));
    const undone = await undo(run);
    expect(undone.statuses).toEqual(['updated']);
    expect(service.packages.get(rows[0]?.id ?? 0)).toMatchObject({
      OmschrijvingIntern: 'SOEP &amp; BROOD',
      Verkoopprijs: 10.13,
    });
  });

  it('lets an undo delete what the run made, and keeps what someone changed since', async () => {
    const { service, importing, undo } = await open({ rounding: 'half up', escapeHtml: true, cutAt: 12 });
    const { run, rows } = await importing(three('Soep & brood'));
    service.other.change('package', rows[2]?.id ?? 0, { Verkoopprijs: 13 });
    expect((await undo(run)).statuses.sort()).toEqual(['conflict', 'deleted', 'deleted']);
  });
});

it.each([
  ['in the middle of a word is the service’s doing', 'Een heel lange omschrijvin', false],
  ['at the end of a word may be someone’s doing', 'Een heel lange', true],
])('a text that ends %s', (_, held, byHand) => {
  expect(isByHand({ sent: 'Een heel lange omschrijving die wordt afgekapt', held })).toBe(byHand);
});
