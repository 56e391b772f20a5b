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
    const content = readFileSync(new URL(name, folder()), 'utf8');
    app.get(path, (context) => context.body(content, 200, { 'content-type': type }));
  }
}
