/**
 * Every route of the desk, by its name: what the page asks of its server. What goes with each stands in
 * routes.ts under the same name; this file holds no more, as the page takes it along.
 */
export const PATHS = {
  exchangeKey: 'POST /api/key',
  ticket: 'POST /api/ticket',
  home: 'GET /api/home',
  events: 'GET /api/events',
  chooseLanguage: 'POST /api/language',

  addFile: 'POST /api/files',
  listDrafts: 'GET /api/drafts',
  draft: 'GET /api/drafts/:draft',
  dropDraft: 'DELETE /api/drafts/:draft',
  sheets: 'GET /api/drafts/:draft/sheets',
  chooseReading: 'POST /api/drafts/:draft/reading',
  makePlan: 'POST /api/drafts/:draft/plan',
  plan: 'GET /api/drafts/:draft/plan',
  planRows: 'POST /api/drafts/:draft/rows',
  planRow: 'GET /api/drafts/:draft/row',
  correct: 'POST /api/drafts/:draft/correct',
  correctSame: 'POST /api/drafts/:draft/same',
  decideAll: 'POST /api/drafts/:draft/decide-all',
  suggest: 'GET /api/drafts/:draft/suggest',
  send: 'POST /api/drafts/:draft/send',
  again: 'POST /api/drafts/:draft/again',

  documents: 'GET /api/drafts/:draft/documents',
  addDocument: 'POST /api/drafts/:draft/documents',
  dropDocument: 'DELETE /api/drafts/:draft/documents/:document',
  invoices: 'GET /api/drafts/:draft/invoices',
  invoicesZip: 'GET /api/drafts/:draft/invoices-zip',
  invoice: 'GET /api/drafts/:draft/invoices/:invoice',

  listJobs: 'GET /api/jobs',
  job: 'GET /api/jobs/:job',
  stopJob: 'POST /api/jobs/:job/stop',
  jobFile: 'GET /api/jobs/:job/file',

  listRuns: 'GET /api/runs',
  run: 'GET /api/runs/:run',
  runRows: 'POST /api/runs/:run/rows',
  runRow: 'GET /api/runs/:run/row',
  goOn: 'POST /api/runs/:run/go-on',
  settle: 'POST /api/runs/:run/settle',
  takeBack: 'POST /api/runs/:run/take-back',
  result: 'GET /api/runs/:run/result',
  report: 'GET /api/runs/:run/report',

  workers: 'GET /api/workers',

  lookAtOrders: 'POST /api/orders/known',
  makeOrders: 'POST /api/orders',
  makeRefresh: 'POST /api/refresh',

  exports: 'GET /api/exports',
  addNamed: 'POST /api/exports/named',
  makeExport: 'POST /api/exports',
  makeFinance: 'POST /api/finance',
  makeTemplate: 'POST /api/templates',

  service: 'GET /api/service',
  check: 'POST /api/service/check',
  useProfile: 'POST /api/service/use',
  saveProfile: 'POST /api/service/profiles',
  dropProfile: 'DELETE /api/service/profiles/:profile',
  chooseLists: 'POST /api/service/lists',
} as const;

/** The name of a route. */
export type RouteName = keyof typeof PATHS;

type PartsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PartsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What stands in the path of a route, by its name, such as `draft`. */
export type ParamsOf<R extends RouteName> = Readonly<Record<PartsOf<(typeof PATHS)[R]>, string>>;

/** Holds the secret of the page's session, with every request. */
export const SESSION_HEADER = 'x-catersheet-session';

/** Names a ticket in an address that is followed without that header: a file, a stream. */
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
  const words = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    words.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return [method, search === '' ? filled : `${filled}?${search}`];
}
