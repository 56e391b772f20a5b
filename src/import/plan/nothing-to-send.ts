import { basename } from 'node:path';
import type { Counts } from '../../core/counts.ts';
import { type CommandChange, EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, composed, same, t } from '../../core/language.ts';
import { isFinanceBook } from '../../core/own-sheets.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { SheetProposal } from '../map/header-proposals.ts';
import { mapFlag, mapText, type Proposals, proposalTexts } from '../map/proposed-map.ts';
import type { SheetReading } from '../map/read-rows.ts';
import { isChosen, isMissed, type RecognisedSheet, type RecogniseOptions } from '../map/recognise.ts';
import { setText, settable } from '../map/whole-sheet.ts';
import { type IssueGroup, lackedIn } from './plan-report.ts';

/** The stop for a workbook in which no sheet, or none of those chosen, is one to import. */
export function nothingToImport(
  workbook: Workbook,
  recognised: readonly RecognisedSheet[],
  {
    resources,
    only,
    proposed: meant,
  }: Pick<RecogniseOptions, 'resources' | 'only'> & { readonly proposed?: Proposals | undefined },
): StopError {
  const seen = recognised.filter((entry) => entry.kind !== 'skip' || entry.baseline !== true);
  const asked = seen.filter(({ sheet }) => only.length === 0 || isChosen(sheet.name, only));
  const message = composed(asked.map(reasonOf), (...all) =>
    t(
      `${basename(workbook.file)} holds no sheet to import (${all.map(({ en }) => en).join('; ')}).`,
      `${basename(workbook.file)} bevat geen werkblad om te importeren (${all.map(({ nl }) => nl).join('; ')}).`,
    ),
  );
  if (isFinanceBook(workbook.sheets.map(({ name }) => name))) return financeStop(workbook.file, resources);
  const serves = asked.find((entry) => entry.kind !== 'import' && entry.serves !== undefined);
  const proposed = asked.flatMap((entry) => (entry.kind !== 'import' && entry.next ? [entry] : []))[0];
  const likely = asked.flatMap(({ proposals = [] }) => proposals);
  const next = meantText(meant);
  if (next === undefined && proposed !== undefined)
    return new StopError(EXIT.file, message, { next: proposed.next, change: proposed.change });
  return new StopError(EXIT.file, message, {
    ...{ next: next ?? kindsText(likely) ?? wayOn(resources, serves), change: mapChange(meant) },
  });
}

/** What takes the headers that are proposed, and which the user has to decide; undefined for none. */
function meantText(proposed: Proposals | undefined): Bilingual | undefined {
  if (proposed === undefined) return undefined;
  const texts = proposalTexts(proposed);
  return composed(texts, (...all) =>
    t(all.map(({ en }) => `${en}.`).join(' '), all.map(({ nl }) => `${nl}.`).join(' ')),
  );
}

/** What gives a command the map that is proposed. */
const mapChange = (proposed: Proposals | undefined): CommandChange | undefined =>
  proposed?.map == null ? undefined : { give: { map: proposed.map } };

/** Says of which kinds a sheet may be by the words in its headers; undefined for none. */
function kindsText(proposals: readonly SheetProposal[]): Bilingual | undefined {
  const sheets = proposals.map((one) => one.resource).join(', ');
  const ways = proposals.map((one) => {
    const names = one.columns.map(({ header, field }) => ({ header, field, resource: null }));
    const map = mapText([], { sheets: [], names, isMixed: false });
    return `--as ${one.resource} ${mapFlag(map)}`;
  });
  if (ways.length === 0) return undefined;
  return t(
    `By its headers it may be: ${ways.join('; or ')}.`,
    `Naar de koppen kan het zijn: ${ways.join('; of ')}.`,
    t(`By its headers it may be: ${sheets}.`, `Naar de koppen kan het zijn: ${sheets}.`),
  );
}

/** A finance export is for no command that reads sheets. */
function financeStop(file: string, resources: readonly Resource[]): StopError {
  const [own] = resources;
  const what = t(`${basename(file)} is a finance export`, `${basename(file)} is een financiële export`);
  const because = (why: Bilingual, next: Bilingual): StopError => {
    const message = composed([why], ({ en, nl }) => t(`${what.en}: ${en}.`, `${what.nl}: ${nl}.`));
    return new StopError(EXIT.file, message, { next });
  };
  if (own?.command === undefined)
    return because(t('nothing in it is imported', 'daaruit wordt niets geïmporteerd'), FINANCE_NEXT);
  const none = kindOf(own).notInFinance?.(own);
  if (none !== undefined) return because(none.why, none.next);
  const nothing = t(
    `nothing in it is for catersheet ${own.command}`,
    `daarin staat niets voor catersheet ${own.command}`,
    t(`nothing in it is for ${own.sheet}`, `daarin staat niets voor ${own.sheet}`),
  );
  return because(nothing, wayOn(resources, undefined));
}

