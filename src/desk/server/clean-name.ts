import { isDeviceName } from '../../files/file-name.ts';

/** The longest name that is kept, in characters: with room for what a result adds. */
const LONGEST = 120;

/** What no file system takes, what turns a text round, and what ends a line. */
const ODD = /[<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name from a browser as that of a file of ours: without a path, and one that every file system takes. */
export function cleanName(given: string): string {
  const last = given.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(ODD, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .trim();
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot < 1 ? [plain, ''] : [plain.slice(0, dot), plain.slice(dot).slice(0, 12)];
  const kept = [...stem]
    .slice(0, LONGEST - ending.length)
    .join('')
    .trim();
  const named = `${kept === '' ? 'workbook' : kept}${ending}`;
  return isDeviceName(named) ? `_${named}` : named;
}
