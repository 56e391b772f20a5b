import type { Bilingual } from '../schema/value.ts';
import { DamagedPart } from './damaged-part.ts';
import type { Package } from './package.ts';
import { EXPORT, notWorkbook, type Refusal, SAVE } from './refusal.ts';
import type { ZipEntry } from './zip-directory.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const unread = (en: string, nl: string): Refusal => ({
  sentence: t(`is ${en}, which this program does not read`, `is ${nl}, en dat leest dit programma niet`),
  next: SAVE,
});

/** Other programs' documents that are zips too: what their directory holds, and what they are. The first that fits counts. */
const OTHERS: readonly (readonly [RegExp, Refusal])[] = [
  [/^xl\/workbook\.bin$/i, unread('a binary workbook (.xlsb)', 'een binaire werkmap (.xlsb)')],
  [/^word\//i, notWorkbook('a Word document', 'een Word-document')],
  [/^ppt\//i, notWorkbook('a PowerPoint presentation', 'een PowerPoint-presentatie')],
  [/^visio\//i, notWorkbook('a Visio drawing', 'een Visio-tekening')],
  [/^content\.xml$/i, unread('an OpenDocument file (.ods)', 'een OpenDocument-bestand (.ods)')],
  [/^Index\/.*\.iwa$|^Index\.zip$/, unread('a Numbers document', 'een Numbers-document')],
  [/^META-INF\/container\.xml$/, notWorkbook('an e-book', 'een e-boek')],
  [/^META-INF\/MANIFEST\.MF$/, notWorkbook('a program', 'een programma')],
];

const ARCHIVE: Refusal = notWorkbook(
  'a zip archive',
  'een zip-archief',
  t('Unpack it and use the workbook that is in it.', 'Pak het uit en gebruik de werkmap die erin zit.'),
);

/** Throws DamagedPart, saying what it is, when a zip without an XML workbook is a document of another kind. */
export function refuseOtherPackage(source: Package, workbook: ZipEntry | undefined): void {
  const { names } = source.directory;
  if (workbook !== undefined && /\.xml$/i.test(workbook.name) && !/^(word|ppt|visio)\//i.test(workbook.name))
    return;
  const found = OTHERS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (found !== undefined) throw new DamagedPart(found.sentence, { next: found.next });
  if (names.some((name) => /\.(xlsx|xlsm|xls|csv|txt|tsv)$/i.test(name)))
    throw new DamagedPart(ARCHIVE.sentence, { next: ARCHIVE.next });
  if (
    workbook === undefined &&
    names.length > 0 &&
    !names.some((name) => /^\[Content_Types\]\.xml$|^xl\//i.test(name))
  )
    throw new DamagedPart(NO_PACKAGE, { next: EXPORT });
}

const NO_PACKAGE = t(
  'is no workbook: it is a zip archive of other files',
  'is geen werkmap: het is een zip-archief met andere bestanden',
);
