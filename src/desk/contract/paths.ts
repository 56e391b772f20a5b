/**
 * Every route of the desk, by its name: what the page asks of its server. What goes with each stands in asked.ts,
 * what comes back in answers.ts; this file holds no more, as the page takes it along.
 */
export const PATHS = {
  exchangeKey: 'POST /api/key',
  ticket: 'POST /api/ticket',
  home: 'GET /api/home',
  news: 'GET /api/news',
  chooseLanguage: 'POST /api/language',

  addFile: 'POST /api/files',
  sheets: 'GET /api/files/:file',
  chooseReading: 'POST /api/files/:file/reading',
  makePlan: 'POST /api/files/:file/plan',

  job: 'GET /api/jobs/:job',
  stopJob: 'POST /api/jobs/:job/stop',
  jobFile: 'GET /api/jobs/:job/file',

  listRuns: 'GET /api/runs',
  run: 'GET /api/runs/:run',
  rows: 'POST /api/runs/:run/rows',
  row: 'GET /api/runs/:run/row',
  next: 'POST /api/runs/:run/next',
  correct: 'POST /api/runs/:run/correct',
  correctSame: 'POST /api/runs/:run/same',
  decideAll: 'POST /api/runs/:run/decide-all',
  suggest: 'GET /api/runs/:run/suggest',
  dropRun: 'DELETE /api/runs/:run',
  send: 'POST /api/runs/:run/send',
  settle: 'POST /api/runs/:run/settle',
  takeBack: 'POST /api/runs/:run/take-back',
  result: 'GET /api/runs/:run/result',
  report: 'GET /api/runs/:run/report',

  exports: 'GET /api/exports',
  makeExport: 'POST /api/exports',
  makeFinance: 'POST /api/finance',
  makeTemplate: 'POST /api/templates',

  service: 'GET /api/service',
  saveService: 'POST /api/service',
  useProfile: 'POST /api/service/use',
  check: 'POST /api/service/check',
} as const;

/** The name of a route. */
export type RouteName = keyof typeof PATHS;

type PartsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PartsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What stands in the path of a route, by its name, such as `run`. */
export type ParamsOf<R extends RouteName> = Readonly<Record<PartsOf<(typeof PATHS)[R]>, string>>;

/** Holds the secret of the page's session, with every request. */
export const SESSION_HEADER = 'x-catersheet-session';

/** Names a ticket in the address of a file, which is followed without that header. */
export const TICKET = 'ticket';

/** What stands in an address. */
interface Addressed {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The method and address of a route. */
export function addressOf(route: RouteName, { params = {}, query = {} }: Addressed = {}): [string, string] {
  const [method = 'GET', path = '/'] = PATHS[route].split(' ');
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return [method, search === '' ? filled : `${filled}?${search}`];
}