const FINANCE_NEXT: Bilingual = t(
  'To change what it shows, export the records themselves (catersheet export events, arrangements or trips) and import those.',
  'Om te wijzigen wat erin staat: exporteer de records zelf (catersheet export events, arrangements of trips) en importeer die.',
  t(
    'To change what it shows, export the records themselves (events, arrangements or trips) and import those.',
    'Om te wijzigen wat erin staat: exporteer de records zelf (evenementen, arrangementen of ritten) en importeer die.',
  ),
);

/** Which sheets can be imported, or which command the file is for. */
function wayOn(resources: readonly Resource[], serves: RecognisedSheet | undefined): Bilingual {
  const command = serves === undefined || serves.kind === 'import' ? undefined : serves.serves;
  if (command !== undefined)
    return t(
      `Give it to catersheet ${command}.`,
      `Geef het aan catersheet ${command}.`,
      t(
        'Say what the file is for, under “This file is for”.',
        'Zeg waar het bestand voor is, onder “Dit bestand is voor”.',
      ),
    );
  const [own] = resources;
  if (own?.command !== undefined) {
    return t(
      `catersheet ${own.command} needs the columns ${neededColumns(own, 'or')}: rename the headers, or say with --map what your own stand for.`,
      `catersheet ${own.command} heeft de kolommen ${neededColumns(own, 'of')} nodig: hernoem de koppen, of zeg met --map waar je eigen koppen voor staan.`,
      t(
        `It needs the columns ${neededColumns(own, 'or')}: rename the headers, or say what your own stand for.`,
        `Nodig zijn de kolommen ${neededColumns(own, 'of')}: hernoem de koppen, of zeg waar je eigen koppen voor staan.`,
      ),
    );
  }
  const sheets = resources.map(({ sheet }) => sheet).join(', ');
  const names = resources.map(({ name }) => name).join(', ');
  return t(
    `Sheets that can be imported: ${sheets}; a sheet of another name that holds one of these is named with --as (${names}).`,
    `Werkbladen die geïmporteerd kunnen worden: ${sheets}; een werkblad met een andere naam waarin zoiets staat is aan te wijzen met --as (${names}).`,
    t(
      `Sheets that can be imported: ${sheets}; of a sheet of another name that holds one of these, say so.`,
      `Werkbladen die geïmporteerd kunnen worden: ${sheets}; staat zoiets op een werkblad met een andere naam, zeg dat dan.`,
    ),
  );
}

/** The required columns, each with those that may stand in its place. */
function neededColumns({ fields }: Resource, or: string): string {
  const needed = Object.keys(fields).filter((name) => fields[name]?.create === 'required');
  const ways = needed.map((name) => [
    name,
    ...Object.keys(fields).filter((other) => fields[other]?.refers?.sets === name),
  ]);
  return ways.map((names) => names.join(` ${or} `)).join(', ');
}

function reasonOf(entry: RecognisedSheet): Bilingual {
  const { name } = entry.sheet;
  if (entry.kind === 'problem') return entry.problem;
  if (entry.kind === 'import') return same(name);
  return composed([entry.reason], ({ en, nl }) => t(`${name}: ${en}`, `${name}: ${nl}`));
}

/** What of a plan tells whether it can be sent. */
interface Planned {
  readonly counts: Counts;
  readonly groups: readonly IssueGroup[];
  readonly workbook: Workbook;
  readonly readings: ReadonlyMap<string, SheetReading>;
  readonly proposed?: Proposals | undefined;
  readonly recognised: readonly RecognisedSheet[];
}

