import type { CallsResult } from '../calls/calls.ts';
import type { ServiceCheck } from '../check/check-service.ts';
import { asTyped, type Form, type Language } from '../core/language.ts';
import type { ExportResult } from '../export/export-records.ts';
import type { WrittenTemplate } from '../template/write-template-file.ts';

/** The outcome of an export; what `catersheet export --json` prints. */
export type ExportDocument = Omit<ExportResult, 'notes' | 'cutOff'> & {
  /** What there is to know about it, in the language of `lang`. */
  readonly notes: readonly string[];
};

/** An export as plain data. */
export function exportDocument(
  { notes, cutOff, ...result }: ExportResult,
  language: Language,
  form: Form = asTyped,
): ExportDocument {
  return { ...result, notes: notes.map((note) => form(note)[language]) };
}

/** The outcome of each call; what `orders send` and `refresh` print with `--json`. */
export interface CallsDocument {
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Each call, one for every id. */
  readonly calls: readonly {
    /** The id of the event or order, as text. */
    readonly id: string;
    /** `unknown` where no answer came, `not sent` where something stopped the calls before it. */
    readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
    /** Why, where it is not plainly done; in the language of `lang`. */
    readonly message?: string;
  }[];
  /** Requests sent, reads included. */
  readonly requests: number;
}

/** The outcome of calls as plain data. */
export function callsDocument(
  { service, calls, requests }: CallsResult,
  language: Language,
  form: Form = asTyped,
): CallsDocument {
  const said = calls.map(({ id, status, message }) => ({
    ...{ id, status },
    ...(message === null ? {} : { message: form(message)[language] }),
  }));
  return { service, calls: said, requests };
}

/** The checks of a service; what `catersheet check --json` prints. */
export interface CheckDocument {
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Whether workbooks can be imported here. */
  readonly ok: boolean;
  /** Each check, in the order in which they were made. */
  readonly checks: readonly {
    /** What was tried, in English. */
    readonly what: string;
    /** No import works without it. */
    readonly needed: boolean;
    /** Whether it went well. */
    readonly ok: boolean;
    /** What came of it, in the language of `lang`. */
    readonly found: string;
    /** The next step. */
    readonly advice?: string;
  }[];
}

/** The outcome of a check, to be shown. */
export interface CheckEnd {
  readonly service: string;
  readonly ok: boolean;
  readonly checks: readonly ServiceCheck[];
}

/** A check as plain data. */
export function checkDocument(
  { service, ok, checks }: CheckEnd,
  language: Language,
  form: Form = asTyped,
): CheckDocument {
  const said = checks.map(({ what, needed, ok, found, advice }) => ({
    ...{ what: what.en, needed, ok, found: form(found)[language] },
    ...(advice === null ? {} : { advice: form(advice)[language] }),
  }));
  return { service, ok, checks: said };
}

/** What a template holds; what `catersheet template --json` prints. */
export type TemplateDocument = Omit<WrittenTemplate, 'missing' | 'lookUp'> & {
  /** Lists that are missing from it, for which columns, and why. */
  readonly missing: readonly {
    /** The lookup by its name in the interface, such as `producttype`. */
    readonly lookup: string;
    /** The columns that go without a list, by their headers. */
    readonly columns: readonly string[];
    /** Why, in the language of `lang`. */
    readonly reason: string;
  }[];
  /** The rows of the sheet that tells what numbers stand for, 0 without one; with notes on what it lacks. */
  readonly lookUp: {
    /** Its rows, 0 without one. */
    readonly rows: number;
    /** What it lacks, in the language of `lang`. */
    readonly notes: readonly string[];
  };
};

/** A template as plain data. */
export function templateDocument(
  { file, sheets, lists, missing, lookUp }: WrittenTemplate,
  language: Language,
  form: Form = asTyped,
): TemplateDocument {
  const left = missing.map(({ lookup, columns, reason }) => ({
    ...{ lookup: lookup.name, columns, reason: form(reason)[language] },
  }));
  const notes = lookUp.notes.map((note) => form(note)[language]);
  return { file, sheets, lists, missing: left, lookUp: { rows: lookUp.rows, notes } };
}
