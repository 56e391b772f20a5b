import { posix, win32 } from 'node:path';
import type { Bilingual } from '../core/language.ts';

/** What Windows keeps for devices, whatever ending stands behind it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** Whether Windows takes a file's name for a device: it looks at what stands before the first dot, without blanks at its end. */
export const isDeviceName = (name: string): boolean => DEVICE.test((name.split('.')[0] ?? '').trimEnd());

/** So many UTF-16 code units Windows and macOS take in a name. */
const LONGEST = 255;

/**
 * Why a file can't have a name, or undefined where it can. Windows tells of no such name when the place is tried:
 * it looks for a device, writes beside the file after a colon, or says that nothing is there.
 */
export function unusableName(
  name: string,
  platform: NodeJS.Platform = process.platform,
): Bilingual | undefined {
  if (platform !== 'win32') return undefined;
  if (isDeviceName(name))
    return {
      en: 'Windows keeps that name for a device',
      nl: 'Windows houdt die naam vrij voor een apparaat',
    };
  const odd = /[<>:"|?*\p{Cc}]/u.exec(name)?.[0];
  if (odd !== undefined)
    return {
      en: `a name on Windows has no ${shown(odd)}`,
      nl: `een naam heeft op Windows geen ${shown(odd)}`,
    };
  if (/[. ]$/.test(name))
    return {
      en: 'a name on Windows ends in no dot or blank',
      nl: 'een naam eindigt op Windows niet op een punt of spatie',
    };
  return name.length > LONGEST ? { en: 'its name is too long', nl: 'de naam is te lang' } : undefined;
}

const shown = (character: string): string =>
  character < ' ' || character > '~'
    ? `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    : character;

/**
 * The whole path of a file as a text by which it is known again. Windows tells no capitals apart, and a terminal there
 * gives the letter of a drive now in one way, then in the other.
 */
export function knownPlace(file: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? win32.resolve(file).toLowerCase() : posix.resolve(file);
}
