import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { type Cells, openRows, resources, writeRows } from '../../records/keyed-rows.ts';

const { arrangements } = resources;
const [ONE, TWO] = ['2027-03-05', '2027-03-06'];

/** An event of two days, with one arrangement on each. */
async function open() {
  const { service, folder, options } = await openRows();
  const PartijID = service.add.event({ Datum: ONE });
  const ArrangementID = service.add.package({ OmschrijvingIntern: 'Lunch' });
  service.add.link(PartijID, ArrangementID, { Datum: ONE, Aantal: 40 });
  service.add.link(PartijID, ArrangementID, { Datum: TWO, Aantal: 25 });
  const run = async (rows: readonly Cells[]) => {
    const file = writeRows(
      `${folder}/rijen.csv`,
      rows.map((row) => ({ PartijID, ArrangementID, ...row })),
    );
    const { rows: told, counts } = await importWorkbook(file, {
      ...options,
      as: arrangements,
      allowDelete: true,
    });
    return {
      counts,
      told: told.map(({ status, issues = [], message = '' }) => ({
        status,
        codes: issues.map(({ code }) => code),
        message,
      })),
    };
  };
  const held = () =>
    service.links
      .all()
      .filter((link) => link.PartijID === PartijID)
      .map(({ Datum, Aantal }) => `${String(Datum).slice(0, 10)} ${String(Aantal)}`);
  return { run, held };
}

it('a change of an arrangement that is on the event twice is an issue that names the other day', async () => {
  const { run, held } = await open();
  const { told } = await run([
    { Datum: ONE, Aantal: 99 },
    { Datum: TWO, Aantal: 25 },
  ]);
  expect(told).toMatchObject([{ status: 'invalid', codes: ['linked-twice'] }, { status: 'unchanged' }]);
  expect(told[0]?.message).toContain(`with Aantal 25, Datum 6 Mar 2027`);
  expect(held()).toEqual([`${ONE} 40`, `${TWO} 25`]);
});

it('a delete of one of two is an issue, and of both deletes both', async () => {
  const { run, held } = await open();
  const { told } = await run([
    { Datum: ONE, Aantal: 40 },
    { Datum: TWO, Aantal: 25, '#action': 'delete' },
  ]);
  expect(told).toMatchObject([
    { status: 'unchanged' },
    { status: 'invalid', codes: expect.arrayContaining(['linked-twice']) },
  ]);
  expect(told[1]?.message).toContain(`with Aantal 40, Datum 5 Mar 2027`);
  expect(held()).toHaveLength(2);
  const both = await run([
    { Datum: ONE, Aantal: 40, '#action': 'delete' },
    { Datum: TWO, Aantal: 25, '#action': 'delete' },
  ]);
  expect(both.told.flatMap(({ codes }) => codes)).not.toContain('linked-twice');
  expect(held()).toEqual([]);
});
