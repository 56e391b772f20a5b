import type { Context } from 'hono';
import { asStop } from '../../core/as-stop.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, onPage, t } from '../../core/language.ts';
import type { StopDocument } from '../contract/documents.ts';

type Refused = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 500 | 502;

/** What is asked for is not there. */
export class NotFound extends StopError {
  constructor(what: Bilingual) {
    super(EXIT.usage, t(`There is no such ${what.en}.`, `Zo’n ${what.nl} is er niet.`), {
      next: t('Go back to the first page.', 'Ga terug naar de eerste pagina.'),
    });
  }
}

/** Something else has to be done first, or is being done now. */
export class NotNow extends StopError {
  constructor(message: Bilingual, next: Bilingual) {
    super(EXIT.usage, message, { next });
  }
}

/** The language that the desk speaks, for answers that are made before anything else is known. */
export const LANGUAGE = 'language';

/** An answer that says why something is refused, and the way out. */
export function refusal(context: Context, status: Refused, message: Bilingual, next?: Bilingual): Response {
  const language = (context.get(LANGUAGE) as Language | undefined) ?? 'en';
  return context.json(said(message, next, language), status);
}

/** What stopped some work, as plain data. */
export function stopDocument(error: unknown, language: Language): StopDocument {
  const { exit, texts } = asStop(error);
  return { exit, ...said(texts.message, texts.next, language) };
}

/** What is wrong and the way out, as the page says them. */
function said(
  message: Bilingual,
  next: Bilingual | undefined,
  language: Language,
): Pick<StopDocument, 'message' | 'next'> {
  const way = next === undefined ? '' : onPage(next)[language];
  return { message: onPage(message)[language], next: way === '' ? null : way };
}

/** The answer to a request that failed. */
export function failed(context: Context, error: unknown): Response {
  const { exit, texts } = asStop(error);
  return refusal(context, statusOf(error, exit), texts.message, texts.next);
}

function statusOf(error: unknown, exit: ExitCode): Refused {
  if (error instanceof NotFound) return 404;
  if (error instanceof NotNow) return 409;
  if (exit === EXIT.usage) return 400;
  if (exit === EXIT.file) return 422;
  if (exit === EXIT.service) return 502;
  return exit === EXIT.fault ? 500 : 409;
}
