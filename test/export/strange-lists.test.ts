import { existsSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { exportRecords } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { type Reshape, startReshaping } from '../answers/reshaping-service.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

const resources = { packages, recipes, events, trips, arrangements };
type Name = keyof typeof resources;
const PERIOD = { from: '2027-01-01', to: '2027-03-31' };

async function open(name: Name, lists: RegExp) {
  const second = await startSecondService();
  const service = await startReshaping(second.url);
  onTestFinished(async () => {
    service.close();
    await second.close();
  });
  const folder = tempFolder();
  const out = `${folder}/uit.ndjson`;
  const options = {
    ...serviceOnly(optionsFor({ folder, url: service.url, token: second.token })),
    ...{ out, overwrite: true, retries: 0, lang: 'en' as const },
  };
  const idOf = {
    packages: 'ProductID',
    recipes: 'ProductID',
    events: 'PartijID',
    trips: 'RitID',
    arrangements: 'ArrangementID',
  };
  return {
    second,
    out,
    inLists(reshape: (plain: unknown) => unknown) {
      const other: Reshape = ({ path }, plain) => (lists.test(path) ? { json: reshape(plain) } : undefined);
      service.reshape = other;
    },
    plain() {
      service.reshape = () => undefined;
    },
    async run(more: object = {}) {
      const done = await exportRecords(resources[name], { ...options, ...more } as never);
      const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
      const ids = lines.map((line) => (JSON.parse(line) as Record<string, unknown>)[idOf[name]]);
      return { records: done.records, ids };
    },
  };
}

const without = (plain: unknown): unknown =>
  JSON.parse(JSON.stringify(plain).replace(/"(ProductID|PartijID|RitID|ArrangementID)":/g, '"Nummer":'));

it.each<[Name, RegExp, object]>([
  ['packages', /pakket\/allModified/, {}],
  ['recipes', /recept\/allModified/, {}],
  ['events', /event\/all/, PERIOD],
  ['trips', /ritten\/all/, PERIOD],
  ['arrangements', /\/packages$/, PERIOD],
])(
  'an export of %s whose list holds records without an id stops, names what came and writes no file',
  async (name, lists, how) => {
    const { run, inLists, out } = await open(name, lists);
    for (const reshape of [
      without,
      () => [{ melding: 'morgen weer', aantal: 3 }],
      () => ({ success: true }),
    ]) {
      inLists(reshape);
      await expect(run(how)).rejects.toMatchObject({
        exit: EXIT.service,
        message: expect.stringMatching(/without \w+ID: \{|list of records is in it: /),
      });
    }
    expect(existsSync(out)).toBe(false);
  },
);
