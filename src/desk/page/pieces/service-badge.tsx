import { t } from '../../../core/language.ts';
import type { ServiceInUse } from '../../../session/own-profiles.ts';
import { said, say } from '../language.ts';

/** The host of a service, as people know it. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

/** Which service is worked on, in a colour and in words: what is sent there counts, or is for trying. */
export function ServiceBadge({ service }: { readonly service: ServiceInUse }) {
  const { kind, name, address } = service;
  const detail =
    kind === 'sandbox' ? say('made-up data', 'verzonnen gegevens') : (name ?? hostOf(address ?? ''));
  return (
    <span class={`service ${kind}`} title={address ?? undefined}>
      <b>{said(kind === 'sandbox' ? t('Sandbox', 'Proefomgeving') : t('Real service', 'Echt systeem'))}</b>{' '}
      <span>{detail}</span>
    </span>
  );
}
