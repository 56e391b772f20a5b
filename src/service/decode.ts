import { isUtf8 } from 'node:buffer';
import { looksLikeHtml } from './words.ts';

/** An answer's text: JSON is UTF-8, but what isn't is read the way old Windows programs write. */
export function answerText(bytes: Uint8Array): string {
  const text = isUtf8(bytes)
    ? new TextDecoder().decode(bytes)
    : new TextDecoder('windows-1252').decode(bytes);
  return text.replace(/^\ufeff/, '');
}

export type Decoded =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly why: 'html' | 'cut' };

/** Reads an answer by its content, whatever its Content-Type says; an empty one is undefined. */
export function decodeJson(text: string): Decoded {
  if (text.trim() === '') return { ok: true, json: undefined };
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    return { ok: false, why: looksLikeHtml(text) ? 'html' : 'cut' };
  }
}