/** Throws StopError where no row of a plan can be sent; `own` for the sheet of a command of its own. */
export function refuseEmpty(plan: Planned, own: boolean): void {
  const { counts, groups, workbook, readings, proposed, recognised } = plan;
  if (counts.read === passedOver(readings)) {
    if ([...readings.values()].some(({ unreadAfter }) => unreadAfter !== undefined))
      throw noRecords(workbook.file, counts.read);
    // What is to be sent may stand on a sheet that was left out.
    const others = recognised.filter(isMissed).map(reasonOf);
    const message = composed(others, (...all) => {
      const [en, nl] = [all.map((one) => one.en).join('; '), all.map((one) => one.nl).join('; ')];
      return t(
        `${basename(workbook.file)} holds no row to send: nothing stands below the headers${en && ` (${en})`}.`,
        `${basename(workbook.file)} bevat geen rij om te versturen: onder de kopregel staat niets${nl && ` (${nl})`}.`,
      );
    });
    const next =
      others.length === 0
        ? t('Fill in at least one row, then import again.', 'Vul minstens één rij in en importeer opnieuw.')
        : t(
            'Fill in at least one row, or choose the sheet that has them, then import again.',
            'Vul minstens één rij in, of kies het werkblad waar ze op staan, en importeer opnieuw.',
          );
    throw new StopError(EXIT.file, message, { next });
  }
  const missing = groups.filter((group) => group.issue.code === 'column-missing');
  if (rowsWithout(missing) < counts.read) return;
  const lacks = missing.map(({ sheet, issue: { field, hint = '' } }) =>
    composed([typeof hint === 'string' ? same(hint) : hint], ({ en, nl }) =>
      t(`${sheet}: column ${field} is missing (${en})`, `${sheet}: kolom ${field} ontbreekt (${nl})`),
    ),
  );
  const message = composed(lacks, (...all) =>
    t(
      `${basename(workbook.file)} holds no row that can be sent. ${all.map(({ en }) => en).join('; ')}.`,
      `${basename(workbook.file)} bevat geen rij die verstuurd kan worden. ${all.map(({ nl }) => nl).join('; ')}.`,
    ),
  );
  const next = own
    ? t(
        'Correct the header row, or say with --map what headers of your own stand for.',
        'Verbeter de kopregel, of zeg met --map waar je eigen koppen voor staan.',
        t(
          'Correct the header row, or say what headers of your own stand for.',
          'Verbeter de kopregel, of zeg waar je eigen koppen voor staan.',
        ),
      )
    : t(
        'Correct the header row, say with --map what headers of your own stand for, or give every row one value with --set Field=value.',
        'Verbeter de kopregel, zeg met --map waar je eigen koppen voor staan, of geef elke rij één waarde met --set Veld=waarde.',
        t(
          'Correct the header row, or say what headers of your own stand for.',
          'Verbeter de kopregel, of zeg waar je eigen koppen voor staan.',
        ),
      );
  const set = sharedIn(plan);
  const change = set.length === 0 ? mapChange(proposed) : { ...mapChange(proposed), set };
  throw new StopError(EXIT.file, message, {
    ...{ next: both(meantText(proposed), sharedText(plan)) ?? next, change },
  });
}

/** What all rows lack of who, when and why. */
export function sharedIn({ recognised, groups }: Pick<Planned, 'recognised' | 'groups'>): readonly string[] {
  const fields = recognised.flatMap((entry) =>
    entry.kind === 'import' ? settable(entry.mapping.resource, lackedIn(groups, entry.sheet.name)) : [],
  );
  return [...new Set(fields)];
}

/** Which flags give all rows what they lack of who, when and why; undefined where they lack other things. */
function sharedText({ recognised, groups }: Planned): Bilingual | undefined {
  const texts = recognised.flatMap((entry) =>
    entry.kind === 'import'
      ? (setText(entry.mapping.resource, lackedIn(groups, entry.sheet.name)) ?? [])
      : [],
  );
  const [text] = texts;
  return text === undefined ? undefined : composed([text], ({ en, nl }) => t(sentence(en), sentence(nl)));
}

function both(one: Bilingual | undefined, other: Bilingual | undefined): Bilingual | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return composed([one, other], (first, last) => t(`${first.en} ${last.en}`, `${first.nl} ${last.nl}`));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The stop for rows of which none is a record. */
function noRecords(file: string, rows: number): StopError {
  const message = t(
    `${basename(file)} holds no row to send: none of its first ${rows} rows is a record, and it was not read further.`,
    `${basename(file)} bevat geen rij om te versturen: van de eerste ${rows} rijen is er geen een record, en verder is het niet gelezen.`,
  );
  const next = t(
    'Fill in the column that says which record a row is about, then import again.',
    'Vul de kolom in die zegt over welk record een rij gaat, en importeer opnieuw.',
  );
  return new StopError(EXIT.file, message, { next });
}

/** Rows that are no records: a sheet of nothing else counts as empty. */
function passedOver(readings: ReadonlyMap<string, SheetReading>): number {
  const seen = [...readings.values()].flatMap((reading) => Object.values(reading.passedOver));
  return seen.reduce((sum, { count }) => sum + count, 0);
}

/** How many rows lack a column, counted in each sheet by the column that most rows lack. */
function rowsWithout(missing: readonly IssueGroup[]): number {
  const bySheet = new Map<string, number>();
  for (const { sheet, count } of missing) bySheet.set(sheet, Math.max(count, bySheet.get(sheet) ?? 0));
  return [...bySheet.values()].reduce((sum, count) => sum + count, 0);
}
