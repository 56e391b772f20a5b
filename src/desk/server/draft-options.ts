import { CREATE_UNNAMED } from '../../import/map/sheet-mapping.ts';
import type { StoredDraft } from './drafts.ts';

/** How a draft is read and planned. */
export function planOptions(draft: StoredDraft) {
  const { allowDelete, corrections, decisions } = draft;
  return { ...readingOptions(draft), allowDelete, corrections, decisions };
}

/** How a draft is read. */
export function readingOptions({ reading }: StoredDraft) {
  const { use, choices, set, locale, delimiter, encoding } = reading;
  return {
    ...(use === 'import' ? {} : { command: use }),
    choices: choices.map(({ sheet, as, headerRow, columns }) => ({
      sheet,
      ...(as === undefined ? {} : { as }),
      ...(headerRow === undefined ? {} : { headerRow }),
      ...(columns === undefined ? {} : { columns }),
    })),
    set,
    ...(locale === null ? {} : { locale }),
    ...(delimiter === null ? {} : { delimiter }),
    ...(encoding === null ? {} : { encoding }),
  };
}

/** How a file is read, with what becomes of rows that name no record: they are created, or they are not. */
export function withUnnamed(reading: StoredDraft['reading'], create: boolean): StoredDraft['reading'] {
  const { [CREATE_UNNAMED.field]: _, ...others } = reading.set;
  return { ...reading, set: create ? { ...others, [CREATE_UNNAMED.field]: CREATE_UNNAMED.text } : others };
}
