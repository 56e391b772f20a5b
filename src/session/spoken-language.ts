import type { Language } from '../core/value.ts';

/** Dutch where the machine is set to Dutch, English elsewhere. */
export function spokenLanguage(environment: NodeJS.ProcessEnv): Language {
  const told = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG;
  const name = told || new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^nl\b|^nl_/i.test(name) ? 'nl' : 'en';
}
