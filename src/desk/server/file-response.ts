import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { t } from '../../core/language.ts';
import { NotFound } from './refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
};

/** A report runs its own script, and reaches nothing: not the desk either. */
const REPORT_POLICY =
  "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** A file to be saved under a name; `shown`: a report, to be looked at. Throws NotFound. */
export async function fileResponse(path: string, name: string, shown = false): Promise<Response> {
  // One that takes its place meanwhile has another size.
  const file = await open(path).catch(() => null);
  const found = await file?.stat();
  if (file === null || found?.isFile() !== true) {
    await file?.close();
    throw new NotFound(t('file', 'bestand'));
  }
  const body = Readable.toWeb(file.createReadStream()) as ReadableStream;
  return new Response(body, {
    headers: {
      'content-type': TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
      'content-length': String(found.size),
      'content-disposition': disposition(name, shown),
      ...(shown ? { 'content-security-policy': REPORT_POLICY } : {}),
    },
  });
}

/** What comes without its length being known, such as files that are packed on the way, to be saved. */
export function toSave(body: ReadableStream, name: string): Response {
  const type = TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
  return new Response(body, {
    headers: { 'content-type': type, 'content-disposition': disposition(name) },
  });
}

function disposition(name: string, shown = false): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const named = `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, encoded)}`;
  return `${shown ? 'inline' : 'attachment'}; ${named}`;
}

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
