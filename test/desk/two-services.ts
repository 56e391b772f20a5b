import { join } from 'node:path';
import { vi } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';
import { openDesk } from './open-desk.ts';

/** A desk with two services to choose from, and a catalogue that is planned for the first of them. */
export async function openTwo() {
  const [service, other] = [await openTestService(), await openTestService()];
  vi.stubEnv('CATERSHEET_HOME', service.folder);
  for (const name of ['CATERSHEET_BASE_URL', 'CATERSHEET_TOKEN']) vi.stubEnv(name, undefined);
  const desk = await openDesk({}, { baseUrl: undefined, token: undefined, lang: undefined });
  for (const [name, { url: address, token }] of [
    ['keuken', service],
    ['winkel', other],
  ] as const)
    await desk.ask('saveProfile', { body: { name, address, token } });
  const use = (profile: string | null) => desk.ask('useProfile', { body: { profile } });
  await use('keuken');
  const file = await makeWorkbook(join(service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [71001, 'Buffet', 'Lentebuffet', 12.5],
      [71002, 'Buffet', 'Zomerbuffet', 'nnb'],
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  return { desk, use, draft, params: { draft }, service };
}
