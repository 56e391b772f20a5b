import { t } from '../../core/language.ts';
import { sameAddress } from '../../service/address.ts';
import { listProfiles } from '../../session/own-profiles.ts';
import type { Run } from '../contract/answers.ts';
import type { Desk } from './desk.ts';
import { NotNow } from './refusal.ts';

/** How a run on the embedded sandbox names its service. */
const SANDBOX = 'sandbox';

/** Whether a run is for the service in use; `service` as a run names it. */
export function isHere(desk: Desk, service: string): boolean {
  const { baseUrl } = desk.settings();
  if (baseUrl === null || service === SANDBOX) return baseUrl === null && service === SANDBOX;
  return sameAddress(baseUrl, service);
}

/** Throws NotNow for a run of another service than the one in use: nothing of it is sent or looked up here. */
export function refuseElsewhere({ here, service }: Pick<Run, 'here' | 'service'>): void {
  if (here) return;
  const known = listProfiles().profiles.find(
    ({ address }) => address !== null && service !== SANDBOX && sameAddress(address, service),
  );
  const name = known?.name ?? service;
  throw new NotNow(
    t(
      `This is for another service (${name}) than the one in use.`,
      `Dit is voor een ander systeem (${name}) dan het systeem dat in gebruik is.`,
    ),
    t(
      `Choose ${name} under Service, or bring the file again.`,
      `Kies ${name} onder Systeem, of breng het bestand opnieuw.`,
    ),
  );
}
