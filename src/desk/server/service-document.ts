import { listProfiles, serviceOf } from '../../api/profiles.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { sameAddress } from '../../service/address.ts';
import type { DeskRun, ServiceDocument } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import { NotNow } from './refusal.ts';

/** Which service is in use, without anything secret. */
export const serviceDocument = (desk: Desk): ServiceDocument => desk.service;

/** How a run on the embedded sandbox names its service. */
const SANDBOX = 'sandbox';

/** Whether a run is for the service in use; `service` as a run names it. */
export function isHere(desk: Desk, service: string): boolean {
  const { baseUrl } = desk.settings();
  if (baseUrl === null || service === SANDBOX) return baseUrl === null && service === SANDBOX;
  return sameAddress(baseUrl, service);
}

/** The service that a run is for, with the profile that leads to it where there is one. */
export function serviceOfRun(desk: Desk, service: string): ServiceDocument {
  if (isHere(desk, service)) return serviceDocument(desk);
  if (service === SANDBOX) return { profile: null, address: null, kind: 'sandbox' };
  const settings = { ...desk.settings(), profile: undefined, baseUrl: service };
  const { address, kind } = serviceOf(settings);
  const known = listProfiles().profiles.find(
    (one) => one.address !== null && sameAddress(one.address, service),
  );
  return { profile: known?.name ?? null, address, kind };
}

/**
 * Throws NotNow for a run of another service than the one in use: nothing of it is sent or looked up here.
 * `isPlan`: it was not sent, so that its file can be planned anew.
 */
export function refuseElsewhere(
  desk: Desk,
  { here, service }: Pick<DeskRun, 'here' | 'service'>,
  isPlan = false,
): void {
  if (here) return;
  const { profile, address } = serviceOfRun(desk, service);
  const named = profile ?? address;
  const [en, nl] = isPlan ? ['plan', 'Dit plan'] : ['run', 'Deze run'];
  const next = wayTo(profile, address);
  throw new NotNow(
    t(
      `This ${en} is for another service (${named ?? 'the sandbox'}) than the one in use.`,
      `${nl} is voor een ander systeem (${named ?? 'de sandbox'}) dan het systeem dat in gebruik is.`,
    ),
    isPlan
      ? t(`${next.en}, or plan the file again.`, `${next.nl}, of maak het plan opnieuw.`)
      : t(`${next.en}.`, `${next.nl}.`),
  );
}

/** How a service is chosen. */
function wayTo(profile: string | null, address: string | null): Bilingual {
  if (profile !== null)
    return t(`Choose the profile ${profile} under Service`, `Kies het profiel ${profile} onder Systeem`);
  if (address === null) return t('Choose the sandbox under Service', 'Kies de sandbox onder Systeem');
  return t(
    'Add a profile with that address under Service and choose it',
    'Voeg onder Systeem een profiel met dat adres toe en kies dat',
  );
}
