import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { AnswerOf } from '../contract/answers.ts';
import { ASKED, type ReadAskedOf, type RouteName } from '../contract/asked.ts';
import { FILES } from '../contract/paths.ts';

/** Some of the routes with what answers each: a document, or for a file the response itself. */
export type Answering<R extends RouteName> = {
  readonly [Name in R]: (asked: ReadAskedOf<Name>, context: Context) => Promise<AnswerOf<Name> | Response>;
};

/** Bytes of a body of JSON: corrections of a million cells are less. */
const MOST_JSON = 128 * 2 ** 20;

/** Makes the app answer routes; what comes is checked against the contract first. */
export function answerRoutes<R extends RouteName>(app: Hono, answering: Answering<R>): void {
  for (const name of Object.keys(answering) as R[]) {
    const isFile = FILES.some((one) => one === name);
    app.on(isFile ? 'GET' : 'POST', `/api/${name}`, async (context) => {
      const given = isFile || name === 'addFile' ? context.req.query() : await jsonOf(context);
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
