import type { CallsDocument, CheckDocument, ExportDocument, TemplateDocument } from '../../api/documents.ts';
import type { PruneDocument } from '../../api/prune-runs.ts';
import type { RunDocument } from '../../api/runs.ts';
import type { StopError } from '../../core/errors.ts';
import type { Language } from '../../core/language.ts';
import { showJson, writeJson } from '../../core/standard-streams.ts';
import type { UndoDocument } from '../../export/write-undo.ts';
import type { FinanceDocument } from '../../finance/export-finance.ts';
import type { ImportDocument, RowDocument } from '../../import/import-document.ts';
import type { StoppedFile } from './view.ts';

/** What stopped a command. */
interface StopDocument {
  /** What is wrong, as a `StopError` tells it. */
  readonly error: {
    /** What it stands for; the command ends with it, unless the document has an `exit` of its own. */
    readonly exit: StopError['exit'];
    /** What is wrong. */
    readonly message: string;
    /** The next step. */
    readonly next?: string;
  };
}

/** The sandbox, once it is there. */
interface SandboxDocument {
  /** Its base URL. */
  readonly baseUrl: string;
  /** The bearer token it asks for. */
  readonly token: string;
  /** Where it keeps its records: a SQLite file, or `:memory:`. */
  readonly data: string;
}

/** How much a ledger holds. */
interface LedgerHolds {
  /** Runs. */
  readonly runs: number;
  /** Rows of all runs. */
  readonly rows: number;
  /** Records with an ExternalID. */
  readonly records: number;
  /** What was made or posted once. */
  readonly postings: number;
}

/** Whether the ledger is whole, and the copies that are kept of it. */
interface LedgerCheckDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** Nothing is wrong with it; also where there is none yet. */
  readonly whole: boolean;
  /** What is wrong; null for nothing. */
  readonly problem: string | null;
  /** The next step; null where nothing is wrong. */
  readonly next: string | null;
  /** What it holds; null where there is none, or it can’t be read. */
  readonly holds: LedgerHolds | null;
  /** Its copies, the newest first. */
  readonly copies: readonly {
    /** The file of the copy. */
    readonly file: string;
    /** When it was made, `YYYY-MM-DD hh:mm:ss UTC`. */
    readonly at: string;
    /** It can be put back. */
    readonly whole: boolean;
    /** What it holds; null where it can’t be read. */
    readonly holds: LedgerHolds | null;
    /** What is wrong with it; null for nothing. */
    readonly problem: string | null;
  }[];
}

/** A backup of the ledger. */
interface LedgerBackupDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** The file of the backup. */
  readonly backup: string;
  /** It took the place of an earlier one. */
  readonly replaced: boolean;
  /** What both hold. */
  readonly holds: LedgerHolds;
}

/** A copy that was put in the place of the ledger. */
interface LedgerRestoreDocument {
  /** The file of the ledger. */
  readonly ledger: string;
  /** The copy that was put back. */
  readonly copy: string;
  /** When it was made, `YYYY-MM-DD hh:mm:ss UTC`. */
  readonly at: string;
  /** What the ledger holds now. */
  readonly holds: LedgerHolds;
  /** Where the ledger that was there stays; null where there was none. */
  readonly kept: string | null;
  /** Runs that the copy does not know. */
  readonly lost: readonly Pick<RunDocument, 'run' | 'file' | 'startedAt'>[];
  /** Of what was posted since, how much was carried over. */
  readonly carried: number;
  /** How many runs the ledger should hold; null where that is not known. */
  readonly held: number | null;
}

/** A ledger that was moved. */
interface LedgerMoveDocument {
  /** Where it was: a file, or the address of a database. */
  readonly from: string;
  /** Where it is now. */
  readonly to: string;
  /** It was there already, whole: an earlier move was cut off before it could say so. */
  readonly before: boolean;
  /** What was brought along, by table. */
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    /** SHA-256 of all that its rows hold, the same on both sides. */
    readonly sum: string;
  }[];
}

/** All that `--json` prints, by name. `scripts/json-schema.mjs` makes the JSON Schema of these. */
interface Documents {
  /** `import`, `apply`, `documents`, `invoices` and `refresh FILE`; `error` is what stopped it */
  readonly import: ImportDocument &
    Partial<StopDocument> & {
      /** Where the file was moved. */
      readonly moved?: string;
    };
  /** `import` of several files, and with `--done-to`; `error` is what stopped the rest */
  readonly imports: Partial<StopDocument> & {
    /** In the order of the files; of one that could not be read what stopped it. */
    readonly imports: readonly (Documents['import'] | (StopDocument & StoppedFile))[];
    /** What the command ends with. */
    readonly exit: StopError['exit'];
  };
  /** What stopped a command */
  readonly error: StopDocument;
  /** `undo` */
  readonly undo: UndoDocument;
  /** `runs` */
  readonly runs: {
    /** The newest 50, the last one first. */
    readonly runs: readonly RunDocument[];
  };
  /** `runs RUN` */
  readonly run: RunDocument & {
    /** Every row. */
    readonly rows: readonly RowDocument[];
  };
  /** `runs prune` */
  readonly prune: PruneDocument;
  /** `export`, but for finance */
  readonly export: ExportDocument;
  /** `export finance`; amounts are decimals in text */
  readonly finance: FinanceDocument;
  /** `orders send`, and `refresh` with numbers; `error` is what stopped them */
  readonly calls: CallsDocument & Partial<StopDocument>;
  /** `check` */
  readonly check: CheckDocument;
  /** `template` */
  readonly template: TemplateDocument;
  /** `sandbox` */
  readonly sandbox: SandboxDocument;
  /** `ledger check` */
  readonly ledgerCheck: LedgerCheckDocument;
  /** `ledger backup` */
  readonly ledgerBackup: LedgerBackupDocument;
  /** `ledger restore` */
  readonly ledgerRestore: LedgerRestoreDocument;
  /** `ledger move` */
  readonly ledgerMove: LedgerMoveDocument;
}

/** Shows one of the documents of the JSON Schema on stdout. */
export function showDocument<Name extends keyof Documents>(_name: Name, document: Documents[Name]): void {
  showJson(document);
}

/** Characters of a document that are written at a time. */
const PART = 1 << 16;

/** Shows a document that has rows, in parts: a million rows are never in memory at once. */
export async function showWithRows<Name extends 'import' | 'run'>(
  head: Omit<Documents[Name], 'rows' | 'ms'>,
  rows: AsyncIterable<RowDocument>,
  tail: Partial<Documents[Name]> = {},
): Promise<void> {
  let part = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": [`;
  let first = true;
  for await (const row of rows) {
    part += `${first ? '' : ','}\n    ${JSON.stringify(row)}`;
    first = false;
    if (part.length < PART) continue;
    await writeJson(part);
    part = '';
  }
  const members = Object.entries(tail).map(([name, value]) => `,\n  "${name}": ${JSON.stringify(value)}`);
  await writeJson(`${part}${first ? '' : '\n  '}]${members.join('')}\n}\n`);
}

/** What stopped a command, as `--json` prints it. */
export function stopDocument({ exit, texts }: StopError, language: Language): StopDocument {
  return {
    error: {
      exit,
      message: texts.message[language],
      ...(texts.next === undefined ? {} : { next: texts.next[language] }),
    },
  };
}
