import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import type { Bilingual } from '../../schema/value.ts';
import { tryTarget } from '../../workbook/target-place.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.html', '.htm']);

/**
 * Makes sure, before anything is sent, that a report can be written: its name ends in .html or .htm, it is neither the input nor the result by
 * whatever name or link, and its place is an ordinary file's that can be written now. Throws StopError with EXIT.usage.
 */
export async function checkReport(report: string, input: string, result: string): Promise<void> {
  if (!ENDINGS.has(extname(report).toLowerCase())) throw otherEnding(report);
  if (await isSameFile(report, input)) throw taken(report, { en: 'the input', nl: 'het invoerbestand' });
  if (await isSameFile(report, result)) throw taken(report, { en: 'the result', nl: 'het resultaat' });
  await tryTarget(report);
}

/** By what the disk knows of them, as names may differ in case or be links; by their paths while neither is there. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => stat(file, { bigint: true }).catch(() => null)),
  );
  if (first && second) return first.dev === second.dev && first.ino === second.ino;
  return !first && !second && (await pathOf(one)) === (await pathOf(other));
}

async function pathOf(file: string): Promise<string> {
  const path = resolve(file);
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

function otherEnding(report: string): StopError {
  return stop(
    {
      en: `The report ${report} can't be written: a report is a page, and its name ends in .html.`,
      nl: `Het verslag ${report} kan niet worden geschreven: een verslag is een pagina, en de naam eindigt op .html.`,
    },
    { en: 'Let --report end in .html.', nl: 'Laat --report eindigen op .html.' },
  );
}

function taken(report: string, what: Bilingual): StopError {
  return stop(
    {
      en: `The report would overwrite ${what.en} ${report}.`,
      nl: `Het verslag zou ${what.nl} ${report} overschrijven.`,
    },
    { en: 'Name another file with --report.', nl: 'Noem een ander bestand met --report.' },
  );
}

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

/** Why there is no report after all, and how to get one. */
export function notReported(target: string, cause: unknown): StopError {
  const next = {
    en: 'Make room for it or name another file with --report, and give catersheet apply RUN --report once more.',
    nl: 'Maak er plaats voor of noem een ander bestand met --report, en geef nog eens catersheet apply RUN --report.',
  };
  if (cause instanceof StopError) return new StopError(cause.exitCode, cause.texts.message, { next, cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  const text = {
    en: `The report ${target} could not be written: ${why}`,
    nl: `Het verslag ${target} kon niet worden geschreven: ${why}`,
  };
  return new StopError(EXIT.fault, text, { next, cause });
}
