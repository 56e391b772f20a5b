import { type Bilingual, t } from '../core/language.ts';
import { listerOf } from '../kinds/kinds.ts';
import { readingOnce } from '../records/shared-reading.ts';
import type { Context } from '../run/context.ts';
import type { ExportKind } from './selection-options.ts';
import type { ExportJob } from './write-records.ts';

/** Notes on one of several kinds. */
export const notesOn = (sheet: string, notes: readonly Bilingual[]): Bilingual[] =>
  notes.map(({ en, nl }) => t(`${sheet}: ${en}`, `${sheet}: ${nl}`));

/**
 * The context of one of several kinds, `earlier` ones being written before it: a list that several go by is
 * read once, and progress counts on.
 */
export function sharedContext(
  context: Context,
  kinds: readonly ExportKind[],
  earlier: readonly ExportJob[],
): Context {
  if (kinds.length < 2) return context;
  const isLast = earlier.length === kinds.length - 1;
  return {
    ...context,
    service: earlier[0]?.context.service ?? readingOnce(context.service, sharedLists(kinds)),
    onProgress: (progress) => {
      const before = earlier.reduce(
        (sum, { counts, resource }) => sum + (counts.get(resource.sheet) ?? 0),
        0,
      );
      const total = isLast && progress.total !== null ? before + progress.total : null;
      context.onProgress?.({ ...progress, done: before + progress.done, total });
    },
  };
}

/** The lists of one kind that those of another begin with. */
const sharedLists = (kinds: readonly ExportKind[]): readonly string[] =>
  kinds.flatMap(({ resource }) => listerOf(resource).shared?.(resource) ?? []);
