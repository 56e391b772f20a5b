import { type ServiceInUse, serviceInUse } from '../session/own-profiles.ts';
import type { Settings } from '../session/settings.ts';

export {
  listProfiles,
  type ServiceInUse,
  saveProfile,
} from '../session/own-profiles.ts';

/** The service that a session, or settings, lead to: its name and address, and nothing secret. */
export const serviceOf = (settings: Settings): ServiceInUse => serviceInUse(settings);
