import { addressOf } from '../contract/paths.ts';
import { CallError } from './call.ts';
import { sessionHeader } from './session.ts';

/** A file that is being brought. */
interface Upload {
  /** Rejects with CallError, or where it was cancelled with a DOMException; resolves with its id. */
  readonly done: Promise<string>;
  cancel(): void;
}

/** Brings a file; `onPart` hears how much of it is there, from 0 to 1. */
export function uploadFile(file: File, onPart: (part: number) => void): Upload {
  // A fetch tells nothing of what it has sent so far.
  const request = new XMLHttpRequest();
  const done = new Promise<string>((resolve, reject) => {
    request.open(...addressOf('addFile', { query: { name: file.name } }));
    request.responseType = 'json';
    for (const [name, value] of Object.entries(sessionHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onPart(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const answer = request.response as { source?: string; message?: string; next?: string } | null;
      if (answer?.source !== undefined) resolve(answer.source);
      else reject(new CallError(request.status, answer?.message, answer?.next));
    };
    request.onerror = () => reject(new CallError(0));
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}
