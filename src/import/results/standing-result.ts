import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import { knownPlace } from '../../files/file-name.ts';
import type { Context } from '../../run/context.ts';

/** What a result tells, the least first: what would be done, which rows of a run need work, what became of all of them. */
const WORTHS = ['plan', 'problems', 'run'] as const;
/** What a result tells. */
type Worth = (typeof WORTHS)[number];

/** What a result tells that was written with these wishes. */
export function worthOf({ dryRun, onlyProblems = false }: Wishes): Worth {
  if (dryRun) return 'plan';
  return onlyProblems ? 'problems' : 'run';
}

interface Wishes {
  readonly dryRun: boolean;
  readonly onlyProblems?: boolean | undefined;
}

/** Where a result goes, and why not where it was to. */
interface ResultPlace {
  readonly target: string;
  readonly notes: readonly Bilingual[];
}

/**
 * The place of a result that was given none: its usual name, or the next number where a result stands that tells more, as that is the
 * record of what was sent. A file that is not known as a result, or was edited since, is taken for such a record.
 */
export async function freePlace(context: Context, usual: string, worth: Worth): Promise<ResultPlace> {
  if (worth === 'run') return { target: usual, notes: [] };
  const ending = extname(usual);
  const stem = usual.slice(0, usual.length - ending.length);
  const [, name = stem, before = '1'] = /^(.*\.result)-(\d{1,9})$/.exec(stem) ?? [];
  let target = usual;
  for (let number = Number(before) + 1; !(await mayGo(context, target, worth)); number++)
    target = `${name}-${number}${ending}`;
  return { target, notes: target === usual ? [] : [stays(usual, target)] };
}

function stays(usual: string, target: string): Bilingual {
  return t(
    `${usual} stays as it was: it tells what was sent, or was edited since; this result is ${target}`,
    `${usual} blijft zoals het was: er staat in wat er verstuurd is, of het is daarna bewerkt; dit resultaat is ${target}`,
  );
}

/** Remembers what a result tells. */
export async function rememberResult(context: Context, file: string, worth: Worth): Promise<void> {
  const mark = await markOf(file);
  if (mark !== undefined)
    await context.ledger.rememberFact(context.serviceKey, factOf(file), `${worth} ${mark}`);
}

/** Whether what stands there, if anything does, may give way. */
async function mayGo({ ledger, serviceKey }: Context, file: string, worth: Worth): Promise<boolean> {
  const mark = await markOf(file);
  if (mark === undefined) return true;
  const known = await ledger.findFact(serviceKey, factOf(file));
  const [told, ...was] = known?.split(' ') ?? [];
  const standing = (WORTHS as readonly string[]).indexOf(told ?? '');
  return was.join(' ') === mark && standing >= 0 && standing <= WORTHS.indexOf(worth);
}

const factOf = (file: string): string => `result ${knownPlace(file)}`;

/** Tells whether a file is still the one that was written; undefined where there is none. */
async function markOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}
