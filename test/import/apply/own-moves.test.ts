import { expect, it } from 'vitest';
import { applyPlan, planImport } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openRows } from '../../records/keyed-rows.ts';
import type { Received } from '../../second-service/types.ts';

const DAY = '2027-01-08 00:00:00';

/** A plan that updates an event and its link, of which the event is only looked at after the link was sent. */
async function planned() {
  const { service, folder, options } = await openRows({ clock: { linkMovesEvent: true } });
  const product = service.add.package({});
  const event = service.add.event({ Datum: DAY, AantalGasten: 10 });
  service.add.link(event, product, { Aantal: 1, Datum: DAY });
  const file = await makeWorkbook(`${folder}/a.xlsx`, {
    Evenementen: [
      ['PartijID', 'AantalGasten'],
      [event, 20],
    ],
    Arrangementen: [
      ['PartijID', 'ArrangementID', 'Aantal'],
      [event, product, 2],
    ],
  });
  const plan = await planImport(file, options);
  let isLinked = false;
  service.at(
    ({ endpoint }) => endpoint === 'link.update',
    () => (isLinked = true),
    { side: 'after' },
  );
  const choose = ({ method, path }: Received) =>
    method === 'GET' && path.endsWith(`event/${event}`) && !isLinked
      ? ({ kind: 'reset', when: 'before' } as const)
      : undefined;
  service.set({ failures: { choose } });
  const apply = () => applyPlan(plan, options);
  return { service, event, apply };
}

it('a link of the same file that moves the LMT of its event is no one else’s change of that event', async () => {
  const { service, event, apply } = await planned();
  expect((await apply()).counts).toMatchObject({ updated: 2, conflict: 0, failed: 0 });
  expect(service.events.get(event)).toMatchObject({ AantalGasten: 20 });
});

it('what somebody else changed of an event is a conflict also where a link of the same file moves its LMT', async () => {
  const { service, event, apply } = await planned();
  service.at(
    ({ endpoint }) => endpoint === 'link.update',
    () => {
      service.other.change('event', event, { AantalGasten: 15 });
    },
  );
  expect((await apply()).counts).toMatchObject({ updated: 1, conflict: 1 });
  expect(service.events.get(event)).toMatchObject({ AantalGasten: 15 });
});
