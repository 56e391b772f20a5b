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
import { type Draws, type Group, hashed } from './draws.ts';

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

/** What a group draws, where it is out of the ordinary. */
function drawn<T extends object>(draws: Draws, group: Group, draw: (random: Random) => T): Partial<T> {
  return draws.has(group) ? draw(draws.random(group)) : {};
}

/** Draws a service. */
export function drawService(draws: Draws): DrawnService {
  const run = draws.random('run');
  const doubt = run.pick([1, 1, 2.5]);
  const lag: Partial<SpeedKnobs> = drawn(draws, 'lag', (random) => ({
    lagMs: Math.round(random.between(50, doubt * 350)),
    detailLags: random.chance(0.3),
  }));
  const { values, dialect = 'update' } = drawn(draws, 'keys', keysOf);
  const { choose, told, timeout } = failuresOf(draws, doubt * 700 - (lag.lagMs ?? 0));
  return {
    knobs: {
      clock: clockOf(draws),
      speed: lag,
      answers: { ...drawn(draws, 'shapes', shapesOf), ...drawn(draws, 'hidden', hiddenOf) },
      values: { ...values, ...valuesOf(draws) },
    },
    choose,
    failures: told,
    jump: draws.has('jump') ? jumpOf(draws.random('jump')) : undefined,
    dialect,
    doubt,
    timeout,
    concurrency: run.pick([1, 4, 8]),
  };
}

const jumpOf = (random: Random) => ({
  atWrite: 1 + Math.floor(random.between(0, 12)),
  ms: random.pick([-DAY, -7_200_000, -30_000, 45_000, DAY]),
});

function clockOf(draws: Draws): Partial<ClockKnobs> {
  return {
    ...drawn(draws, 'skew', (random) => ({
      skewMs: random.pick([-300 * DAY, -DAY, -660_000, -60_000, -5_000, 5_000, 660_000, DAY]),
      zone: random.pick(['UTC', 'Europe/Amsterdam', 330, -480]),
    })),
    ...drawn(draws, 'resolution', (random) => ({
      resolution: random.pick(['ms', 's', 'min']),
      fraction: random.pick(['always', 'never', 'detail only']),
      compare: random.pick(['exclusive', 'inclusive']),
      compareTo: random.pick(['ms', 's', 'min', 'day']),
      linkMovesEvent: random.chance(0.5),
    })),
    ...drawn(draws, 'lmt', (random) => ({
      lmt: random.pick(['present', 'null', 'empty', 'absent']),
      hiddenCompare: random.pick(['internal', 'all']),
      moves: random.pick(['always', 'on change', 'never']),
    })),
  };
}

/** Lists that leave records out without a word: not all, as no answer could then be told of it. */
const hiddenOf = (random: Random): Partial<AnswerKnobs> => ({ inactiveInLists: random.chance(0.4) });

function keysOf(random: Random): { values: Partial<ValueKnobs>; dialect: DrawnService['dialect'] } {
  const externalId = random.pick(['kept', 'created', 'updated', 'never']);
  const fits = { kept: 'create', created: 'create', updated: 'update', never: 'never' } as const;
  const dialect = random.chance(0.85) ? fits[externalId] : 'update';
  return { values: { externalId, externalIdUnique: random.pick([false, false, 409, 422]) }, dialect };
}

const DISTURBING = ['lost', 'late', 'gateway', 'kill'] as const;

