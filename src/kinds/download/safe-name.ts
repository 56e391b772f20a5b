import { createHash } from 'node:crypto';
import { type Bilingual, t } from '../../core/language.ts';
import { isDeviceName } from '../../files/file-name.ts';

/** The longest name, with room for a temporary file's suffix. */
const LONGEST = 160;

/** An id that would be another path on the service or here; null when it is none. */
export function unsafeId(id: string): Bilingual | null {
  if (!/[\\/\0]/.test(id) && !/^\.+$/.test(id) && id.length <= 500) return null;
  return t(
    'an id has no slashes, is not dots alone, and is no longer than 500',
    'een id heeft geen schuine strepen, is niet alleen punten en is niet langer dan 500',
  );
}

/** Extensions of programs, and of what may hold one that a browser or Office runs when somebody opens it. */
const RUNS =
  /^(?:apk|app|appx|bat|chm|cmd|com|command|cpl|desktop|dll|dmg|exe|gadget|hta|inf|iso|jar|js|jse|lnk|msc|msi|msix|msp|pif|pkg|pl|ps1|psm1|py|reg|rb|scf|scr|sh|sys|url|vb|vbe|vbs|ws|wsf|wsh|xll|svgz?|[sx]?html?|xht|mht|mhtml|swf|xsl|xslt|doc[bm]|dotm|xl[at]m|xls[bm]|pp[as]m|pptm|potm|sldm|one|slk|iqy|mdb|accdb)$/i;

/** What is no ending of a file's name, or one that no invoice has; null for any other. */
export function unsafeExtension(extension: string): Bilingual | null {
  if (RUNS.test(extension))
    return t(
      'such a file is or may hold a program; fetch it as pdf or xml',
      'zo’n bestand is een programma of kan er een bevatten; haal het op als pdf of xml',
    );
  if (/^[a-z0-9]{1,10}$/i.test(extension)) return null;
  return t('an ending is letters and digits, such as pdf', 'een extensie is letters en cijfers, zoals pdf');
}

/** Letters, digits and a few signs; any other character of an id is written as `_`. */
const OTHER = /[^A-Za-z0-9 _.,()&+=-]/g;

/** A name that every file system takes, another for each id, even where case doesn't count. */
export function safeName(id: string, extension: string): string {
  const plain = id
    .replace(OTHER, '_')
    .replace(/^\.+|[. ]+$/g, '_')
    .slice(0, LONGEST);
  const named = isDeviceName(plain) ? `_${plain}` : plain;
  // Another id may well be called as this one would now be.
  const isOwn = named === id && id.toUpperCase() === id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `${isOwn ? named : `${named}-${hash}`}.${extension.toLowerCase()}`;
}
