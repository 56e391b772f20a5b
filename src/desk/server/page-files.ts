import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

/** The folder of the page's files: beside the program, or for the sources where the build put them. */
function folder(): URL {
  const built = import.meta.url.endsWith('.ts') ? '../../../dist/desk-page/' : './desk-page/';
  return new URL(built, import.meta.url);
}

/** Serves the files of the page, compressed. They hold nothing that is anybody's, and need no session. */
export function servePage(app: Hono): void {
  for (const [path, [name, type]] of Object.entries(FILES)) {
    const plain = readFileSync(new URL(name, folder()));
    const hash = createHash('sha256').update(plain).digest('base64url');
    // Who never opens the page has not waited for it.
    let packed: Uint8Array<ArrayBuffer> | undefined;
    app.get(path, (context) => {
      const isPacked = accepts(context.req.header('accept-encoding') ?? '');
      const etag = `"${hash}${isPacked ? '-gz' : ''}"`;
      const headers = { 'content-type': type, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
      if (context.req.header('if-none-match') === etag) return context.body(null, 304, headers);
      if (!isPacked) return context.body(new Uint8Array(plain), 200, headers);
      packed ??= new Uint8Array(gzipSync(plain, { level: 9 }));
      return context.body(packed, 200, { ...headers, 'content-encoding': 'gzip' });
    });
  }
}

/** Whether a browser takes gzip. */
const accepts = (encodings: string): boolean => /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(encodings);
