import { describe, expect, it } from 'vitest';
import { call, eventBody, mutationBody, packageBody, recipeBody } from './client.ts';
import type { AnswerKnobs, ClockKnobs, ValueKnobs } from './knobs.ts';
import { Random } from './random.ts';
import { type SecondService, startSecondService } from './second-service.ts';

type Choices<T> = { [K in keyof T]?: readonly [T[K], ...T[K][]] };

const clock: Choices<ClockKnobs> = {
  skewMs: [0, -300 * 86_400_000, -660_000, 86_400_000],
  zone: ['UTC', 'Europe/Amsterdam', 330],
  resolution: ['ms', 's', 'min'],
  fraction: ['always', 'never', 'detail only'],
  lmt: ['present', 'null', 'empty', 'absent'],
  moves: ['always', 'on change', 'never'],
  compare: ['exclusive', 'inclusive'],
  linkMovesEvent: [false, true],
  refreshMovesLmt: [false, true],
};

const answers: Choices<AnswerKnobs> = {
  lists: ['array', 'single when one', 'data'],
  none: ['empty', 'null', '404', '{}', '[]'],
  detail: ['bare', 'data', 'array'],
  missing: ['404 json', '404 html', 'null', '[]', '{}'],
  ids: ['number', 'string', 'mixed', 'strings in lists'],
  flags: ['boolean', 'number', 'string', 'mixed', 'strings in lists'],
  numbers: ['number', 'string', 'fixed', 'mixed', 'strings in lists'],
  noNumber: [null, '', 0],
  noExternalId: [null, '', 0, '0'],
  refusal: ['422', '400', '200 success false', '200 id 0'],
  extraMembers: [false, true],
  order: ['as listed', 'sorted', 'reversed', 'mixed'],
  success: [true, 1, 'true'],
  links: ['absolute', 'relative', 'other host', 'other scheme'],
  gzip: [false, 'when accepted', 'always'],
  bom: [false, true],
  keepAlive: ['kept', 'closed'],
  headerCase: ['title', 'lower', 'upper'],
};

const values: Choices<ValueKnobs> = {
  rounding: ['exact', 'half up', 'half even', 'truncate'],
  noise: [false, true],
  trim: [false, true],
  cutAt: [undefined, 12, { OmschrijvingIntern: 5 }],
  escapeHtml: [false, true],
  normalise: ['as sent', 'NFC', 'NFD'],
  upperCase: [false, true],
  emptyAsNull: [false, true],
  zeroAsNull: [false, true],
  updateClears: [false, true],
  externalId: ['kept', 'created', 'updated', 'never'],
  externalIdUnique: [false, 409, 422, 'updates'],
  datetimes: ['as sent', 'seconds', 'minutes', 'days'],
  deletes: ['gone', 'flagged'],
  newIds: ['ascending', 'gaps', 'random', 'reused'],
  linkTwice: ['second record', 'overwrites', 'refused'],
};

function picked<T>(choices: Choices<T>, random: Random): Partial<T> {
  const entries = Object.entries<readonly [unknown, ...unknown[]] | undefined>(choices);
  const knobs = entries.map(([name, options]) => [name, options && random.pick(options)]);
  return Object.fromEntries(knobs) as Partial<T>;
}

async function everything(service: SecondService): Promise<void> {
  const send = (method: string, path: string, body?: unknown) => call(service, method, path, body);
  const keys = { PartijID: service.add.event(), ArrangementID: 1001 };
  const link = { ...keys, Aantal: 3, Datum: '2027-03-04' };
  const days = { EnkelEvenement: true, EnkelEvent: true, DatumVan: '2026-01-01', DatumTot: '2028-01-01' };
  const LMT = '2000-01-01 00:00:00';
  await send('PUT', 'product/pakket/create', packageBody({ ExternalID: 1, Volume: 0, Offertetekst: '' }));
  await send('POST', 'product/pakket/update', packageBody({ ProductID: 1001, Verkoopprijs: 10.125 }));
  await send('PUT', 'product/recept/create', recipeBody({ Verkoopprijs: 3.005 }));
  await send('PUT', 'product/voorraadmutatie/create', mutationBody(1001));
  await send('PUT', 'event', eventBody({ ExternalID: 2 }));
  await send('POST', 'event', { PartijID: keys.PartijID, Opmerkingen: 'A & B' });
  for (const method of ['PUT', 'PUT', 'POST']) await send(method, 'event/package', link);
  await send('POST', 'event/package/delete', { ...keys, DEL: true });
  for (const kind of ['pakket', 'recept']) await send('POST', `product/${kind}/allModified`, { LMT });
  for (const list of ['all', 'allByLMT', 'allkassa']) await send('POST', `event/${list}`, { ...days, LMT });
  for (const list of ['all', 'allByLMT']) await send('POST', `ritten/${list}`, { ...days, LMT });
  for (const path of ['event/5001', 'event/5001/packages', 'event/9', 'product/detail/1004'])
    await send('GET', path);
  await send('GET', `event/${keys.PartijID}/processevent`);
  await send('GET', 'product/voorraadmutatie/currenttotal/1001');
  await send('DELETE', 'product/recept/delete', { ProductID: 1004 });
  await send('POST', 'ritten', { RitID: 301, Chauffeur: 'Fem' });
}

describe('knobs of every group', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('can be turned together, as by seed %i', async (seed) => {
    const random = new Random(seed);
    const service = await startSecondService({
      seed,
      clock: picked(clock, random),
      answers: picked(answers, random),
      values: picked(values, random),
    });
    await everything(service);
    await service.settled();
    await service.close();
    expect(service.faults).toEqual([]);
    expect(
      service.journal.requests.filter(({ answered }) => answered === 500 || answered === 'lost'),
    ).toEqual([]);
    for (const entry of service.journal.writes) {
      expect(service.journal.by(entry.n).length > 0).toBe(entry.done === 'done');
    }
  });
});
