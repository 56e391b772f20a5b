import type { Finding } from '../../schema/issue.ts';
import { nearest } from '../../schema/nearest.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** That a field which its row needs has no column, with the way out: a header that may be meant, or one of the user's own. */
export function missingColumn({ unknown }: Pick<SheetMapping, 'unknown'>, field: string): Finding {
  return { code: 'column-missing', found: '', hint: wayOut(nearest(field, unknown), unknown.length > 0) };
}

function wayOut(near: readonly string[], unnamed: boolean): Bilingual {
  const list = near.join(', ');
  if (list !== '')
    return {
      en: `nearest headers: ${list}; rename it, or say with --map what it stands for`,
      nl: `koppen die erop lijken: ${list}; hernoem hem, of zeg met --map waar hij voor staat`,
    };
  return unnamed
    ? {
        en: 'add the column, or say with --map which of your own headers it is',
        nl: 'voeg de kolom toe, of zeg met --map welke van je eigen koppen het is',
      }
    : { en: 'add the column', nl: 'voeg de kolom toe' };
}
