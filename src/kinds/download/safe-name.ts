import { createHash } from 'node:crypto';
import { type Bilingual, t } from '../../core/language.ts';
import { isDeviceName } from '../../files/file-name.ts';
import { isKnownKind } from './file-content.ts';

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

/** Why files with an extension are not fetched; null for those of which it can be told that they are whole. */
export function unsafeExtension(extension: string): Bilingual | null {
  if (isKnownKind(extension)) return null;
  return t(
    'an invoice is a document, an image or an archive: fetch it as pdf or xml',
    'een factuur is een document, een afbeelding of een archief: haal hem op als pdf of xml',
  );
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
