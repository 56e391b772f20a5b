import { basename } from 'node:path';
import type { ImportEnd } from '../../api/import-workbook.ts';
import type { ShownRun } from '../../api/runs.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shellWord } from '../../core/visible-text.ts';
import type { ImportResult } from '../../import/import.ts';
import { settable } from '../../import/map/given-values.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import { SEND, UNDO } from '../../import/results/result-summary.ts';
import type { FlagsOf, ProgramOptions } from '../../options/options.ts';
import { allSheets } from '../../resources/registry.ts';

/** What a reader may do next: why, and the command that does it, without the name of the program. */
type NextStep = readonly [why: Bilingual, command: string];

/** Steps as lines: each begins after an empty one, with its command on a line of its own. */
export function stepLines(steps: readonly NextStep[], language: Language): Line[] {
  return steps.flatMap(([why, command]): Line[] => [
    '',
    why[language],
    ['command', `catersheet ${command}`, '  '],
  ]);
}

/** What to do after a run, or after the plan of one. */
export function importSteps(
  { result, takenBack }: Pick<ImportEnd, 'result' | 'takenBack'>,
  flags: GivenFlags,
): NextStep[] {
  const { plan, dryRun, declined, counts, stopped } = result;
  const command = commandOf(plan);
  const unsent = dryRun || declined;
  const own = `${plan.run}${serviceFlags(flags)}`;
  const wrote = counts.created + counts.updated + counts.deleted > 0;
  const undo = !unsent && wrote && takenBack === undefined && command === 'import';
  const steps = resultSteps(result, command, flags);
  if (unsent && plan.requests > 0 && stopped === null) steps.push([sendText(result), `apply ${own}`]);
  if (undo) steps.push([UNDO, `undo ${own}`]);
  return steps;
}

/** What to do with a run of the ledger: go on with it, or take it back. */
export function runSteps(
  { run, state, busy, shown, takenBack, finishedBy, workers, prunedAt }: ShownRun,
  flags: GivenFlags,
): NextStep[] {
  const own = `${run}${serviceFlags(flags)}`;
  if (workers !== undefined) return [[FOLLOW, `apply ${own} --queue`]];
  if (busy || finishedBy !== undefined || prunedAt !== null) return [];
  if (state === 'planned') return [[SEND, `apply ${own}`]];
  if (state === 'interrupted') return [[GO_ON, `apply ${own}`]];
  const wrote = shown !== null && shown.created + shown.updated + shown.deleted > 0;
  return state === 'done' && wrote && takenBack === undefined ? [[UNDO, `undo ${own}`]] : [];
}

/** What to do with the newest of the runs that are listed. */
export const listSteps = ([newest]: readonly ShownRun[], flags: GivenFlags): NextStep[] =>
  newest === undefined ? [] : [[SEE, `runs ${newest.run}${serviceFlags(flags)}`]];

const FOLLOW = t(
  'Workers have it. To follow it, and write the result:',
  'Workers hebben hem. Om hem te volgen, en het resultaat te schrijven:',
);
const GO_ON = t('To go on with it:', 'Om ermee verder te gaan:');
const SEE = t('To see the rows of a run:', 'Om de rijen van een run te zien:');

/** How the rows that went wrong are put right in the result. */
function resultSteps(
  { plan, dryRun, counts, result }: ImportResult,
  command: string,
  flags: GivenFlags,
): NextStep[] {
  if (result === null) return [];
  const [file, input] = [fileWord(result), fileWord(plan.workbook.file)];
  const again = (more: GivenFlags = {}): string =>
    `${againFlags(plan, { ...flags, ...more })}${dryRun ? ' --dry-run' : ''}`;
  const isImport = command === 'import';
  const shared = new Set(
    isImport
      ? plan.recognised.flatMap((one) => (one.kind === 'import' ? settable(one.mapping, plan.groups) : []))
      : [],
  );
  const asks = (code: IssueCode): boolean => isImport && plan.groups.some(({ issue }) => issue.code === code);
  const steps: NextStep[] = [];
  if (shared.size > 0) {
    const set = [...shared].map((field) => ` --set ${field}=…`).join('');
    steps.push([SET, `import ${input}${set}${again()}`]);
  }
  if (counts.invalid + counts.failed > 0)
    steps.push([correctText(basename(result), isImport, counts.failed), `${command} ${file}${again()}`]);
  if (asks('key-not-given')) steps.push([CREATE, `import ${input} --set "#action=create"${again()}`]);
  if (asks('delete-not-allowed')) steps.push([DELETE, `import ${file}${again({ allowDelete: true })}`]);
  if (asks('changed-by-both')) steps.push([SETTLE, `import ${file}${again({ onConflict: 'mine' })}`]);
  return steps;
}

