import type {
  AnswerKnobs,
  ClockKnobs,
  Failure,
  Knobs,
  SpeedKnobs,
  ValueKnobs,
} from '../../second-service/knobs.ts';
import { Random } from '../../second-service/random.ts';
import type { Received } from '../../second-service/types.ts';
import { type Draws, hashed } from './draws.ts';

const DAY = 86_400_000;

/** How a service is in one round, and what the program is told about it. */
export interface DrawnService {
  readonly knobs: {
    readonly clock: Partial<ClockKnobs>;
    readonly speed: Partial<SpeedKnobs>;
    readonly answers: Partial<AnswerKnobs>;
    readonly values: Partial<ValueKnobs>;
  };
  readonly choose: Knobs['failures']['choose'];
  /** What is lost and when, in words. */
  readonly failures: string;
  readonly jump: { readonly atWrite: number; readonly ms: number } | undefined;
  readonly dialect: 'update' | 'create' | 'never';
  /** Seconds until a write that was given up can no longer appear. */
  readonly doubt: number;
  readonly timeout: number;
  readonly concurrency: number;
}

/** Draws a service. */
export function drawService(draws: Draws): DrawnService {
  const run = draws.random('run');
  const doubt = run.pick([1, 1, 2.5]);
  const lag = lagOf(draws, doubt);
  const { values, dialect } = keysOf(draws);
  const { choose, told, timeout } = failuresOf(draws, doubt * 700 - (lag.lagMs ?? 0));
  const jump = draws.random('jump');
  return {
    knobs: {
      clock: { ...clockOf(draws), ...hiddenOf(draws).clock },
      speed: lag,
      answers: { ...(draws.has('shapes') && shapesOf(draws.random('shapes'))), ...hiddenOf(draws).answers },
      values: { ...values, ...valuesOf(draws), ...idsOf(draws), ...columnsOf(draws) },
    },
    choose,
    failures: told,
    jump: draws.has('jump')
      ? {
          atWrite: 1 + Math.floor(jump.between(0, 12)),
          ms: jump.pick([-DAY, -7_200_000, -30_000, 45_000, DAY]),
        }
      : undefined,
    ...{ dialect, doubt, timeout },
    concurrency: run.pick([1, 4, 8]),
  };
}

function clockOf(draws: Draws): Partial<ClockKnobs> {
  const [skew, resolution, lmt] = ['skew', 'resolution', 'lmt'].map((name) => draws.random(name)) as [
    Random,
    Random,
    Random,
  ];
  return {
    ...(draws.has('skew') && {
      skewMs: skew.pick([-300 * DAY, -DAY, -660_000, -60_000, -5_000, 5_000, 660_000, DAY]),
      zone: skew.pick<ClockKnobs['zone']>(['UTC', 'Europe/Amsterdam', 330, -480]),
    }),
    ...(draws.has('resolution') && {
      resolution: resolution.pick(['ms', 's', 'min']),
      fraction: resolution.pick(['always', 'never', 'detail only']),
      compare: resolution.pick(['exclusive', 'inclusive']),
      compareTo: resolution.pick(['ms', 's', 'min', 'day']),
      linkMovesEvent: resolution.chance(0.5),
    }),
    ...(draws.has('lmt') && {
      lmt: lmt.pick(['present', 'null', 'empty', 'absent']),
      hiddenCompare: lmt.pick(['internal', 'all']),
      moves: lmt.pick(['always', 'on change', 'never']),
    }),
  };
}

function lagOf(draws: Draws, doubt: number): { lagMs?: number; detailLags?: boolean } {
  if (!draws.has('lag')) return {};
  const random = draws.random('lag');
  return { lagMs: Math.round(random.between(50, doubt * 350)), detailLags: random.chance(0.3) };
}

/** Lists that leave records out without a word. */
function hiddenOf(draws: Draws): { answers: Partial<AnswerKnobs>; clock: Partial<ClockKnobs> } {
  if (!draws.has('hidden')) return { answers: {}, clock: {} };
  const random = draws.random('hidden');
  return {
    answers: { inactiveInLists: random.chance(0.4) },
    clock: random.chance(0.4) ? { lmt: random.pick(['null', 'absent']), hiddenCompare: 'none' } : {},
  };
}

