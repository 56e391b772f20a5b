import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

/** Serves the files of the page. They hold nothing that is anybody's, and need no session. */
export function servePage(app: Hono): void {
  for (const [path, [name, type]] of Object.entries(FILES)) {
    const content = readFileSync(new URL(name, folder()));
    const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    const headers = { 'content-type': type, etag: tag, 'cache-control': 'no-cache' };
    app.get(path, (context) =>
      context.req.header('if-none-match') === tag
        ? context.body(null, 304, headers)
        : context.body(new Uint8Array(content), 200, headers),
    );
  }
}
