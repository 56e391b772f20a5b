import type { Context } from 'hono';
import { asStop } from '../../core/as-stop.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, onPage, t } from '../../core/language.ts';
import type { Stop } from '../contract/answers.ts';

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
export function stopOf(error: unknown, language: Language): Stop {
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
