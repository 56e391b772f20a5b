import { t } from '../core/language.ts';
import { defineResource } from '../schema/resource.ts';
import { aboutEvent, eventEndpoints } from './events.ts';

const { refresh } = eventEndpoints;

/** Events to refresh (verversen): the service recalculates what they need. */
export const refreshes = defineResource({
  name: 'refresh',
  sheet: 'Verversen',
  about: t('Events that the service is to refresh', 'Evenementen die het systeem moet verversen'),
  kind: 'refresh',
  command: 'refresh',
  keys: ['PartijID', 'Event.ExternalID'],
  event: 'PartijID',
  day: 'Datum',
  fields: aboutEvent,
  requests: { refresh },
});
