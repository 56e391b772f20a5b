import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Forked } from './forked.ts';
import { mutant } from './mutant.ts';
import type { Seed } from './seeds.ts';

const READER = join(import.meta.dirname, 'reader.mjs');
/** A reader process is replaced after so many files, so that its peak memory belongs to few. */
const FILES_PER_READER = 400;
/** Seconds of work that a file may cost, and megabytes that a reader may ever hold. */
const MOST_SECONDS = 5;
const MOST_MEGABYTES = 400;

/** What came of one file. */
export interface FileReport {
  readonly file: string;
  readonly rows?: number;
  readonly exit?: number;
  readonly message?: { readonly en: string; readonly nl: string };
  readonly next?: { readonly en: string; readonly nl: string };
  readonly crash?: string;
  readonly cpuMs: number;
  readonly ms: number;
  readonly megabytes: number;
}

/** What came of all. */
export interface FuzzReport {
  readonly files: number;
  /** `read`, `refused` and what was wrong, with their counts. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly slowest: { readonly name: string; readonly seconds: number };
  readonly megabytes: number;
  /** What is wrong, with where the file is kept. */
  readonly faults: readonly string[];
}

/** What is asked for; a file's content follows from `seed` and its number. */
export interface FuzzRequest {
  readonly seeds: readonly Seed[];
  readonly seed: number;
  readonly from?: number;
  readonly files: number;
  readonly readers: number;
  /** Sees some of the files while they are there. */
  readonly also?: (file: string, index: number) => Promise<string | undefined>;
}

const SENTENCE = /^[A-ZÀ-Ý][^\n]{5,400}\.$/;

/** What is wrong with an outcome; undefined when nothing is. */
export function faultOf(report: FileReport): string | undefined {
  const { crash, exit, message, next, cpuMs, megabytes } = report;
  if (crash !== undefined) return `crash: ${crash}`;
  if (cpuMs > MOST_SECONDS * 1000) return `slow: ${Math.round(cpuMs)} ms`;
  if (megabytes > MOST_MEGABYTES) return `memory: ${Math.round(megabytes)} MB`;
  if (exit === undefined) return undefined;
  const words = [message?.en, message?.nl, next?.en, next?.nl];
  if (exit !== 3) return `exit ${exit}: ${message?.en}`;
  return words.every((text) => text !== undefined && SENTENCE.test(text))
    ? undefined
    : `words: ${JSON.stringify(words).slice(0, 600)}`;
}

/** Reads mutated files in processes of their own and reports what came of them; files at fault are kept. */
export async function runMutants({
  seeds,
  seed,
  from = 0,
  files,
  readers,
  also,
}: FuzzRequest): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-fuzz-'));
  const kept = join(tmpdir(), 'catersheet-fuzz-faults');
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  let slowest = { name: '', seconds: 0 };
  let megabytes = 0;
  let index = from;
  const note = (name: string, kind: string): void => {
    const [what = ''] = kind.split(':');
    outcomes[what] = (outcomes[what] ?? 0) + 1;
    if (kind === what) return;
    mkdirSync(kept, { recursive: true });
    const place = join(kept, `${seed}-${name}`);
    copyFileSync(join(folder, name), place);
    faults.push(`seed ${seed}, ${place}: ${kind}`);
  };
  const lane = async (): Promise<void> => {
    let reader: Forked<FileReport> | undefined;
    while (index < from + files) {
      const own = index++;
      const { bytes, name } = await mutant(seeds, seed, own);
      const file = join(folder, name);
      writeFileSync(file, bytes);
      if (reader === undefined || reader.ended || reader.done >= FILES_PER_READER) {
        reader?.end();
        reader = new Forked(READER, { execArgv: [`--max-old-space-size=${MOST_MEGABYTES}`] });
      }
      // Other work on the machine may hold a file up; what it costs itself is judged by the time of the processor.
      const report = await reader.ask(file, MOST_SECONDS * 4);
      if (typeof report === 'string') note(name, report);
      else {
        note(name, faultOf(report) ?? (report.exit === undefined ? 'read' : 'refused'));
        if (report.cpuMs > slowest.seconds * 1000) slowest = { name, seconds: report.cpuMs / 1000 };
        megabytes = Math.max(megabytes, report.megabytes);
      }
      const wrong = await also?.(file, own);
      if (wrong !== undefined) note(name, wrong);
      rmSync(file);
    }
    reader?.end();
  };
  try {
    await Promise.all(Array.from({ length: readers }, lane));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { files, outcomes, slowest, megabytes, faults };
}
