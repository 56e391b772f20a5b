import { basename } from 'node:path';
import { readSheetsIn } from '../../api/read-sheets.ts';
import { isUnsent } from '../../api/runs.ts';
import { asNumberOf } from '../../core/codecs/parse-number.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { keepCorrected } from '../../import/keep-corrected.ts';
import { CREATE_UNNAMED } from '../../import/map/sheet-mapping.ts';
import { allSheets } from '../../resources/registry.ts';
import { type Field, holdsNumber } from '../../schema/field.ts';
import type { Sheets } from '../contract/answers.ts';
import type { ChosenReading } from '../contract/asked.ts';
import { type Answering, refuseBusy } from './answering.ts';
import { receiveFile } from './brought-files.ts';
import type { Desk } from './desk.ts';
import { changing, makePlan, planRest } from './drafts.ts';
import { readingOptions } from './row-checks.ts';
import { newestOf, refuseElsewhere, runView } from './run-view.ts';

type FileRoutes = 'addFile' | 'sheets' | 'chooseReading' | 'makePlan' | 'planRest';

/** Files that are brought: how they are read, and their plans. */
export function fileRoutes(desk: Desk): Answering<FileRoutes> {
  const { files } = desk;
  return {
    addFile: async ({ name }, context) => {
      const source = await files.add(name, (path) => receiveFile(context.req.raw.body, path));
      try {
        // What can't be read, or holds nothing, is of no use here: nobody is asked to go on with it.
        const { sheets, exact } = await sheetsOf(desk, source);
        if (sheets.every(({ top }) => top.length === 0))
          throw new StopError(
            EXIT.file,
            t('Nothing stands in this file.', 'Er staat niets in dit bestand.'),
            {
              next: t('Choose the workbook or CSV itself.', 'Kies de werkmap of CSV zelf.'),
            },
          );
        return { source, exact };
      } catch (error) {
        files.drop(source);
        throw error;
      }
    },
    sheets: async ({ file }) => await sheetsOf(desk, file),
    chooseReading: async ({ file, reading: chosen }) => {
      refuseBusy(desk.jobs.underWay({ source: file }));
      // What can't be read so is refused before it is kept.
      const reading = settingNumbers(desk, chosen, 'toFile');
      const sheets = await sheetsOf(desk, file, reading);
      files.keepReading(file, reading);
      desk.checks.drop(file);
      // What was planned was read otherwise: it is planned anew before anything of it is sent.
      const of = await newestOf(desk, file);
      if (of === undefined || !isUnsent(of)) return sheets;
      await changing(desk, of.run, async (draft) => keepCorrected(await desk.ledger(), of.run, draft));
      return { ...sheets, planned: false };
    },
    makePlan: async ({ file, createUnnamed }) => {
      if (createUnnamed !== undefined) {
        const reading = files.readingOf(file);
        const { [CREATE_UNNAMED.field]: _, ...others } = reading.set;
        const own = createUnnamed ? { [CREATE_UNNAMED.field]: CREATE_UNNAMED.text } : {};
        files.keepReading(file, { ...reading, set: { ...others, ...own } });
      }
      const of = await newestOf(desk, file);
      if (of === undefined || !isUnsent(of)) return { job: makePlan(desk, file) };
      // What takes a run back means nothing to another service.
      const undoes = (await desk.planOf(of.run))?.lineage?.undoes;
      if (undoes != null) refuseElsewhere(await runView(desk, undoes));
      return { job: await changing(desk, of.run, (draft) => makePlan(desk, file, draft)) };
    },
    planRest: async ({ run }) => ({ job: await planRest(desk, run) }),
  };
}

/** What a file's sheets are taken for, as the user chose so far. */
async function sheetsOf(desk: Desk, source: string, reading?: ChosenReading): Promise<Sheets> {
  const path = desk.files.pathOf(source);
  const chosen = reading ?? desk.files.readingOf(source);
  const sheets = await desk.inSession(undefined, (session) =>
    readSheetsIn(session, path, readingOptions(chosen)),
  );
  // A sheet for another command is to be seen: nothing of it is sent from here.
  const exact = sheets.exact && sheets.sheets.every(({ serves }) => serves === null);
  const planned = ((await newestOf(desk, source))?.state ?? 'planning') !== 'planning';
  return { ...sheets, file: basename(path), exact, planned, chosen: settingNumbers(desk, chosen, 'toPage') };
}

/** The fields of any sheet that hold a number, and no id that a name may stand for. */
const NUMBERS: ReadonlySet<string> = new Set(
  allSheets.flatMap(({ fields }) => Object.keys(fields).filter((name) => holdsNumber(fields[name] as Field))),
);

/**
 * The values for all rows go from the page as its language writes numbers to the file as that does (`toFile`), and
 * back. What is none in the way it comes from stays as it is.
 */
function settingNumbers(desk: Desk, reading: ChosenReading, way: 'toFile' | 'toPage'): ChosenReading {
  const { locale = desk.settings().locale, set } = reading;
  const ways = [desk.language, locale] as const;
  const [from, to] = way === 'toFile' ? ways : (ways.toReversed() as [typeof locale, typeof locale]);
  const written = Object.entries(set).map(([field, text]) => [
    field,
    NUMBERS.has(field) ? asNumberOf(text, from, to) : text,
  ]);
  return { ...reading, set: Object.fromEntries(written) };
}
