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
export const TAKEN = '.xlsx,.xlsm,.xls,.csv,.tsv,.txt';

/** Whether a file is a workbook or CSV by its name. */
export const isTable = (name: string): boolean =>
  TAKEN.split(',').some((ending) => name.toLowerCase().endsWith(ending));
