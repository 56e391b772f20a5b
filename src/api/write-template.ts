import type { Form, Language } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import { resources } from '../resources/registry.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { type WrittenTemplate, writeTemplateFile } from '../template/write-template-file.ts';
import type { TemplateDocument } from './documents.ts';
import { templateDocument } from './make-documents.ts';
import { resourceNamed } from './resource-named.ts';

/**
 * Writes a workbook to fill in, for these resources, by themselves or by their names, with the service's
 * lists to choose from unless `offline`. Throws StopError, also for a file that exists.
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
  return await templateOf(chosen, options, { language: settings.lang, form, context });
}

/** The same without a service. */
export async function templateOffline(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  language: Language = resolveSettings(options).lang,
  form?: Form,
): Promise<WrittenTemplate> {
  return await templateOf(chosen, options, { language, form });
}

async function templateOf(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  given: {
    readonly language: Language;
    readonly form: Form | undefined;
    readonly context?: Context;
  },
): Promise<WrittenTemplate> {
  const made = new Date((given.context?.time ?? systemTime).now());
  return await writeTemplateFile({ ...ownOptions(options), ...given, chosen, resources, made });
}
