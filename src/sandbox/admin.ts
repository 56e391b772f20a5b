import { fieldErrors, type RawRequest } from './dispatch.ts';
import { type Faults, faultsSchema, type SandboxDialect } from './requests/options.ts';
import { json, notFound, type Reply, refused } from './requests/reply.ts';
import type { createRequestLog } from './requests/request-log.ts';
import { RECORD_KINDS, type Store } from './store/store.ts';

/** The settings of the service; its faults can be changed while it runs. */
interface LiveSettings {
  readonly dialect: SandboxDialect;
  faults: Faults;
}

/** What requests to the sandbox itself read and change. */
export interface AdminContext {
  readonly settings: LiveSettings;
  readonly log: ReturnType<typeof createRequestLog>;
  readonly store: Store;
}

/** The paths of the sandbox itself, which are no part of the service's interface. */
export const ADMIN_PREFIX = '/_sandbox/';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sets the faults that are sent, and leaves the others. */
function change({ body }: RawRequest, settings: LiveSettings): Reply {
  const sent = parsed(body.toString('utf8'));
  const object = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  const result = faultsSchema.safeParse(object ? { ...settings.faults, ...sent } : sent);
  if (!result.success) return refused(fieldErrors(result.error.issues, sent), 400);
  settings.faults = result.data;
  return json(settings.faults);
}

function dump(store: Store): Record<string, unknown> {
  const records = (kind: (typeof RECORD_KINDS)[number]) =>
    store.all(kind).map(({ id, lmt, values }) => ({ id, ...values, LMT: lmt }));
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, records(kind)]));
}

const ACTIONS: Readonly<Record<string, (request: RawRequest, managed: AdminContext) => Reply>> = {
  'GET faults': (_, { settings }) => json(settings.faults),
  'PUT faults': (request, { settings }) => change(request, settings),
  'GET log': (_, { log }) => json(log.report()),
  'DELETE log': (_, { log }) => {
    log.clear();
    return json({});
  },
  'GET dump': (_, { store }) => json(dump(store)),
};

/** Answers a request under `/_sandbox/`; `name` is what follows it in the path. */
export function administer(method: string, name: string, request: RawRequest, managed: AdminContext): Reply {
  const action = ACTIONS[`${method} ${name}`];
  return action === undefined
    ? notFound(`Onbekende route: ${method} ${ADMIN_PREFIX}${name}.`)
    : action(request, managed);
}
