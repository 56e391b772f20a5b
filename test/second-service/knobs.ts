import type { Kind, Received, Value } from './types.ts';

/** One thing that goes wrong with one request; `when` says whether the work was done before. */
export type Failure =
  | { kind: 'reset'; when: 'before' | 'after' | 'half'; how?: 'RST' | 'FIN' }
  | {
      kind: 'status';
      status: number;
      when: 'before' | 'after';
      retryAfter?: string | number;
      body?: 'html' | 'empty';
    }
  | { kind: 'empty 200'; when: 'before' | 'after' }
  | { kind: 'login page'; when: 'before' | 'after' }
  | { kind: 'redirect'; when: 'before' | 'after'; status?: number; to?: string }
  | { kind: 'hang'; when: 'before' | 'after' }
  /** An answer of the test's own making, such as a success that was none. */
  | { kind: 'answer'; when: 'before' | 'after'; status: number; body: unknown }
  | { kind: 'trickle'; bytes: number; everyMs: number }
  /** Given up first, done `commitAfterMs` later. */
  | { kind: 'late'; giveUp: 'RST' | 'FIN' | 'hang' | number; commitAfterMs: number };

/** A failure with the share of requests it befalls, and which ones it can befall (default: each). */
export interface MixedFailure {
  probability: number;
  failure: Failure;
  match?: (request: Received) => boolean;
}

/** Milliseconds: fixed, or between two bounds. */
export type Duration = number | readonly [number, number];

/** One value for each kind of record, or one for all. */
export type ByKind<T extends string> = T | { readonly [K in Kind]?: T };

/** The clock the service's LMT is written by. */
export interface ClockKnobs {
  skewMs: number;
  /** A zone, or minutes east of UTC. */
  zone: 'UTC' | 'Europe/Amsterdam' | number;
  resolution: 'ms' | 's' | 'min';
  fraction: 'always' | 'never' | 'detail only';
  lmt: 'present' | 'null' | 'empty' | 'absent';
  /** Which updates move LMT: each, those that change a value, or none. */
  moves: 'always' | 'on change' | 'never';
  compare: 'exclusive' | 'inclusive';
  /** How much of both times is looked at when they are compared. */
  compareTo: 'ms' | 's' | 'min' | 'day';
  /** What allModified and allByLMT compare with where no LMT is shown. */
  hiddenCompare: 'internal' | 'all';
  linkMovesEvent: boolean;
}

/** How long things take. */
export interface SpeedKnobs {
  /** Before the work is done. */
  beforeMs: Duration;
  /** Between the work and its answer. */
  afterMs: Duration;
  /** Lists and lookups show a write only this long after it was committed. */
  lagMs: number;
  detailLags: boolean;
  /** What becomes of a request whose sender hung up before the work was begun. */
  clientGone: 'done' | 'not done';
}

/** What goes wrong. */
export interface FailureKnobs {
  choose: ((request: Received) => Failure | undefined) | undefined;
  mix: readonly MixedFailure[];
}

/** One way for all answers, another one for each answer, or strings in lists alone. */
type Mixed<T> = T | 'mixed' | 'strings in lists';

/** The shapes of answers that the interface document leaves open. */
export interface AnswerKnobs {
  /** Event lists. */
  lists: 'array' | 'single when one' | 'data';
  /** Lists of links and trips. */
  otherLists: 'array' | 'single when one' | 'data';
  /** How members of lookup records are called: by their own names, id and name, or ID and Omschrijving. */
  lookupNames: 'own' | 'plain' | 'Dutch';
  none: 'empty' | 'null' | '{}' | '[]';
  detail: 'bare' | 'data' | 'array';
  missing: '404 json' | '404 html' | 'null' | '[]' | '{}';
  ids: Mixed<'number' | 'string'>;
  flags: Mixed<'boolean' | 'number' | 'string'>;
  numbers: Mixed<'number' | 'string' | 'fixed'>;
  noNumber: null | '' | 0;
  noText: null | '';
  noExternalId: null | '' | 0 | '0';
  refusal: '422' | '400' | '200 success false' | '200 id 0';
  extraMembers: boolean;
  order: 'as listed' | 'sorted' | 'reversed' | 'mixed';
  success: true | 1 | 'true';
  pageSize: number;
  /** Lists of events, links and trips end here, without a word. */
  listCap: number | undefined;
  /** Whether lists show products that are not active and trips that are deleted. */
  inactiveInLists: boolean;
  listOrder: 'id' | 'id descending' | 'LMT';
  /** A page as an array with one element, as shown, or as that element alone. */
  page: 'array' | 'bare';
  whole: 'records' | 'array with data' | 'data' | 'refused' | 'pages';
  links: 'absolute' | 'other host' | 'other scheme' | 'relative';
  gzip: false | 'when accepted' | 'always';
  bom: boolean;
  /** Silently closed: the answer promises to keep the connection, which is closed all the same. */
  keepAlive: 'kept' | 'closed' | 'silently closed';
  headerCase: 'title' | 'lower' | 'upper';
}

