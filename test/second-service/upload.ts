import type { Received } from './types.ts';

/** The fields of a form with a file; the file's bytes are given in base64. */
export function uploadedFields(request: Received): Record<string, unknown> {
  const type = String(request.headers['content-type'] ?? '');
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return {};
  const fields: Record<string, unknown> = {};
  // latin1 keeps every byte apart, so that the file can be taken out whole.
  for (const part of request.bytes.toString('latin1').split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, Math.max(0, end));
    const [, name] = /name="([^"]*)"/i.exec(head) ?? [];
    if (name === undefined) continue;
    const bytes = Buffer.from(part.slice(end + 4).replace(/\r\n$/, ''), 'latin1');
    fields[name] = /filename/i.test(head) ? bytes.toString('base64') : bytes.toString('utf8');
  }
  return fields;
}
