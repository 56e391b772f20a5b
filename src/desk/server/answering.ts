import type { Context, Hono } from 'hono';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { PATHS, type ParamsOf, type RouteName } from '../contract/paths.ts';
import { type AnswerOf, type ReadBodyOf, type ReadQueryOf, ROUTES } from '../contract/routes.ts';

/** What a route is asked with. */
export interface Asked<R extends RouteName> {
  readonly params: ParamsOf<R>;
  readonly query: ReadQueryOf<R>;
  readonly body: ReadBodyOf<R>;
  readonly context: Context;
}

/** Answers a route: a document, or for a file or a stream the response itself. */
export type Answering<R extends RouteName> = (
  asked: Asked<R>,
) => Promise<AnswerOf<R> extends undefined ? Response : AnswerOf<R> | Response>;

/** Some of the routes with what answers them. */
export type AnsweringOf<R extends RouteName> = { readonly [Name in R]: Answering<Name> };

/** Bytes of a body of JSON; a thousand corrections are far less. */
const MOST_JSON = 40 * 2 ** 20;

/**
 * Makes the app answer routes; what comes is checked against the contract first. `checksAnswers`: what goes
 * is too, for tests.
 */
export function answerRoutes<R extends RouteName>(
  app: Hono,
  answering: AnsweringOf<R>,
  checksAnswers = false,
): void {
  for (const name of Object.keys(answering) as R[]) {
    const [method = 'GET', path = '/'] = PATHS[name].split(' ');
    app.on(method, path, async (context) => {
      const shape: { query?: Parsing; body?: Parsing; answer?: unknown } = ROUTES[name];
      const query = shape.query === undefined ? undefined : parsed(shape.query, context.req.query());
      const body = shape.body === undefined ? undefined : parsed(shape.body, await jsonOf(context));
      const params = context.req.param() as ParamsOf<R>;
      const answer = await answering[name]({ params, query, body, context } as never);
      if (answer instanceof Response) return await withoutBody(context, answer);
      if (checksAnswers) (shape.answer as { parse(value: unknown): unknown } | undefined)?.parse(answer);
      return context.json(answer);
    });
  }
}

/** The same answer; to HEAD without its body, which nobody would take: its file or stream is closed. */
async function withoutBody({ req }: Context, answer: Response): Promise<Response> {
  if (req.method !== 'HEAD') return answer;
  await answer.body?.cancel();
  return new Response(null, answer);
}

interface Parsing {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: Problems } };
}
type Problems = readonly { readonly path: PropertyKey[]; readonly message: string }[];

function parsed(shape: Parsing, value: unknown): unknown {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw wrong(`${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
}

async function jsonOf({ req }: Context): Promise<unknown> {
  if (!/^application\/json\b/.test(req.header('content-type') ?? '')) throw wrong('no JSON');
  const text = await textOf(req.raw);
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('no JSON');
  }
}

/** The text of a body that is not too long. */
async function textOf({ body }: Request): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > MOST_JSON) throw wrong('too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const wrong = (why: string): StopError =>
  new StopError(
    EXIT.usage,
    t(`The page asked something wrong (${why}).`, `De pagina vroeg iets verkeerds (${why}).`),
    { next: t('Load the page again.', 'Laad de pagina opnieuw.') },
  );
