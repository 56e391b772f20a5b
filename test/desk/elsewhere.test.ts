import { expect, test, vi } from 'vitest';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { draftOn, openDesk } from './open-desk.ts';

test.skipIf(!hasProgram)(
  'a plan of another service says which one it is, and is neither sent nor corrected',
  async () => {
    const [service, other] = [await openTestService(), await openTestService()];
    vi.stubEnv('CATERSHEET_HOME', service.folder);
    for (const name of ['CATERSHEET_BASE_URL', 'CATERSHEET_TOKEN']) vi.stubEnv(name, undefined);
    const desk = await openDesk({}, { baseUrl: undefined, token: undefined, lang: undefined });
    const save = ({ url: address, token }: typeof service) => desk.ask('saveService', { address, token });
    for (const one of [other, service]) await save(one);
    const { name: keuken } = (await desk.ask('home')).service;
    const use = (profile: string | null | undefined) => desk.ask('useProfile', { profile });
    const winkel = (await desk.ask('service')).profiles.find(
      ({ address }) => address === `${other.url}/`,
    )?.name;
    const { draft, planned } = await draftOn(desk, 'Pakketten.csv', [
      'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
      '71001;Buffet;Lentebuffet;12,5',
      '71002;Buffet;Zomerbuffet;nnb',
    ]);
    await planned();
    const plan = () => desk.plan(draft);
    expect((await plan()).of).toMatchObject({ here: true, service: `${service.url}/` });
    await use(winkel);
    expect((await plan()).of).toMatchObject({ here: false, service: `${service.url}/`, open: false });
    const params = { run: (await plan()).run };
    const corrections = [{ sheet: 'Pakketten', row: 3, column: 4, text: '14,50' }];
    const send = () => desk.fetch('send', { ...params, deletes: 0 });
    for (const refused of [await send(), await desk.fetch('correct', { ...params, corrections })]) {
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        message: expect.stringContaining(`another service (${keuken})`),
        next: expect.stringContaining(keuken ?? ''),
      });
    }
    await use(null);
    expect((await send()).status).toBe(409);
    await use(winkel);
    await planned();
    expect((await plan()).of).toMatchObject({ here: true, service: `${other.url}/` });
  },
);