const isQuiet = (draws: Draws): boolean =>
  !(['lost', 'late', 'gateway', 'kill'] as const).some((group) => draws.has(group));

/** What becomes of values by the columns they are kept in. */
function columnsOf(draws: Draws): Partial<ValueKnobs> {
  return {
    ...(draws.has('ignored') && {
      ignored: draws
        .random('ignored')
        .pick([['Volume'], ['OmschrijvingExtern', 'Offertetekst'], ['AantalGasten'], ['RetourRit', 'OPK']]),
    }),
    // A late or repeated update that clears undoes what was put back after it.
    ...(draws.has('clears') && isQuiet(draws) && { updateClears: true }),
    ...(draws.has('bits') && { integers: '32 bits' as const }),
    ...(draws.has('zone') && { shiftMinutes: draws.random('zone').pick([60, -60, 120, 330]) }),
  };
}

function keysOf(draws: Draws): { values: Partial<ValueKnobs>; dialect: DrawnService['dialect'] } {
  if (!draws.has('keys')) return { values: {}, dialect: 'update' };
  const random = draws.random('keys');
  const externalId = random.pick<'kept' | 'created' | 'updated' | 'never'>([
    'kept',
    'created',
    'updated',
    'never',
  ]);
  const fits = { kept: 'create', created: 'create', updated: 'update', never: 'never' } as const;
  const dialect = random.chance(0.85) ? fits[externalId] : 'update';
  return {
    values: {
      externalId,
      externalIdUnique: random.pick<ValueKnobs['externalIdUnique']>([false, false, 409, 422]),
    },
    dialect,
  };
}

function valuesOf(draws: Draws): Partial<ValueKnobs> {
  const [numbers, texts, moments, nothing] = ['numbers', 'texts', 'moments', 'nothing'].map((name) =>
    draws.random(name),
  ) as [Random, Random, Random, Random];
  return {
    ...(draws.has('numbers') && {
      rounding: numbers.pick(['half up', 'half even', 'truncate', 'exact']),
      places: numbers.pick([2, 1, 0]),
      noise: numbers.chance(0.3),
      floats: numbers.pick(['double', 'double', 'single']),
    }),
    ...(draws.has('texts') && oneTextHabit(texts)),
    ...(draws.has('moments') && { datetimes: moments.pick(['seconds', 'minutes', 'days']) }),
    ...(draws.has('nothing') && { emptyAsNull: nothing.chance(0.5), zeroAsNull: nothing.chance(0.5) }),
  };
}

function oneTextHabit(random: Random): Partial<ValueKnobs> {
  return {
    ...random.pick<Partial<ValueKnobs>>([
      { trim: true },
      { foldBlanks: true },
      { cutAt: 10 },
      { cutAt: 30 },
      { escapeHtml: true },
      { stripTags: true },
      { lineEnds: '\r\n' },
      { lineEnds: '\n' },
      { normalise: 'NFC' },
      { normalise: 'NFD' },
      { upperCase: true },
      { characters: 'no four bytes: ?' },
      { characters: 'latin1: ?' },
      { trim: true, escapeHtml: true, cutAt: 20 },
    ]),
  };
}

function idsOf(draws: Draws): Partial<ValueKnobs> {
  if (!draws.has('ids')) return {};
  const random = draws.random('ids');
  return {
    newIds: random.pick(['gaps', 'random', 'reused']),
    linkTwice: random.pick(['second record', 'overwrites', 'refused']),
    linkId: random.pick(['own', 'ArrangementID']),
    deletes: random.pick(['gone', 'flagged']),
  };
}

