import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { programAt } from '../../helpers/program-at.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { VirtualTime } from '../../helpers/virtual-time.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const DAY = '2027-01-08 00:00:00';
const SHEETS = { package: packages, recipe: recipes, event: events, link: arrangements, trip: trips };

/** A record of each kind, and a file of one row about it. */
async function open(kind: keyof typeof SHEETS) {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const product = service.add.package({});
  service.add.location(20, 'Serre');
  const party = service.add.event({ ExternalID: 602, Datum: DAY, LocatieID: 801 });
  const records = {
    package: () => service.add.package({ ExternalID: 600, Verkoopprijs: 12 }),
    recipe: () => service.add.recipe({ ExternalID: 601, OPK: 12 }),
    event: () => party,
    link: () => service.add.link(party, product, { Aantal: 12, Datum: DAY }),
    trip: () => service.add.trip({ PartijID: party, Datum: DAY, Chauffeur: '12' }),
  };
  const id = records[kind]();
  const [header, cells, field] = {
    package: ['ExternalID', '600', 'Verkoopprijs'],
    recipe: ['ExternalID', '601', 'OPK'],
    event: ['ExternalID;Datum', '602;2027-01-08', 'LocatieID'],
    link: ['PartijID;ArrangementID;Datum', `${party};${product};2027-01-08`, 'Aantal'],
    trip: ['RitID', `${id}`, 'Chauffeur'],
  }[kind] as [string, string, string];
  const file = `${folder}/rijen.csv`;
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), doubt: 30 };
  const time = new VirtualTime({ now: Date.now() });
  const sending = async (action: 'update' | 'delete', more: object = {}) => {
    const [lastHeader, last] = action === 'update' ? [`;${field}`, ';20'] : ['', ''];
    writeFileSync(file, `#action;${header}${lastHeader}\r\n${action};${cells}${last}`);
    const wishes = { as: SHEETS[kind], retries: 1, allowDelete: true, ...more };
    return await programAt({ time }).importWorkbook(file, { ...options, ...wishes });
  };
  const store = { package: service.packages, recipe: service.recipes, event: service.events };
  const held = () => ({ ...store, link: service.links, trip: service.trips })[kind].get(id);
  const turnAway = (status: number, when: 'before' | 'after'): void =>
    service.set({
      failures: { choose: ({ write }) => (write ? { kind: 'status', status, when } : undefined) },
    });
  return { service, folder, options, time, sending, held: () => held()?.[field], record: held, turnAway };
}

const WRITES = [
  ['package', 'update', 503],
  ['recipe', 'update', 408],
  ['event', 'update', 503],
  ['link', 'update', 425],
  ['trip', 'update', 503],
  ['package', 'delete', 408],
  ['recipe', 'delete', 503],
  ['link', 'delete', 503],
  ['trip', 'delete', 425],
] as const;

it.each(WRITES)(
  'a %s whose %s was done, and answered with %i at every try, is said to be done',
  async (kind, action, status) => {
    const { sending, record, held, turnAway } = await open(kind);
    turnAway(status, 'after');
    const { counts } = await sending(action);
    expect(counts).toMatchObject({ [`${action}d`]: 1, failed: 0, unknown: 0 });
    if (action === 'update') expect(Number(held())).toBeGreaterThan(12);
    else expect(record()?.DEL ?? true).toBe(true);
  },
);

it.each(WRITES)(
  'a %s whose %s was never done, and answered with %i at every try, is failed once it can no longer arrive',
  async (kind, action, status) => {
    const { service, sending, time, turnAway } = await open(kind);
    turnAway(status, 'before');
    const { counts, rows } = await sending(action);
    expect(counts).toMatchObject({ failed: 1, unknown: 0 });
    expect(rows[0]?.message).toContain(String(status));
    expect(time.steady()).toBeGreaterThan(29_999);
    expect(service.journal.commits.filter(({ by }) => typeof by === 'number')).toEqual([]);
  },
);

it('an update of what no read shows, answered with 503 at every try, is unknown', async () => {
  const { service, folder, turnAway, options, time } = await open('event');
  turnAway(503, 'after');
  const file = `${folder}/tijd.csv`;
  writeFileSync(file, '#action;ExternalID;Datum;Starttijd\r\nupdate;602;2027-01-08;2027-01-08 12:00');
  const { counts } = await programAt({ time }).importWorkbook(file, { ...options, as: events, retries: 1 });
  expect(counts).toMatchObject({ unknown: 1, failed: 0, updated: 0 });
  expect(service.journal.writes.length).toBeGreaterThan(1);
});
