import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { t } from '../../core/language.ts';
import { NotFound } from './refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
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
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream, {
    headers: {
      'content-type': TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
      'content-length': String(found.size),
      'content-disposition': `${shown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`,
      ...(shown && { 'content-security-policy': REPORT_POLICY }),
    },
  });
}
