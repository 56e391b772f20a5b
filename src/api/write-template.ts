import type { Language } from '../core/language.ts';
import { checkOptions } from '../options/check-options.ts';
import { type OptionsOf, ownOptions } from '../options/options.ts';
import { resources } from '../resources/registry.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { type WrittenTemplate, writeTemplateFile } from '../template/write-template-file.ts';
import { type TemplateDocument, templateDocument } from './documents.ts';

/**
 * Writes a workbook to fill in, for these resources, with the service's lists to choose from unless
 * `offline`. Throws StopError, also for a file that exists.
 */
export async function writeTemplate(
  chosen: readonly Resource[] = resources,
  options: OptionsOf<'writeTemplate'> = {},
): Promise<TemplateDocument> {
  const given = checkOptions('writeTemplate', options);
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
): Promise<WrittenTemplate> {
  return await templateOf(chosen, options, settings.lang, context);
}

/** The same without a service. */
export async function templateOffline(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  language: Language = resolveSettings(options).lang,
): Promise<WrittenTemplate> {
  return await templateOf(chosen, options, language);
}

async function templateOf(
  chosen: readonly Resource[],
  options: OptionsOf<'writeTemplate'>,
  language: Language,
  context?: Context,
): Promise<WrittenTemplate> {
  const own = ownOptions(options);
  return await writeTemplateFile({ ...own, chosen, resources, language, made: new Date(), context });
}
