import { normaliseHeader } from '../../schema/header.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { KnownHeaders } from './known-headers.ts';
import type { RecognisedSheet } from './recognise.ts';

/** Something to know about a whole file. */
interface FileNote {
  readonly sheet: null;
  readonly text: Bilingual;
}

interface Recognised {
  readonly workbook: Workbook;
  readonly recognised: readonly RecognisedSheet[];
}

/** What there is to know about a file beside its sheets: its encoding, and where its headers' names are from. */
export function fileNotes(
  { workbook, recognised }: Recognised,
  known: KnownHeaders,
  given: { readonly encoding?: string | undefined },
): FileNote[] {
  const texts = [
    ...(given.encoding === undefined ? encodingNotes(workbook) : []),
    ...known.notes,
    ...unusedNotes(known, recognised),
  ];
  return texts.map((text) => ({ sheet: null, text }));
}

/** An encoding other than UTF-8 is a guess, which letters with accents show to be right or wrong. */
function encodingNotes({ encoding, delimiter = '' }: Workbook): Bilingual[] {
  if (encoding === undefined || encoding === 'utf-8') return [];
  const [en, nl] = delimiter === '\t' ? ['tab', 'tab'] : [delimiter, delimiter];
  return [
    {
      en: `Read as ${encoding}, separated by ${en} (--encoding and --delimiter overrule)`,
      nl: `Gelezen als ${encoding}, gescheiden door ${nl} (--encoding en --delimiter gaan voor)`,
    },
  ];
}

function unusedNotes({ given }: KnownHeaders, recognised: readonly RecognisedSheet[]): Bilingual[] {
  const there = new Set(
    recognised.flatMap((entry) =>
      entry.kind === 'import' ? entry.mapping.headers.map(({ header }) => normaliseHeader(header)) : [],
    ),
  );
  const missing = given.filter(({ header }) => !there.has(normaliseHeader(header)));
  if (missing.length === 0) return [];
  const list = missing.map(({ header }) => header).join(', ');
  return [
    {
      en: `Headers of the map that no sheet has: ${list}`,
      nl: `Koppen uit de lijst die op geen werkblad staan: ${list}`,
    },
  ];
}
