import { type Bilingual, t } from '../../core/language.ts';
import type { DraftDocument } from '../contract/documents.ts';
import { addressOf } from '../contract/paths.ts';
import type { AnswerOf } from '../contract/routes.ts';
import { CallError } from './call.ts';
import { sessionHeader } from './session.ts';

/** A file that is being brought. */
export interface Upload {
  readonly done: Promise<DraftDocument>;
  cancel(): void;
}

/** Brings a file; `onPart` hears how much of it is there, from 0 to 1. `done` rejects with CallError. */
export function uploadFile(file: File, onPart: (part: number) => void): Upload {
  const { done, cancel } = sendFile(addressOf('addFile', { query: { name: file.name } }), file, onPart);
  return { cancel, done: done.then((answer) => (answer as { draft: DraftDocument }).draft) };
}

/** Brings a document to a draft, as `uploadFile`. */
export function uploadDocument(
  draft: string,
  file: File,
  onPart: (part: number) => void,
): { readonly done: Promise<unknown>; cancel(): void } {
  const address = addressOf('addDocument', { params: { draft }, query: { name: file.name } });
  return sendFile(address, file, onPart);
}

/** Brings a file that names products to export. Rejects with CallError. */
export async function uploadNamed(file: File): Promise<AnswerOf<'addNamed'>> {
  const { done } = sendFile(addressOf('addNamed', { query: { name: file.name } }), file, () => {});
  return (await done) as AnswerOf<'addNamed'>;
}

function sendFile([method, address]: readonly [string, string], file: File, onPart: (part: number) => void) {
  // A fetch tells nothing of what it has sent so far.
  const request = new XMLHttpRequest();
  const done = new Promise<unknown>((resolve, reject) => {
    request.open(method, address);
    request.responseType = 'json';
    for (const [name, value] of Object.entries(sessionHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onPart(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const answer = request.response as { message?: string; next?: string } | null;
      if (request.status < 300 && answer !== null) resolve(answer);
      else reject(new CallError(request.status, answer?.message ?? '', answer?.next ?? null));
    };
    request.onerror = () => reject(new CallError(0, '', null));
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

/** What a file picker shows; what a file is, is told by its content. */
export const TAKEN = '.xlsx,.xlsm,.csv,.tsv,.txt';

/** Whether a file is a workbook or CSV by its name. */
export const isTable = (name: string): boolean =>
  TAKEN.split(',').some((ending) => name.toLowerCase().endsWith(ending));

const SAVE_AS = t(
  'Open it, choose File, Save as, and take “Excel Workbook (.xlsx)”. Then drop that file here.',
  'Open het, kies Bestand, Opslaan als, en neem “Excel-werkmap (.xlsx)”. Zet dat bestand dan hier neer.',
);
const NUMBERS = t(
  'Open it in “Numbers”, choose File, Export To, Excel, and take .xlsx. Then drop that file here.',
  'Open het in “Numbers”, kies Archief, Exporteer naar, Excel, en neem .xlsx. Zet dat bestand dan hier neer.',
);
const ODS = t(
  'Open it in LibreOffice, choose File, Save As, and take “Excel 2007–365 (.xlsx)”. Then drop that file here.',
  'Open het in LibreOffice, kies Bestand, Opslaan als, en neem “Excel 2007–365 (.xlsx)”. Zet dat bestand dan hier neer.',
);
const OTHER = t(
  'Drop a workbook (.xlsx) or a CSV (.csv).',
  'Zet een werkmap (.xlsx) of een CSV (.csv) neer.',
);

const OLD_EXCEL = t(
  '{name} is a workbook of an older Excel (.xls), which isn’t read here.',
  '{name} is een werkmap van een oudere Excel (.xls), en die wordt hier niet gelezen.',
);
const NO_TABLE = t('{name} can’t be read as a table.', '{name} is niet als tabel te lezen.');

/** Kinds of files that are often meant, with the way to a workbook. */
const WAYS: Readonly<Record<string, Bilingual>> = {
  xls: SAVE_AS,
  xlsb: SAVE_AS,
  xlt: SAVE_AS,
  numbers: NUMBERS,
  ods: ODS,
  pdf: OTHER,
  doc: OTHER,
  docx: OTHER,
  zip: OTHER,
  png: OTHER,
  jpg: OTHER,
  jpeg: OTHER,
};

/** Why a file of another kind is not read, and the way from it; undefined for one that may be read. */
export function refusalOf(name: string): { readonly why: Bilingual; readonly way: Bilingual } | undefined {
  const kind = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const way = WAYS[kind];
  if (way === undefined) return undefined;
  return { why: kind === 'xls' || kind === 'xlt' ? OLD_EXCEL : NO_TABLE, way };
}
