import { describe, expect, test } from 'vitest';
import { source } from './source.ts';

/**
 * Closing a file takes all locks that this process has on it (POSIX), whoever opened it: a ledger in use that
 * is opened past its database may be sent with twice, and loses its -wal file. What opens files is listed here.
 */
const OPENS =
  /\b(openSync|open|createReadStream|createWriteStream|readFile|readFileSync|writeFile|writeFileSync|appendFile|appendFileSync|copyFile|copyFileSync|cp|cpSync|openAsBlob|truncate|truncateSync)\b/;

/** Opens files that others name: it asks first whether a database of this process has them. */
const ASKS = [
  'files/file-kind.ts',
  'files/small-text.ts',
  'files/write-aside.ts',
  'kinds/document/document.ts',
  'kinds/download/download.ts',
  'ledger/restore.ts',
  'session/log.ts',
];
/** Opens workbooks that `files/file-kind.ts` let through, and files that the program made and named itself. */
const OWN = [
  'cli/kept-code.ts',
  'csv/encoding.ts',
  'csv/read-csv.ts',
  'desk/server/checked-rows.ts',
  'desk/server/desk.ts',
  'desk/server/draft-documents.ts',
  'desk/server/drafts.ts',
  'desk/server/file-response.ts',
  'desk/server/make-exports.ts',
  'desk/server/open-browser.ts',
  'desk/server/page-files.ts',
  'desk/server/plan-draft.ts',
  'desk/server/uploads.ts',
  'files/folders.ts',
  'files/row-store.ts',
  'ledger/copies.ts',
  // The -wal file, which SQLite does not lock: a test holds that.
  'ledger/disk.ts',
  'ledger/mark.ts',
  // What is mounted, which the kernel tells.
  'ledger/one-name.ts',
  'xlsx/edit/rewrite-workbook.ts',
  'xlsx/zip/read-zip.ts',
  'xlsx/zip/spooled-part.ts',
];
/** Opens files of who has the ledger in a database, so that none is open here. */
const AWAY = [
  'api/schedule/inbox-work.ts',
  'api/schedule/send-report.ts',
  'queue/export-files.ts',
  'queue/export-source.ts',
  'queue/schedule/claimed-file.ts',
];
/** Opens databases. */
const CONNECTS = [
  'ledger/copies.ts',
  'ledger/lock.ts',
  'ledger/one-name.ts',
  'ledger/restore.ts',
  'ledger/scan.ts',
  'ledger/sqlite-ledger.ts',
  'sandbox/store/database.ts',
];

const FROM_FS = /import (?!type)([^;]*?) from '(?:node:)?fs(?:\/promises)?';/g;

const textOf = ({ lines }: (typeof source)[number]): string => lines.join('\n');

describe('files that a database may have open', () => {
  test('are opened by what is known for it alone', () => {
    const found = source.filter((file) =>
      [...textOf(file).matchAll(FROM_FS)].some(
        ([, names = '']) => OPENS.test(names) || !names.startsWith('{'),
      ),
    );
    expect(found.map(({ path }) => path)).toEqual([...ASKS, ...OWN, ...AWAY].sort());
  });

  test('are asked after where others name them', () => {
    const asking = source.filter((file) => /\bisHeldHere\(/.test(textOf(file).replace(/^export .*/gm, '')));
    expect(asking.map(({ path }) => path)).toEqual(ASKS);
  });

  test('are connected to by the ledger and the sandbox alone', () => {
    const found = source.filter((file) => /^import [^t{].* from 'libsql'/m.test(textOf(file)));
    expect(found.filter((file) => /new Database\(/.test(textOf(file))).map(({ path }) => path)).toEqual(
      CONNECTS,
    );
  });

  test('that the ledger makes for its owner are new, and never opened again', () => {
    const { lines = [] } = source.find(({ path }) => path === 'files/folders.ts') ?? {};
    expect(lines.filter((line) => /openSync\(/.test(line)).map((line) => line.trim())).toEqual([
      "closeSync(openSync(file, 'wx', PRIVATE));",
    ]);
  });
});