/** The command that takes a plan's sheets. */
function commandOf({ sheets }: Plan): string {
  const own = sheets.map(({ resource }) => allSheets.find(({ name }) => name === resource)?.command);
  return own.find((command) => command !== undefined) ?? 'import';
}

function correctText(file: string, isImport: boolean, failed: number): Bilingual {
  const [en, nl] = /\.csv$/i.test(file)
    ? [`the rows of ${file} that are invalid or failed`, `de rijen van ${file} die ongeldig of mislukt zijn`]
    : [`the red cells in ${file}`, `de rode cellen in ${file}`];
  // Where the service was away nothing is wrong in a cell.
  if (isImport && failed > 0)
    return t(
      `Correct what is wrong in ${en} and import that file, which tries what failed again:`,
      `Verbeter wat fout is in ${nl} en importeer dat bestand, dat opnieuw probeert wat mislukte:`,
    );
  return isImport
    ? t(`Correct ${en} and import that file:`, `Verbeter ${nl} en importeer dat bestand:`)
    : t(`Correct ${en} and go on with that file:`, `Verbeter ${nl} en ga met dat bestand verder:`);
}

const SET = t(
  'To give all rows that lack it one value:',
  'Om alle rijen waar iets ontbreekt één waarde te geven:',
);

const CREATE = t(
  'To create all rows without a key as new:',
  'Om alle rijen zonder sleutel als nieuw aan te maken:',
);

const DELETE = t('To delete what #action asks for too:', 'Om ook te verwijderen wat #action vraagt:');

const SETTLE = t(
  'To send your own values where someone else changed them too (theirs leaves theirs):',
  'Om je eigen waarden te versturen waar een ander ze ook wijzigde (theirs laat die staan):',
);

function sendText({ declined, counts }: ImportResult): Bilingual {
  if (declined) return t('To send it after all:', 'Om het alsnog te versturen:');
  return counts.invalid + counts.conflict > 0
    ? t('To send the other rows exactly so:', 'Om de andere rijen precies zo te versturen:')
    : SEND;
}

/** Flags of a command that a following one needs too. */
export type GivenFlags = Pick<
  ProgramOptions,
  'baseUrl' | 'tokenFile' | 'profile' | 'ledger' | 'lang' | 'locale'
> &
  Partial<
    Pick<FlagsOf<'import'>, 'delimiter' | 'map' | 'rules' | 'strict' | 'allowDelete' | 'onConflict'>
  > & {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  };

/** The flags for the service, settings, ledger and language, as given, each with a blank before it. */
export function serviceFlags({ baseUrl, tokenFile, profile, ledger, lang }: GivenFlags): string {
  return flagText({ 'base-url': baseUrl, 'token-file': tokenFile, profile, ledger, lang });
}

/** The flags with which a result is imported as its file was. */
function againFlags({ given, locale }: Plan, flags: GivenFlags): string {
  const { strict = false, allowDelete = false, onConflict, map, rules, from, to } = flags;
  const { as, only, set, headerRow, delimiter, encoding } = given ?? NONE;
  return `${flagText({
    ...{ as, sheet: only, set: set.map(({ field, text }) => `${field}=${text}`) },
    // What was taken after forgetting is not to be forgotten too.
    map: map === 'none' ? null : map,
    rules,
    ...{
      'header-row': headerRow,
      encoding,
      delimiter,
      locale: flags.locale ?? (locale === 'nl' ? null : locale),
    },
    ...{ strict, 'allow-delete': allowDelete, from, to },
    'on-conflict': onConflict === 'skip' ? null : onConflict,
  })}${serviceFlags(flags)}`;
}

const NONE = { as: null, only: [], set: [], headerRow: null, delimiter: null, encoding: null } as const;

/** The same, with the flags for how a file was written. */
export function fileFlags(given: GivenFlags): string {
  return `${flagText({ locale: given.locale, delimiter: given.delimiter })}${serviceFlags(given)}`;
}

type FlagValue = string | number | boolean | readonly string[] | null | undefined;

function flagText(flags: Readonly<Record<string, FlagValue>>): string {
  return Object.entries(flags)
    .flatMap(([name, value]) => {
      if (value === true) return ` --${name}`;
      if (value == null || value === false) return [];
      const values = typeof value === 'object' ? value : [String(value)];
      return values.map((one) => ` --${name} ${shellWord(one)}`);
    })
    .join('');
}

/** A file's name as an argument: one that begins with a dash would be taken for a flag. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}
