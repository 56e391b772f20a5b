import { readSheetsIn } from '../../api/read-sheets.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { AnswerOf, Sheets } from '../contract/answers.ts';
import type { Answering } from './answering.ts';
import { correct, correctSame, decideAll } from './corrections.ts';
import type { Desk } from './desk.ts';
import { readingOptions } from './draft-checks.ts';
import { againOf, changing, draftView, makePlan, withUnnamed } from './draft-view.ts';
import { runOf, type StoredDraft } from './drafts.ts';
import { refuseElsewhere } from './other-service.ts';
import { NotNow, refuseBusy } from './refusal.ts';
import { checksOf } from './rows.ts';
import { deletesLeft, refuseDeletes, refuseTheirs, runView } from './run-view.ts';
import { sendRun } from './send-run.ts';
import { settingNumbers } from './typed-numbers.ts';
import { receiveFile } from './uploads.ts';

type DraftRoutes =
  | ('addFile' | 'draft' | 'dropDraft' | 'sheets' | 'chooseReading' | 'makePlan')
  | ('correct' | 'correctSame' | 'decideAll' | 'suggest' | 'send' | 'again');

/** Suggestions that are shown at a time. */
const MOST_SUGGESTED = 50;

/** Files on their way to the service: brought, read, planned, corrected, sent, and let go. */
export function draftRoutes(desk: Desk): Answering<DraftRoutes> {
  const { drafts } = desk;
  const shown = async (draft: StoredDraft): Promise<AnswerOf<'draft'>> => {
    desk.news.changed();
    return { draft: await draftView(desk, draft) };
  };
  /** Corrects a draft whose rows are checked with the service that it was planned for. */
  const correcting = async <T>(id: string, work: (draft: StoredDraft) => Promise<T>): Promise<T> =>
    await changing(desk, id, async (draft) => {
      refuseElsewhere(await runView(desk, runOf(draft)));
      const answer = await work(draft);
      desk.news.changed();
      return answer;
    });
  return {
    addFile: async ({ query, context }) => {
      const draft = await drafts.add(query.name, {}, (path) => receiveFile(context.req.raw.body, path));
      try {
        // What can't be read, or holds nothing, is of no use here: nobody is asked to go on with it.
        const { sheets } = await sheetsOf(desk, draft);
        if (sheets.every(({ top }) => top.length === 0)) throw NOTHING();
      } catch (error) {
        drafts.drop(draft.id);
        throw error;
      }
      return await shown(draft);
    },
    draft: async ({ params }) => ({ draft: await draftView(desk, drafts.get(params.draft)) }),
    dropDraft: async ({ params }) => {
      await drafts.inTurn(params.draft, ({ id }) => {
        refuseBusy(desk.jobs.underWay({ draft: id }));
        desk.checks.drop(id);
        drafts.drop(id);
      });
      desk.news.changed();
      return { ok: true };
    },
    sheets: async ({ params }) => await sheetsOf(desk, drafts.get(params.draft)),
    chooseReading: async ({ params, body }) =>
      await changing(desk, params.draft, async (draft) => {
        // What can't be read so is refused before it is kept.
        const reading = settingNumbers(desk, body, 'toFile');
        const sheets = await sheetsOf(desk, { ...draft, reading });
        // What was planned is not what would be sent now.
        drafts.change(draft.id, { reading, run: null, stale: false });
        desk.checks.drop(draft.id);
        desk.news.changed();
        return sheets;
      }),
    makePlan: async ({ params, body: { createUnnamed } }) =>
      await changing(desk, params.draft, async (draft) => {
        // What takes a run back means nothing to another service.
        if (draft.origin === 'undo' && draft.of !== null) refuseElsewhere(await runView(desk, draft.of));
        if (createUnnamed === undefined) return { job: makePlan(desk, draft) };
        const reading = withUnnamed(draft.reading, createUnnamed);
        return { job: makePlan(desk, drafts.change(draft.id, { reading })) };
      }),
    correct: async ({ params, body }) =>
      await correcting(params.draft, (draft) => correct(desk, draft, body)),
    correctSame: async ({ params, body }) =>
      await correcting(params.draft, (draft) => correctSame(desk, draft, body)),
    decideAll: async ({ params, body }) =>
      await correcting(params.draft, (draft) => decideAll(desk, draft, body)),
    suggest: async ({ params, query: { sheet, column, search } }) => {
      const draft = drafts.get(params.draft);
      const wishes = { search, limit: MOST_SUGGESTED };
      return await (await checksOf(desk, draft)).suggestions(sheet, column, wishes, draft.corrections);
    },
    send: async ({ params, body }) =>
      await changing(desk, params.draft, async (draft) => {
        const of = await runView(desk, runOf(draft));
        if (draft.stale || of.run !== body.run) throw CHANGED();
        refuseElsewhere(of);
        refuseTheirs(of);
        refuseDeletes(await deletesLeft(desk, of), body.deletes);
        return { job: sendRun(desk, of) };
      }),
    again: async ({ params }) => {
      const draft = drafts.get(params.draft);
      // Only there is known what is done of it.
      const run = await runView(desk, runOf(draft));
      refuseElsewhere(run);
      // What was taken back would be made once more with the rows that are left.
      if (run.takenBack !== undefined) throw TAKEN_BACK();
      return await shown(await againOf(desk, draft));
    },
  };
}

/** What a draft's sheets are taken for, as the user chose so far. */
async function sheetsOf(desk: Desk, draft: StoredDraft): Promise<Sheets> {
  const { file: _, ...sheets } = await desk.inSession(undefined, (session) =>
    readSheetsIn(session, desk.drafts.fileOf(draft), { ...readingOptions(draft), byLists: true }),
  );
  // A sheet for another command is to be seen: nothing of it is sent from here.
  const exact = sheets.exact && sheets.sheets.every(({ serves }) => serves === null);
  return { ...sheets, exact, chosen: settingNumbers(desk, draft.reading, 'toPage') };
}

const NOTHING = (): StopError =>
  new StopError(EXIT.file, t('Nothing stands in this file.', 'Er staat niets in dit bestand.'), {
    next: t('Choose the workbook or CSV itself.', 'Kies de werkmap of CSV zelf.'),
  });

const TAKEN_BACK = (): NotNow =>
  new NotNow(
    t('This run was taken back.', 'Deze run is teruggedraaid.'),
    t(
      'To send the file once more, all rows that were taken back too, bring it anew on the first page.',
      'Om het bestand nog eens te versturen, ook alle teruggedraaide rijen, breng je het opnieuw op de eerste pagina.',
    ),
  );

const CHANGED = (): NotNow =>
  new NotNow(
    t('The plan was changed since it was shown.', 'Het plan is gewijzigd sinds het getoond werd.'),
    t('Look at it once more before you send it.', 'Bekijk het nog eens voordat je het verstuurt.'),
  );
