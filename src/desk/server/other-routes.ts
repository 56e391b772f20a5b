import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkIn } from '../../api/check-service.ts';
import { exportedNamed, exportedResources, exportIn, exportName, financeIn } from '../../api/export.ts';
import { checkDocument } from '../../api/make-documents.ts';
import { resourceNamed } from '../../api/resource-named.ts';
import { templateIn } from '../../api/write-template.ts';
import { onPage, t } from '../../core/language.ts';
import { listerOf } from '../../lists/lists.ts';
import { resources } from '../../resources/registry.ts';
import { kindWords } from '../../schema/resource.ts';
import type { Session } from '../../session/open-session.ts';
import { listProfiles, saveProfile } from '../../session/profile.ts';
import type { AnswerOf, Home, Job } from '../contract/answers.ts';
import { type Answering, refuseBusy } from './answering.ts';
import type { Desk } from './desk.ts';
import { profileAt, sentRuns, unsentFiles } from './run-view.ts';
import { fileResponse } from './send-run.ts';

type OtherRoutes =
  | ('home' | 'news' | 'chooseLanguage' | 'stopJob' | 'jobFile')
  | ('exports' | 'makeExport' | 'makeFinance' | 'makeTemplate')
  | ('service' | 'saveService' | 'useProfile' | 'check');

const { version } = createRequire(import.meta.url)('catersheet/package.json') as { version: string };

/** The first page, work under way, exports and templates, and the service in use. */
export function otherRoutes(desk: Desk): Answering<OtherRoutes> {
  const { jobs, news } = desk;
  /** Begins to make a file, which has a name in the language of the page. */
  const making = (
    kind: Job['kind'],
    { title, name }: Readonly<Record<'title' | 'name', string>>,
    make: (session: Session, out: string) => Promise<Job['answer']>,
  ): AnswerOf<'makeExport'> => ({
    job: jobs.start(kind, { title }, async (work) => {
      const out = join(desk.madeFolder, `${work.id}-${name}`);
      const answer = await desk.inSession(undefined, (session) => make(session, out), work);
      work.made(out, name);
      work.tell({ answer });
    }),
  });
  const said = (en: string, nl: string): string => t(en, nl)[desk.language];
  return {
    home: async () => await homeOf(desk),
    news: async ({ since }) => {
      await news.after(since);
      return { at: news.at, changed: news.hasChanged(since), jobs: jobs.list() };
    },
    chooseLanguage: async ({ language }) => {
      desk.speak(language);
      return { ok: true };
    },
    stopJob: async ({ job }) => ({ job: jobs.stop(job) }),
    jobFile: async ({ job }) => {
      const { path = '', job: made } = jobs.find(job);
      return await fileResponse(path, made.file ?? '');
    },

    exports: async () => ({
      kinds: exportedResources.map((kind) => ({
        ...{ name: exportName(kind), words: kindWords(kind)[desk.language] },
        takes: listerOf(kind)
          .ways(kind)
          .flatMap((way) => (way === 'all' ? [] : way)),
      })),
    }),
    makeExport: async ({ what, format, ...wishes }) => {
      const kinds = what.map(exportedNamed);
      const names = kinds.map(({ name, sheet }) => said(name, sheet.toLowerCase()));
      const parts = [names.length > 3 ? 'export' : names.join('-'), wishes.from, wishes.to];
      const name = `${parts.filter(Boolean).join('-')}.${format}`;
      const title = kinds.map((kind) => kindWords(kind)[desk.language]).join(', ');
      return making('export', { title, name }, async (session, out) => {
        const options = { ...wishes, out, format, overwrite: true };
        return (await exportIn(session, kinds, options, onPage)).document;
      });
    },
    makeFinance: async (asked) => {
      const { from, to, format } = asked;
      const name = `${said('revenue', 'omzet')}-${from}-${to}.${format}`;
      return making('finance', { title: `${from} – ${to}`, name }, (session, out) =>
        financeIn(session, { ...asked, out, overwrite: true }, onPage),
      );
    },
    makeTemplate: async ({ kinds }) => {
      const chosen = kinds.map((kind) => resourceNamed(kind, resources));
      const title = chosen.map(({ sheet }) => sheet).join(', ');
      return making(
        'template',
        { title, name: `${said('template', 'sjabloon')}.xlsx` },
        async (session, out) => {
          await templateIn(session, chosen, { out }, onPage);
          return null;
        },
      );
    },

    service: async () => {
      const { place, profiles } = listProfiles();
      const known = profiles.map(({ name, address, hasToken }) => ({ name, address, hasToken }));
      return { service: desk.service, place, profiles: known };
    },
    saveService: async ({ address, token }) => {
      refuseBusy(jobs.underWay());
      const name = profileFor(address);
      await saveProfile({ name, address, ...(token !== undefined && { token }) });
      desk.useProfile(name);
      return { ok: true };
    },
    useProfile: async ({ profile }) => {
      // A plan or a run that waits for its turn would go to the service that is chosen meanwhile.
      refuseBusy(jobs.underWay());
      desk.useProfile(profile);
      return { ok: true };
    },
    check: async () => ({
      job: jobs.start('check', { title: desk.service.address ?? 'sandbox' }, async (work) => {
        const end = await desk.inSession(undefined, (session) => checkIn(session, {}), work);
        work.tell({ answer: checkDocument(end, desk.language, onPage) });
      }),
    }),
  };
}

/** Runs on the first page. */
const NEWEST = 8;

async function homeOf(desk: Desk): Promise<Home> {
  return {
    ...{ language: desk.language, version, service: desk.service },
    drafts: await unsentFiles(desk),
    runs: await sentRuns(desk, NEWEST),
    templates: resources.map(({ name, sheet }) => ({ name, sheet })),
  };
}

/** The profile of a service by its address: the one that leads there, else one that is named by it. */
const profileFor = (address: string): string =>
  profileAt(address) ??
  address
    .replace(/^\w+:\/+|\/$/g, '')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .slice(0, 64);