function shapesOf(random: Random): Partial<AnswerKnobs> {
  return {
    lists: random.pick(['array', 'single when one', 'data']),
    otherLists: random.pick(['array', 'single when one', 'data']),
    // Not 404: a list that is not found stops a run before anything is sent, as its address may be wrong.
    none: random.pick(['empty', 'null', 'empty', '{}', '[]']),
    detail: random.pick(['bare', 'data', 'array']),
    missing: random.pick(['404 json', '404 html', 'null', '[]', '{}']),
    ids: random.pick(['number', 'string', 'mixed', 'strings in lists']),
    flags: random.pick(['boolean', 'number', 'string', 'mixed', 'strings in lists']),
    numbers: random.pick(['number', 'string', 'fixed', 'mixed', 'strings in lists']),
    noNumber: random.pick([null, '', 0]),
    noText: random.pick([null, '']),
    noExternalId: random.pick([null, '', 0, '0']),
    refusal: random.pick(['422', '400', '200 success false', '200 id 0']),
    extraMembers: random.chance(0.5),
    order: random.pick(['as listed', 'sorted', 'reversed', 'mixed']),
    success: random.pick<AnswerKnobs['success']>([true, 1, 'true']),
    pageSize: random.pick([3, 10, 50]),
    listOrder: random.pick(['id', 'id descending', 'LMT']),
    page: random.pick(['array', 'bare']),
    whole: random.pick(['records', 'array with data', 'data', 'refused', 'pages']),
    links: random.pick(['absolute', 'relative']),
    gzip: random.pick<AnswerKnobs['gzip']>([false, 'when accepted', 'always']),
    bom: random.chance(0.3),
    keepAlive: random.pick(['kept', 'kept', 'closed', 'silently closed']),
    headerCase: random.pick(['title', 'lower', 'upper']),
  };
}

interface Chance {
  readonly share: number;
  readonly writes: boolean;
  readonly failure: (random: Random) => Failure;
}

/** What fails: by what is asked and the how manieth time, so that the order of requests changes nothing. */
function failuresOf(
  draws: Draws,
  latest: number,
): { choose: DrawnService['choose']; told: string; timeout: number } {
  const chances: Chance[] = [];
  const [lost, late, gateway] = ['lost', 'late', 'gateway'].map((name) => draws.random(name)) as [
    Random,
    Random,
    Random,
  ];
  const hangs = draws.has('lost') && lost.chance(0.1);
  if (draws.has('lost')) {
    const share = lost.between(0.03, 0.15);
    const ways = ['after', 'half', 'before'] as const;
    const failure = (random: Random): Failure =>
      hangs && random.chance(0.3)
        ? { kind: 'hang', when: random.pick(['before', 'after']) }
        : { kind: 'reset', when: random.pick(ways), how: random.pick(['RST', 'FIN']) };
    chances.push({ share, writes: false, failure });
    chances.push({ share: share / 6, writes: true, failure: oddAnswer });
  }
  if (draws.has('late')) {
    const failure = (random: Random): Failure => {
      const giveUp = random.pick<'RST' | 'FIN' | number>(['RST', 'FIN', 504, 502, 500]);
      return { kind: 'late', giveUp, commitAfterMs: Math.round(random.between(20, latest)) };
    };
    chances.push({ share: late.between(0.03, 0.15), writes: true, failure });
  }
  if (draws.has('gateway')) {
    const status = gateway.pick([503, 408, 425]);
    const retryAfter = gateway.pick([undefined, 0, 1]);
    const failure = (random: Random): Failure => {
      const when = random.pick(['before', 'after'] as const);
      return { kind: 'status', status, when, ...(retryAfter === undefined ? {} : { retryAfter }) };
    };
    chances.push({ share: gateway.between(0.03, 0.12), writes: true, failure });
  }
  const told = chances.map(({ share, writes }) => `${share.toFixed(3)}${writes ? ' of writes' : ''}`);
  return { choose: chooser(draws.seed, chances), told: told.join(' + '), timeout: hangs ? 1200 : 20_000 };
}

function oddAnswer(random: Random): Failure {
  const when = random.pick(['before', 'after'] as const);
  return random.pick<Failure>([
    { kind: 'empty 200', when },
    { kind: 'login page', when },
    { kind: 'status', status: 500, when },
  ]);
}

function chooser(seed: number, chances: readonly Chance[]): DrawnService['choose'] {
  const seen = new Map<string, number>();
  return (request: Received) => {
    const asked = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
    const times = (seen.get(asked) ?? 0) + 1;
    seen.set(asked, times);
    for (const [at, { share, writes, failure }] of chances.entries()) {
      if (writes && !request.write) continue;
      const random = new Random(hashed(`${seed} ${at} ${times} ${asked}`));
      if (random.chance(share)) return failure(random);
    }
    return undefined;
  };
}
