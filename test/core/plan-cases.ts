import type { PlannedRow, Status } from '../../src/core/plan.ts';

const actions = {
  create: 0,
  update: 0,
  delete: 0,
  unchanged: 0,
  skip: 0,
  invalid: 0,
  conflict: 0,
  unknown: 0,
} satisfies Record<PlannedRow['action'], 0>;

const statuses = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  skipped: 0,
  conflict: 0,
  invalid: 0,
  failed: 0,
  unknown: 0,
  'not sent': 0,
} satisfies Record<Status, 0>;

/** Every action; the compiler holds it complete. */
export const ACTIONS = Object.keys(actions) as PlannedRow['action'][];
/** Every status; the compiler holds it complete. */
export const STATUSES = Object.keys(statuses) as Status[];
