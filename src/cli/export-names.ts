import { exportedResources, exportName } from '../api/export.ts';

/** The export of a period, made of several kinds of records. */
export const FINANCE = 'finance';

/** What `export` takes. */
export const EXPORT_NAMES: readonly string[] = [...exportedResources.map(exportName), FINANCE];
