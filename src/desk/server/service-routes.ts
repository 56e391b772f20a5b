import { checkIn } from '../../api/check-service.ts';
import { chooseDropdownsIn, dropdownListsIn } from '../../api/dropdown-lists.ts';
import { checkDocument } from '../../api/make-documents.ts';
import { listProfiles, removeProfile, saveProfile } from '../../api/profiles.ts';
import { onPage, t } from '../../core/language.ts';
import type { JobKind, SettingsDocument } from '../contract/documents.ts';
import { isSameService } from '../contract/same-service.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { NotNow } from './refusal.ts';
import { serviceDocument } from './service-document.ts';

type ServiceRoutes = 'service' | 'check' | 'useProfile' | 'saveProfile' | 'dropProfile' | 'chooseLists';

/** The service in use: looked at, chosen and set. Its token comes in and never goes out. */
export function serviceRoutes(desk: Desk): AnsweringOf<ServiceRoutes> {
  const changed = (): { ok: true } => {
    desk.settingsChanged();
    return { ok: true };
  };
  return {
    service: async () => await settingsDocument(desk),
    check: async ({ body }) => {
      const { address } = serviceDocument(desk);
      const job = desk.jobs.start('check', { title: address ?? 'sandbox' }, async (work) => {
        const end = await desk.inSession(undefined, (session) => checkIn(session, body), work);
        work.tell({ answer: { kind: 'check', document: checkDocument(end, desk.language, onPage) } });
        if (body.lists) desk.events.tell('changed', { what: 'service', id: null });
      });
      return { job };
    },
    useProfile: async ({ body }) => {
      refuseWhileWorking(desk);
      desk.useProfile(body.profile);
      return changed();
    },
    saveProfile: async ({ body }) => {
      refuseWhileWorking(desk);
      await saveProfile(body);
      // With another address or token it may not work any more.
      desk.jobs.outdate('check');
      return changed();
    },
    dropProfile: async ({ params }) => {
      refuseWhileWorking(desk);
      desk.leaveProfile(params.profile);
      await removeProfile(params.profile);
      return changed();
    },
    chooseLists: async ({ body }) => {
      if (!isSameService(serviceDocument(desk), body.service)) throw OTHER_LISTS();
      await desk.inSession(undefined, (session) => chooseDropdownsIn(session, body.numbers));
      return changed();
    },
  };
}

/** Jobs that send something without a file. */
const CALLS: ReadonlySet<JobKind> = new Set(['orders', 'refresh']);

const OTHER_LISTS = (): NotNow =>
  new NotNow(
    t(
      'These lists were chosen of another service than the one in use.',
      'Deze lijsten zijn gekozen van een ander systeem dan het systeem dat in gebruik is.',
    ),
    t('Choose them of this one.', 'Kies ze van dit systeem.'),
  );

/** A plan or a run that waits for its turn would go to the service that is chosen meanwhile. */
function refuseWhileWorking({ jobs }: Desk): void {
  const isWorking = jobs
    .list()
    .some(
      ({ endedAt, draft, run, kind }) => endedAt === null && ((draft ?? run) !== null || CALLS.has(kind)),
    );
  if (!isWorking) return;
  throw new NotNow(
    t('Something is being planned or sent.', 'Er wordt iets gepland of verstuurd.'),
    t(
      'Wait until that is done, or stop it, before you change the service.',
      'Wacht tot dat klaar is, of stop het, voordat je het systeem wijzigt.',
    ),
  );
}

async function settingsDocument(desk: Desk): Promise<SettingsDocument> {
  const { place, profiles } = listProfiles();
  // The sandbox knows its own lists: there is nothing to choose.
  const lists = await desk.inSession(undefined, (session) =>
    session.embedded ? Promise.resolve([]) : dropdownListsIn(session),
  );
  return {
    service: serviceDocument(desk),
    place,
    profiles: profiles.map(({ name, address, hasToken, isDefault }) => ({
      ...{ name, address, hasToken, isDefault },
    })),
    dropdowns: lists
      .filter(({ fixed }) => !fixed)
      .map(({ name, words, number, candidates }) => ({
        ...{ name, words, number },
        candidates: candidates.map((one) => ({
          ...{ number: one.number, total: one.total },
          entries: one.entries.map(({ label }) => label),
        })),
      })),
  };
}
