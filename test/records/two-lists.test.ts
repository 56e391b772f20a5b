import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** The lists of a create and of an update: other ids for the same names, and the same ids for other names. */
const LISTS = {
  'other ids': [
    { 1: 'Soepen', 2: 'Sauzen', 3: 'Dranken' },
    { 101: 'Soepen', 102: 'Sauzen', 104: 'Snijden' },
  ],
  'the same ids for other names': [
    { 1: 'Soepen', 2: 'Sauzen', 3: 'Dranken' },
    { 1: 'Sauzen', 2: 'Soepen', 4: 'Snijden' },
  ],
} as const;
type Lists = keyof typeof LISTS;
const KINDS = Object.keys(LISTS) as Lists[];

async function open(lists: Lists) {
  const service = await startSecondService({ company: 'none', values: { checkReferences: true } });
  onTestFinished(() => service.close());
  const [created, updated] = LISTS[lists];
  service.add.names('productCategory', created);
  service.add.names('productActionCategory', updated);
  const folder = tempFolder();
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), as: recipes };
  const run = async (category: string, more: Readonly<Record<string, string>> = {}) => {
    const row = { ExternalID: '71', OmschrijvingIntern: 'Soep', Gewicht: '0,3', OPK: '10', ...more };
    const cells = {
      ...row,
      ProductEenheidWaardeID: '5',
      ...(category !== '' && { ProductCategorieID: category }),
    };
    const file = `${folder}/recepten.csv`;
    writeFileSync(file, `${Object.keys(cells).join(';')}\n${Object.values(cells).join(';')}\n`);
    const { counts, rows } = await importWorkbook(file, options);
    return { counts, issues: rows.flatMap(({ issues = [] }) => issues.map(({ code }) => code)) };
  };
  const held = (): unknown => service.recipes.all()[0]?.ProductCategorieID;
  const idOf = (name: string): number =>
    Number(Object.entries(updated).find(([, label]) => label === name)?.[0]);
  return { service, run, held, idOf };
}

it.each(KINDS)('a name is the id of the list that its request takes, where they have %s', async (lists) => {
  const { service, run, held, idOf } = await open(lists);
  expect((await run('Soepen')).counts).toMatchObject({ created: 1 });
  const [create, key] = service.journal.ours;
  expect(create?.after).toMatchObject({ ProductCategorieID: 1 });
  expect(key?.after).toMatchObject({ ProductCategorieID: idOf('Soepen') });
  expect((await run('Soepen')).counts).toMatchObject({ unchanged: 1 });
  expect((await run('Sauzen')).counts).toMatchObject({ updated: 1 });
  expect(held()).toBe(idOf('Sauzen'));
  expect((await run('Sauzen')).counts).toMatchObject({ unchanged: 1 });
});

it.each(KINDS)('a name that only updates have changes a record and creates none, with %s', async (lists) => {
  const { run, held, idOf, service } = await open(lists);
  const refused = await run('Snijden');
  expect(refused.counts).toMatchObject({ invalid: 1 });
  expect(refused.issues).toContain('lookup-unknown');
  expect(service.journal.writes).toEqual([]);
  await run('Soepen');
  expect((await run('Snijden')).counts).toMatchObject({ updated: 1 });
  expect(held()).toBe(idOf('Snijden'));
});

it.each(KINDS)(
  'a number that created a record is the same category the next time, with %s',
  async (lists) => {
    const { run, held, idOf } = await open(lists);
    expect((await run('1')).counts).toMatchObject({ created: 1 });
    expect(held()).toBe(idOf('Soepen'));
    expect((await run('1')).counts).toMatchObject({ unchanged: 1 });
    expect((await run(String(idOf('Snijden')))).counts).toMatchObject({ updated: 1 });
    expect(held()).toBe(idOf('Snijden'));
  },
);

it('an update of something else sends the category as its own list has it', async () => {
  const { service, run, held } = await open('other ids');
  const id = service.add.recipe({ OmschrijvingIntern: 'Saus', ProductCategorieID: 2, Gewicht: 1, OPK: 1 });
  service.add.recipe({ OmschrijvingIntern: 'Sap', ProductCategorieID: 3, Gewicht: 1, OPK: 1 });
  const changed = await run('', { ProductID: String(id), ExternalID: '', OmschrijvingIntern: 'Jus' });
  expect(changed.counts).toMatchObject({ updated: 1 });
  expect(held()).toBe(102);
});

it('an update that carries a category which its list lacks is warned of', async () => {
  const { service, run } = await open('other ids');
  const id = service.add.recipe({ OmschrijvingIntern: 'Sap', ProductCategorieID: 3, Gewicht: 1, OPK: 1 });
  const changed = await run('', { ProductID: String(id), ExternalID: '', OmschrijvingIntern: 'Limonade' });
  expect(changed.issues).toContain('lookup-id-unknown');
});
