import { type Bilingual, same, t } from '../core/language.ts';

/** The key of a service in a ledger or a file, for people: a sandbox of another file has no address. */
export function keyText(key: string): Bilingual {
  return key.startsWith('sandbox ')
    ? t('another sandbox on this computer', 'een andere ingebouwde proefomgeving op deze computer')
    : same(key);
}

/** The name of the service in use, for people. */
export const nameText = (name: string): Bilingual =>
  name === 'sandbox' ? t('the sandbox here', 'de ingebouwde proefomgeving hier') : same(name);

const SANDBOX = t('sandbox', 'de ingebouwde proefomgeving');

/** A service as people know it. */
export const serviceText = (name: string): Bilingual => (name === SANDBOX.en ? SANDBOX : same(name));
