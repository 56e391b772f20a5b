import { usageStop } from '../core/errors.ts';
import { type Form, type Language, t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { withDays } from '../export/named-period.ts';
import { periodOf } from '../export/selection-options.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import type { Days } from '../records/listing.ts';
import { resources } from '../resources/registry.ts';
import { type Context, wallClock } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { type WrittenTemplate, writeTemplateFile } from '../template/write-template-file.ts';
import type { TemplateDocument } from './documents.ts';
import { templateDocument } from './make-documents.ts';
import { resourceNamed } from './resource-named.ts';

/**
 * Writes a workbook to fill in, for these resources, by themselves or by their names, with the service's
 * lists to choose from unless `offline`, and a sheet of what the ids of the days from `from` to `to` name.
 * Throws StopError, also for a file that exists.
 */
export async function writeTemplate(
  kinds: readonly (Resource | string)[] = resources,
  options: OptionsOf<'writeTemplate'> = {},
): Promise<TemplateDocument> {
  const given = checkOptions('writeTemplate', options, { kinds });
  const chosen = kinds.map((kind) => resourceNamed(kind, resources));
  if (given.offline === true) {
    const { lang } = resolveSettings(given);
    return templateDocument(await templateOffline(chosen, given, lang), lang);
  }
  return await withSession(given, undefined, async (session) =>
    templateDocument(await templateIn(session, chosen, given), session.settings.lang),
  );
}

/** The same within a session. */
export async function templateIn(
  { context, settings }: Session,
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  form?: Form,
): Promise<WrittenTemplate> {
  const { lang: language, locale } = settings;
  const { from, to } = withDays(options, wallClock(context.time.now()).slice(0, 10));
  const days = periodOf({ from, to, locale });
  return await templateOf(chosen, options, { language, form, context, ...(days && { days }) });
}

/** The same without a service. Throws StopError with EXIT.usage for a period. */
export async function templateOffline(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  language: Language = resolveSettings(options).lang,
  form?: Form,
): Promise<WrittenTemplate> {
  if ((options.from ?? options.to ?? options.period) !== undefined) throw usageStop(NO_DAYS, NO_DAYS_NEXT);
  return await templateOf(chosen, options, { language, form });
}

const NO_DAYS = withFlag(
  t(
    'Without the service there is nothing to look up: no numbers of a period.',
    'Zonder het systeem is er niets op te zoeken: geen nummers van een periode.',
  ),
  '--offline',
);
const NO_DAYS_NEXT = t('Leave one of them out.', 'Laat een van beide weg.');

async function templateOf(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  given: {
    readonly language: Language;
    readonly form: Form | undefined;
    readonly context?: Context;
    readonly days?: Days;
  },
): Promise<WrittenTemplate> {
  const made = new Date((given.context?.time ?? systemTime).now());
  return await writeTemplateFile({ ...ownOptions(options), ...given, chosen, resources, made });
}
