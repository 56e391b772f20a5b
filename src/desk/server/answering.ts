import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { asStop, EXIT, StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, type Language, onPage, t } from '../../core/language.ts';
import type { AnswerOf, Job } from '../contract/answers.ts';
import { ASKED, type ReadAskedOf, type RouteName } from '../contract/asked.ts';

/** Some of the routes with what answers each: a document, or for a file the response itself. */
export type Answering<R extends RouteName> = {
  readonly [Name in R]: (asked: ReadAskedOf<Name>, context: Context) => Promise<AnswerOf<Name> | Response>;
};

/** Bytes of a body of JSON: corrections of a million cells are less. */
const MOST_JSON = 128 * 2 ** 20;

/** Makes the app answer routes; what comes is checked against the contract first. */
export function answerRoutes<R extends RouteName>(app: Hono, answering: Answering<R>): void {
  for (const name of Object.keys(answering) as R[]) {
    app.post(`/api/${name}`, async (context) => {
      const given = name === 'addFile' ? context.req.query() : await jsonOf(context);
      const answer = await answering[name](parsed(ASKED[name], given) as ReadAskedOf<R>, context);
      return answer instanceof Response ? answer : context.json(answer);
    });
  }
}

function parsed(shape: z.ZodType, value: unknown): unknown {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw wrong(`${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
}

const limited = bodyLimit({
  maxSize: MOST_JSON,
  onError: () => {
    throw wrong('too long');
  },
});

async function jsonOf(context: Context): Promise<unknown> {
  const { req } = context;
  if (!/^application\/json\b/.test(req.header('content-type') ?? '')) throw wrong('no JSON');
  let read: unknown;
  await limited(context, async () => {
    read = await req.json().catch(() => {
      throw wrong('no JSON');
    });
  });
  return read;
}

const wrong = (why: string) =>
  usageStop(
    t(`The page asked something wrong (${why}).`, `De pagina vroeg iets verkeerds (${why}).`),
    t('Load the page again.', 'Laad de pagina opnieuw.'),
  );

/** A request that is refused, with the HTTP status that says so. */
export class Refused extends StopError {
  readonly status: 401 | 403 | 404 | 409;

  constructor(status: Refused['status'], message: Bilingual, next?: Bilingual) {
    super(EXIT.usage, message, next && { next });
    this.status = status;
  }
}

/** What is asked for is not there. */
export class NotFound extends Refused {
  constructor(what: Bilingual) {
    super(
      404,
      t(`There is no such ${what.en}.`, `Zo’n ${what.nl} is er niet.`),
      t('Go back to the first page.', 'Ga terug naar de eerste pagina.'),
    );
  }
}

/** Something else has to be done first, or is being done now. */
export class NotNow extends Refused {
  constructor(message: Bilingual, next: Bilingual) {
    super(409, message, next);
  }
}

/** A plan that is or was sent is corrected no more. */
export const SENT_ALREADY = (): NotNow =>
  new NotNow(
    t('This file was sent already.', 'Dit bestand is al verstuurd.'),
    t('Correct what is left of it as a file of its own.', 'Verbeter wat er over is als eigen bestand.'),
  );

/** Throws NotNow while a file or a run is worked on: a second click begins nothing. */
export function refuseBusy(job: unknown): void {
  if (job === undefined) return;
  throw new NotNow(
    t('It is being worked on.', 'Er wordt aan gewerkt.'),
    t('Wait until that is done, or stop it.', 'Wacht tot dat klaar is, of stop het.'),
  );
}

/** What stopped some work, as plain data. */
export function stopOf(error: unknown, language: Language): NonNullable<Job['stop']> {
  const { exit, texts } = asStop(error);
  const next = texts.next === undefined ? null : onPage(texts.next)[language];
  return { exit, message: onPage(texts.message)[language], next };
}

/** The answer to a request that failed. */
export function failed(context: Context, error: unknown, language: Language): Response {
  const stop = stopOf(error, language);
  return context.json(stop, statusOf(error, stop.exit));
}

function statusOf(error: unknown, exit: number) {
  if (error instanceof Refused) return error.status;
  if (exit === EXIT.usage) return 400;
  if (exit === EXIT.file) return 422;
  if (exit === EXIT.service) return 502;
  return exit === EXIT.fault ? 500 : 409;
}
