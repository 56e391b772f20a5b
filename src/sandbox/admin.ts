import type { z } from 'zod';
import { fieldErrors, type RawRequest } from './dispatch.ts';
import {
  dialectChanges,
  type Faults,
  faultChanges,
  type SandboxDialect,
  withChanges,
} from './requests/options.ts';
import { json, notFound, type Reply, refused } from './requests/reply.ts';
import type { RequestLog } from './requests/request-log.ts';
import { RECORD_KINDS, type Store } from './store/store.ts';

/** The settings that can be changed while the service runs. */
export interface LiveSettings {
  dialect: SandboxDialect;
  faults: Faults;
}

export interface AdminContext {
  readonly settings: LiveSettings;
  readonly log: RequestLog;
  readonly store: Store;
}

/** Where the sandbox itself is watched and set; no part of the service's interface. */
export const ADMIN_PREFIX = '/_sandbox/';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function change<Changes>(
  schema: z.ZodType<Changes>,
  request: RawRequest,
  apply: (changes: Changes) => unknown,
): Reply {
  const sent = parsed(request.body.toString('utf8'));
  const result = schema.safeParse(sent);
  return result.success ? json(apply(result.data)) : refused(fieldErrors(result.error.issues, sent));
}

function dump(store: Store): Record<string, unknown> {
  const records = (kind: (typeof RECORD_KINDS)[number]) =>
    store.all(kind).map(({ id, lmt, values }) => ({ id, ...values, LMT: lmt }));
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, records(kind)]));
}

/** `?writes` looks at the writes alone, `?summary` leaves the single requests out. */
function reportLog({ query }: RawRequest, log: RequestLog): Reply {
  const { requests, ...summary } = log.report(query.has('writes'));
  return json(query.has('summary') ? summary : { requests, ...summary });
}

type Action = (request: RawRequest, managed: AdminContext) => Reply;

const ACTIONS: Readonly<Record<string, Action>> = {
  'GET faults': (_, { settings }) => json(settings.faults),
  'PUT faults': (request, { settings }) =>
    change(faultChanges, request, (changes) => {
      settings.faults = withChanges(settings.faults, changes);
      return settings.faults;
    }),
  'GET dialect': (_, { settings }) => json(settings.dialect),
  'PUT dialect': (request, { settings }) =>
    change(dialectChanges, request, (changes) => {
      settings.dialect = withChanges(settings.dialect, changes);
      return settings.dialect;
    }),
  'GET log': (request, { log }) => reportLog(request, log),
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
