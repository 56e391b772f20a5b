import { type Bilingual, t } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import type { ExportKind } from './selection-options.ts';
import type { ExportJob } from './write-records.ts';

/** Notes on one of several kinds. */
export const notesOn = (sheet: string, notes: readonly Bilingual[]): Bilingual[] =>
  notes.map(({ en, nl }) => t(`${sheet}: ${en}`, `${sheet}: ${nl}`));

/** The context of one of several kinds, `earlier` ones being written before it: progress counts on. */
export function sharedContext(
  context: Context,
  kinds: readonly ExportKind[],
  earlier: readonly ExportJob[],
): Context {
  if (kinds.length < 2) return context;
  const isLast = earlier.length === kinds.length - 1;
  return {
    ...context,
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
