import { DamagedPart } from './damaged-part.ts';
import type { Package } from './package.ts';
import type { ZipEntry } from './zip-directory.ts';

/** Other programs' documents that are zips too: what their directory holds, and what they are. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/i, 'is a binary workbook (.xlsb), which this program does not read'],
  [/^word\//i, 'is a Word document, not a workbook'],
  [/^ppt\//i, 'is a PowerPoint presentation, not a workbook'],
  [/^content\.xml$/i, 'is an OpenDocument file (.ods), which this program does not read'],
  [/^Index\/.*\.iwa$|^Index\.zip$/, 'is a Numbers document, which this program does not read'],
];

/** Throws DamagedPart, saying what it is, when a zip without an XML workbook is a document of another kind. */
export function refuseOtherPackage(source: Package, workbook: ZipEntry | undefined): void {
  if (workbook !== undefined && /\.xml$/i.test(workbook.name) && !/^(word|ppt)\//i.test(workbook.name))
    return;
  for (const [pattern, sentence] of OTHERS) {
    if (source.directory.names.some((name) => pattern.test(name))) throw new DamagedPart(sentence);
  }
}