/** What becomes of values, by themselves and by the columns they are kept in. */
function valuesOf(draws: Draws): Partial<ValueKnobs> {
  // A late or repeated update that clears undoes what was put back after it.
  const isQuiet = !DISTURBING.some((group) => draws.has(group));
  return {
    ...drawn(draws, 'numbers', (random) => ({
      rounding: random.pick(['half up', 'half even', 'truncate', 'exact']),
      places: random.pick([2, 1, 0]),
      noise: random.chance(0.3),
      floats: random.pick(['double', 'double', 'single']),
    })),
    ...drawn(draws, 'texts', (random) => random.pick(TEXT_HABITS)),
    ...drawn(draws, 'moments', (random) => ({ datetimes: random.pick(['seconds', 'minutes', 'days']) })),
    ...drawn(draws, 'nothing', (random) => ({
      emptyAsNull: random.chance(0.5),
      zeroAsNull: random.chance(0.5),
    })),
    ...drawn(draws, 'ids', (random) => ({
      newIds: random.pick(['gaps', 'random', 'reused']),
      linkTwice: random.pick(['second record', 'overwrites', 'refused']),
      linkId: random.pick(['own', 'ArrangementID']),
      deletes: random.pick(['gone', 'flagged']),
    })),
    ...drawn(draws, 'ignored', (random) => ({
      ignored: random.pick([
        ['Volume'],
        ['OmschrijvingExtern', 'Offertetekst'],
        ['AantalGasten'],
        ['RetourRit', 'OPK'],
      ]),
    })),
    ...(draws.has('clears') && isQuiet && { updateClears: true }),
    ...(draws.has('bits') && { integers: '32 bits' as const }),
    ...drawn(draws, 'zone', (random) => ({ shiftMinutes: random.pick([60, -60, 120, 330]) })),
  };
}

const TEXT_HABITS: readonly Partial<ValueKnobs>[] = [
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
];

const shapesOf = (random: Random): Partial<AnswerKnobs> => ({
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
  success: random.pick([true, 1, 'true']),
  pageSize: random.pick([3, 10, 50]),
  listOrder: random.pick(['id', 'id descending', 'LMT']),
  page: random.pick(['array', 'bare']),
  whole: random.pick(['records', 'array with data', 'data', 'refused', 'pages']),
  links: random.pick(['absolute', 'relative']),
  gzip: random.pick([false, 'when accepted', 'always']),
  bom: random.chance(0.3),
  keepAlive: random.pick(['kept', 'kept', 'closed', 'silently closed']),
  headerCase: random.pick(['title', 'lower', 'upper']),
});

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
  const [lost, late, gateway] = [draws.random('lost'), draws.random('late'), draws.random('gateway')];
  const hangs = draws.has('lost') && lost.chance(0.1);
  if (draws.has('lost')) {
    const share = lost.between(0.03, 0.15);
    const failure = (random: Random): Failure =>
      hangs && random.chance(0.3)
        ? { kind: 'hang', when: random.pick(['before', 'after']) }
        : { kind: 'reset', when: random.pick(['after', 'half', 'before']), how: random.pick(['RST', 'FIN']) };
    chances.push({ share, writes: false, failure });
    chances.push({ share: share / 6, writes: true, failure: oddAnswer });
  }
  if (draws.has('late')) {
    const failure = (random: Random): Failure => {
      const giveUp = random.pick(['RST', 'FIN', 504, 502, 500]);
      return { kind: 'late', giveUp, commitAfterMs: Math.round(random.between(20, latest)) };
    };
    chances.push({ share: late.between(0.03, 0.15), writes: true, failure });
  }
  if (draws.has('gateway')) {
    const status = gateway.pick([503, 408, 425]);
    const retryAfter = gateway.pick([undefined, 0, 1]);
    const failure = (random: Random): Failure => {
      const when = random.pick(['before', 'after']);
      return { kind: 'status', status, when, ...(retryAfter !== undefined && { retryAfter }) };
    };
    chances.push({ share: gateway.between(0.03, 0.12), writes: true, failure });
  }
  const told = chances.map(({ share, writes }) => `${share.toFixed(3)}${writes ? ' of writes' : ''}`);
  return { choose: chooser(draws.seed, chances), told: told.join(' + '), timeout: hangs ? 1200 : 20_000 };
}

function oddAnswer(random: Random): Failure {
  const when = random.pick(['before', 'after']);
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
