import { onTestFinished } from 'vitest';
import type { ImportWorkbookOptions } from '../../src/index.ts';
import type { RunningSandbox, SandboxSettings } from '../../src/sandbox/options.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { type Gate, openGate } from './gate.ts';
import { type CliOptions, type CliResult, runCli, tempFolder } from './run-cli.ts';

/** What the sandbox saw. */
export interface RequestLog {
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly endpoint: string | null;
    readonly status: number | null;
    /** When it arrived, ms, and how long it took. */
    readonly at: number;
    readonly ms: number;
  }[];
}

type DumpRecord = Readonly<Record<string, unknown>>;

/** A service, a folder and a program: what one test works with. */
export interface TestService {
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  /** Runs the program against this service, with a ledger and log of its own. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** The same with `--json=all`, parsed. */
  runJson(
    args: readonly string[],
    options?: CliOptions,
  ): Promise<{ code: number | null; document: ImportDocument; stderr: string }>;
  log(): Promise<RequestLog>;
  clearLog(): Promise<void>;
  faults(faults: object): Promise<void>;
  /** All records of a kind as the service holds them. */
  records(kind: string): Promise<DumpRecord[]>;
  /** One request of the interface, past the program. */
  request(method: string, path: string, body?: object): Promise<unknown>;
}

/** A service behind a gate, which lets a test say how far a run comes. */
export interface GatedService extends TestService {
  readonly gate: Gate;
}

export interface ImportDocument {
  readonly run: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly sheets: readonly {
    readonly sheet: string;
    readonly resource: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly notes?: readonly string[];
  }[];
  readonly notes?: readonly string[];
  readonly rows: readonly {
    readonly sheet: string;
    readonly row: number;
    readonly status: string;
    readonly id?: number;
    readonly message?: string;
    readonly issues?: readonly {
      readonly code: string;
      readonly cell: string | null;
      readonly severity: string;
      readonly message: string;
    }[];
  }[];
  readonly requests: number;
  readonly result: string;
}

/** How long a write without an answer is looked for in tests, s: longer than any that the sandbox does late. */
const DOUBT = 1;

/** What is the same in every import of a test: the service, files in its folder, and every row in the answer. */
export function optionsFor<More extends ImportWorkbookOptions = object>(
  { folder, url, token }: Pick<TestService, 'folder' | 'url' | 'token'>,
  more?: More,
) {
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log`, out: `${folder}/r.xlsx` };
  return {
    baseUrl: url,
    token,
    ...files,
    doubt: DOUBT,
    lang: 'en',
    allRows: true,
    ...(more as More),
  } as const;
}

/** Commands that send rows look as long as a test's own imports do. */
function inShort(args: readonly string[]): readonly string[] {
  const sends = ['import', 'apply', 'undo'].includes(args[0] ?? '') && !args.includes('--doubt');
  return sends ? [...args, '--doubt', String(DOUBT)] : args;
}

/** Starts a sandbox in memory. */
export async function startTestSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  return await createSandbox(settings);
}

/** Starts a sandbox in memory for one test and ends it with the test. */
export async function openTestService(settings: SandboxSettings = {}): Promise<TestService> {
  const sandbox = await startTestSandbox(settings);
  onTestFinished(() => sandbox.close());
  return serviceAt(sandbox, sandbox.url);
}

/** The same, and programs reach it through a gate. */
export async function openGatedService(settings: SandboxSettings = {}): Promise<GatedService> {
  const sandbox = await startTestSandbox(settings);
  onTestFinished(() => sandbox.close());
  const gate = await openGate(sandbox.url);
  return { ...serviceAt(sandbox, gate.url), gate };
}

/** What a test works with; programs find the sandbox at `url`, the test itself looks past that. */
function serviceAt(sandbox: RunningSandbox, url: string): TestService {
  const folder = tempFolder();
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' };
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(new URL(path, sandbox.url), init);
    const text = await response.text();
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
  const own = { CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: sandbox.token, CATERSHEET_HOME: folder };
  const run: TestService['run'] = (args, options = {}) =>
    runCli(inShort(args), { cwd: folder, ...options, env: { ...own, ...options.env } });
  return {
    folder,
    url,
    token: sandbox.token,
    run,
    request,
    async runJson(args, options) {
      const { code, stdout, stderr } = await run([...args, '--json=all'], options);
      if (stdout === '') throw new Error(`no document; exit ${code}: ${stderr}`);
      const document = JSON.parse(stdout) as ImportDocument & { readonly exit?: number };
      // Whatever a test is about: the document says what the command ends with.
      if ((document.exit ?? code) !== code)
        throw new Error(`exit ${code}, and ${document.exit} in the document`);
      return { code, document, stderr };
    },
    log: async () => (await request('GET', '_sandbox/log')) as RequestLog,
    clearLog: async () => void (await request('DELETE', '_sandbox/log')),
    faults: async (faults) => void (await request('PUT', '_sandbox/faults', faults)),
    records: async (kind) =>
      ((await request('GET', '_sandbox/dump')) as Record<string, DumpRecord[]>)[kind] ?? [],
  };
}
