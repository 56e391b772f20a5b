import type { CallOutcome, CallsResult } from '../calls/calls.ts';
import { requestsText } from '../core/counts.ts';
import { t } from '../core/language.ts';
import type { Bilingual, Language } from '../core/value.ts';
import { stopDocument } from './stop-text.ts';

const STATUS: Readonly<Record<CallOutcome['status'], Bilingual>> = {
  done: t('done', 'gedaan'),
  unchanged: t('unchanged', 'ongewijzigd'),
  failed: t('failed', 'mislukt'),
  unknown: t('unknown', 'onbekend'),
  'not sent': t('not sent', 'niet verstuurd'),
};

/** What became of each thing that was asked for, a line each. */
export function callsText({ service, calls, requests }: CallsResult, language: Language): string {
  const width = Math.max(...calls.map(({ id }) => id.length));
  const lines = calls.map(({ id, status, message }) => {
    const said = message === null ? '' : `: ${message[language]}`;
    return `  ${id.padEnd(width)}  ${STATUS[status][language]}${said}`;
  });
  return [service, ...lines, requestsText(requests)[language]].join('\n');
}

/** The same as JSON, with what stopped them, if anything did. */
export function callsDocument(
  { service, calls, requests, stopped }: CallsResult,
  language: Language,
): object {
  const said = calls.map(({ id, status, message }) => ({
    ...{ id, status },
    ...(message === null ? {} : { message: message[language] }),
  }));
  return { service, calls: said, requests, ...(stopped === null ? {} : stopDocument(stopped, language)) };
}
