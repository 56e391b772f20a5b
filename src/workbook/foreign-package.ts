import type { Bilingual } from '../schema/value.ts';
import { DamagedPart } from './damaged-part.ts';
import type { Package } from './package.ts';
import type { ZipEntry } from './zip-directory.ts';

/** Other programs' documents that are zips too: what their directory holds, and what they are. */
const OTHERS: readonly (readonly [RegExp, Bilingual])[] = [
  [
    /^xl\/workbook\.bin$/i,
    {
      en: 'is a binary workbook (.xlsb), which this program does not read',
      nl: 'is een binaire werkmap (.xlsb), en die leest dit programma niet',
    },
  ],
  [/^word\//i, { en: 'is a Word document, not a workbook', nl: 'is een Word-document, geen werkmap' }],
  [
    /^ppt\//i,
    { en: 'is a PowerPoint presentation, not a workbook', nl: 'is een PowerPoint-presentatie, geen werkmap' },
  ],
  [
    /^content\.xml$/i,
    {
      en: 'is an OpenDocument file (.ods), which this program does not read',
      nl: 'is een OpenDocument-bestand (.ods), en dat leest dit programma niet',
    },
  ],
  [
    /^Index\/.*\.iwa$|^Index\.zip$/,
    {
      en: 'is a Numbers document, which this program does not read',
      nl: 'is een Numbers-document, en dat leest dit programma niet',
    },
  ],
];

/** Throws DamagedPart, saying what it is, when a zip without an XML workbook is a document of another kind. */
export function refuseOtherPackage(source: Package, workbook: ZipEntry | undefined): void {
  if (workbook !== undefined && /\.xml$/i.test(workbook.name) && !/^(word|ppt)\//i.test(workbook.name))
    return;
  for (const [pattern, sentence] of OTHERS) {
    if (source.directory.names.some((name) => pattern.test(name))) throw new DamagedPart(sentence);
  }
}