/** What the service makes of the values it is sent. */
export interface ValueKnobs {
  rounding: 'exact' | 'half up' | 'half even' | 'truncate';
  places: number;
  /** Which fields are rounded (default: the prices). */
  roundedFields: readonly string[];
  noise: boolean;
  /** Single floats make 10.1 into 10.100000381469727. */
  floats: 'double' | 'single';
  trim: boolean;
  foldBlanks: boolean;
  /** Characters a text is cut at: all texts, or by field. */
  cutAt: number | Readonly<Record<string, number>> | undefined;
  escapeHtml: boolean;
  stripTags: boolean;
  /** What becomes of characters that a column can't hold: four-byte ones, or all beyond latin1. */
  characters: 'all' | 'no four bytes: ?' | 'latin1: ?';
  lineEnds: 'as sent' | '\r\n' | '\n';
  normalise: 'as sent' | 'NFC' | 'NFD';
  upperCase: boolean;
  emptyAsNull: boolean;
  zeroAsNull: boolean;
  integers: 'exact' | '32 bits';
  /** Fields not stored. */
  ignored: readonly string[];
  updateClears: boolean;
  externalId: ByKind<'kept' | 'created' | 'updated' | 'never'>;
  /** A second record with the same external id: made, or refused. */
  externalIdUnique: false | 409 | 422;
  checkReferences: boolean;
  /** How much of a datetime is stored. */
  datetimes: 'as sent' | 'seconds' | 'minutes' | 'days';
  shiftMinutes: number;
  /** What else it makes of a value that it stores. */
  makes: ((name: string, value: Value) => Value) | undefined;
  deletes: 'gone' | 'flagged';
  /** Reused: the highest id is given again once its record was deleted. */
  newIds: 'ascending' | 'gaps' | 'random' | 'reused';
  /** What linking a package that is linked already does. */
  linkTwice: 'second record' | 'overwrites' | 'refused';
  linkId: 'own' | 'ArrangementID';
}

/** Everything about the service that can be otherwise. */
export interface Knobs {
  /** What the random generator starts from. */
  seed: number;
  token: string;
  /** What is there at the start: the whole small company, its lookups alone, or nothing. */
  company: 'whole' | 'lookups' | 'none';
  clock: ClockKnobs;
  speed: SpeedKnobs;
  failures: FailureKnobs;
  answers: AnswerKnobs;
  values: ValueKnobs;
}

/** Knobs to change, group by group; what is not named stays as it is. */
export type KnobChanges = {
  [G in keyof Knobs]?: Knobs[G] extends object ? Partial<Knobs[G]> : Knobs[G];
};

/** The knobs of a service without any peculiarity. */
export function plainKnobs(): Knobs {
  return {
    seed: 1,
    token: 'second-service-token',
    company: 'whole',
    clock: {
      skewMs: 0,
      zone: 'UTC',
      resolution: 'ms',
      fraction: 'always',
      lmt: 'present',
      moves: 'always',
      compare: 'exclusive',
      compareTo: 'ms',
      hiddenCompare: 'internal',
      linkMovesEvent: false,
    },
    speed: { beforeMs: 0, afterMs: 0, lagMs: 0, detailLags: false, clientGone: 'done' },
    failures: { choose: undefined, mix: [] },
    answers: {
      lists: 'array',
      otherLists: 'array',
      lookupNames: 'own',
      none: 'empty',
      detail: 'bare',
      missing: '404 json',
      ids: 'number',
      flags: 'boolean',
      numbers: 'number',
      noNumber: null,
      noText: null,
      noExternalId: null,
      refusal: '422',
      extraMembers: false,
      order: 'as listed',
      success: true,
      pageSize: 50,
      listCap: undefined,
      inactiveInLists: true,
      listOrder: 'id',
      page: 'array',
      whole: 'records',
      links: 'absolute',
      gzip: false,
      bom: false,
      keepAlive: 'kept',
      headerCase: 'title',
    },
    values: {
      rounding: 'exact',
      places: 2,
      roundedFields: ['Verkoopprijs', 'VerkoopPrijs', 'Kostprijs'],
      noise: false,
      floats: 'double',
      trim: false,
      foldBlanks: false,
      cutAt: undefined,
      escapeHtml: false,
      stripTags: false,
      characters: 'all',
      lineEnds: 'as sent',
      normalise: 'as sent',
      upperCase: false,
      emptyAsNull: false,
      zeroAsNull: false,
      integers: 'exact',
      ignored: [],
      updateClears: false,
      externalId: 'kept',
      externalIdUnique: false,
      checkReferences: false,
      datetimes: 'as sent',
      shiftMinutes: 0,
      makes: undefined,
      deletes: 'gone',
      newIds: 'ascending',
      linkTwice: 'second record',
      linkId: 'own',
    },
  };
}

/** Changes knobs in place, so that everyone who holds them sees the change. */
export function turn(knobs: Knobs, changes: KnobChanges): void {
  for (const [group, change] of Object.entries(changes)) {
    if (change === undefined) continue;
    const held = knobs[group as keyof Knobs];
    if (typeof held === 'object') Object.assign(held, change);
    else Object.assign(knobs, { [group]: change });
  }
}

/** The knob's value for one kind of record. */
export function forKind<T extends string>(knob: ByKind<T>, kind: Kind, otherwise: T): T {
  return typeof knob === 'string' ? knob : (knob[kind] ?? otherwise);
}
